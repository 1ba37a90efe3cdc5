// SPDX-License-Identifier: BSD-3-Clause
// The program's own flags as pages of a manual (text/manual.h): help, completion and the check of a command line all
// come from there.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "sturm/text/manual.h"

namespace sturm::cli {

/// Every command and flag of the program. A command's footer holds its examples: a line of words, then one to type.
ProgramPage manual_of(const CLI::App& program);

/// Prints the help of a command, or of the program where it is empty, as wide as the terminal.
void print_help(const ProgramPage& page, const std::string& command);

}  // namespace sturm::cli
