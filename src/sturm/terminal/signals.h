// SPDX-License-Identifier: BSD-3-Clause
// Ctrl-C and kill: the program ends with exit code 75 and leaves nothing behind.
#pragma once

namespace sturm::cli {

enum class OnSignal {
  leave,   ///< end at once: nothing is on disk yet
  finish,  ///< note it for stop_asked(), so that the work can be left in order; a second signal ends at once
  ignore,  ///< the results are in place
};

/// What SIGINT and SIGTERM do from now on.
void on_signal(OnSignal action);

/// Whether a signal came while the action was `finish`.
bool stop_asked();

/// What is said when a signal ends the program, instead of "nothing was written". It must outlive the program.
void say_when_stopped(const char* words);
const char* words_when_stopped();

}  // namespace sturm::cli
