// SPDX-License-Identifier: BSD-3-Clause
// Every command adds itself to the program: its flags, its help, and what it does.
#pragma once

#include <CLI/CLI.hpp>

#include "sturm/core/error.h"
#include "sturm/terminal/exit_code.h"

namespace sturm::cli {

/// Thrown under --strict once the results are written: the program exits with 4.
class NotConverged : public Error {
 public:
  using Error::Error;
};

void add_check(CLI::App& program);
void add_cv(CLI::App& program);
void add_fit(CLI::App& program);
void add_phantom(CLI::App& program);
void add_predict(CLI::App& program);
void add_report(CLI::App& program);
void add_verify(CLI::App& program);
void add_info(CLI::App& program);
void add_help(CLI::App& program);

}  // namespace sturm::cli
