// SPDX-License-Identifier: BSD-3-Clause
// Other processes, for tests of what happens when they hold, fill or leave something.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <exception>

namespace sturm::test {

/// Runs a body in a process of its own, which ends with what it returns, or with 99 after an exception.
template <class Body>
pid_t start(const Body& body) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  int code = 99;
  try {
    code = body();
  } catch (const std::exception&) {
  }
  ::_exit(code);
}

/// The exit code of a process, or minus the signal that ended it.
inline int wait_for(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace sturm::test
