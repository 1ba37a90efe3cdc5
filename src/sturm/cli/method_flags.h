// SPDX-License-Identifier: BSD-3-Clause
// The parameters of every method as flags, made from what the methods say about themselves.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "sturm/models/method.h"

namespace sturm::cli {

/// A flag for each parameter of each method that the command does not have yet.
void add_method_flags(CLI::App& app, const std::string& group);

/// The setting of a method as the flags give it. Relative parameters are NaN where none of them is given: then
/// --strength counts, which `relative` says is given. Throws where a parameter without a usual value is not given, the
/// parameter of another method is, or both are.
std::vector<double> setting_from_flags(const CLI::App& app, const Method<double>& method, bool relative);

/// Throws where a parameter, --strength or --balance is given beside a flag that chooses them.
void refuse_setting(const CLI::App& app, const char* flag);

/// Lets --alpha be a number above 0 or auto, which is 0 in the options.
void allow_automatic_alpha(CLI::App& app);

/// Throws where a number of the solver's flags is out of its range.
void check_solver(const SolverOptions& options);

/// The names of all methods, for help and errors.
std::string method_names();

}  // namespace sturm::cli
