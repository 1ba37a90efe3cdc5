// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/terminal/signals.h"

#include <unistd.h>

#include <csignal>

#include "sturm/terminal/exit_code.h"
#include "sturm/terminal/voice.h"

namespace sturm::cli {
namespace {

volatile std::sig_atomic_t finish_first = 0;
volatile std::sig_atomic_t asked = 0;
const char* volatile stop_words = "stopped; nothing was written.";

void handle(int) {
  if (finish_first && !asked) {
    asked = 1;
    return;
  }
  tell_stopped(stop_words, resumable);
  ::_exit(resumable);
}

}  // namespace

void on_signal(OnSignal action) {
  finish_first = action == OnSignal::finish;
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, action == OnSignal::ignore ? SIG_IGN : handle);
}

bool stop_asked() { return asked != 0; }

void say_when_stopped(const char* words) { stop_words = words; }

const char* words_when_stopped() { return stop_words; }

}  // namespace sturm::cli
