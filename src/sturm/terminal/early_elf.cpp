// SPDX-License-Identifier: BSD-3-Clause
// On systems with ELF: what stands in .preinit_array runs before the libraries begin.
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <ctime>
#include <string_view>

#include "sturm/terminal/early.h"
#include "sturm/terminal/exit_code.h"

namespace sturm::cli {
namespace {

constexpr time_t seconds = 3;  ///< of the processor, where a start takes a small part of one

void end_start(int) {
  constexpr std::string_view words =
      "sturm: cannot start: the limit on memory (ulimit -v) leaves too little for the matrix library; raise it.\n";
  if (::write(STDERR_FILENO, words.data(), words.size()) < 0) ::_exit(bad_input);
  ::_exit(bad_input);
}

void set_timer(time_t after) {
  itimerval timer{};
  timer.it_value.tv_sec = after;
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}

void before_libraries(int, char**, char**) {
  rlimit memory{};
  if (::getrlimit(RLIMIT_AS, &memory) != 0 || memory.rlim_cur == RLIM_INFINITY) return;
  ::signal(SIGPROF, end_start);
  set_timer(seconds);
}

[[gnu::section(".preinit_array"), gnu::used]] void (*first)(int, char**, char**) = before_libraries;

}  // namespace

void started() {
  set_timer(0);
  ::signal(SIGPROF, SIG_DFL);
}

}  // namespace sturm::cli
