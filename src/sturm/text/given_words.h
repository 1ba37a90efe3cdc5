// SPDX-License-Identifier: BSD-3-Clause
// Whether the words of a command line are ones that the program knows, before anything is done with them.
#pragma once

#include <string>
#include <vector>

#include "sturm/text/manual.h"

namespace sturm {

/// What a command line is about.
struct GivenWords {
  std::string command;  ///< empty: none
  bool help = false;    ///< help is asked for: whatever else is wrong with the words does not matter
  bool version = false;
};

/// Throws UsageError with one sentence and the way out for the first thing that is wrong: a command or flag that does
/// not exist (and which one may be meant), a flag without its value or given twice, a value for one that takes none, a
/// word too many or one that is missing.
GivenWords check_words(const ProgramPage& program, const std::vector<std::string>& words);

}  // namespace sturm
