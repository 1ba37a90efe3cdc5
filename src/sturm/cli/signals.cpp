// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/cli/signals.h"

#include <unistd.h>

#include <csignal>
#include <string_view>

#include "sturm/cli/commands.h"

namespace sturm::cli {
namespace {

volatile std::sig_atomic_t finish_first = 0;
volatile std::sig_atomic_t asked = 0;
volatile std::sig_atomic_t open_bar = 0;
const char* volatile stop_words = "stopped; nothing was written.";

void say(std::string_view text) {
  if (::write(STDERR_FILENO, text.data(), text.size()) < 0) return;  // nobody listens: end all the same
}

void handle(int) {
  if (finish_first && !asked) {
    asked = 1;
    return;
  }
  if (open_bar) say("\n");
  say("sturm: ");
  say(stop_words);
  say("\n");
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

void bar_is_open(bool open) { open_bar = open; }

}  // namespace sturm::cli
