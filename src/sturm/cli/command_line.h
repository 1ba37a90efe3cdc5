// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace sturm::cli {

/// The command with what its results depend on, as one would type it; where it writes and how it runs are left out.
std::string command_line(const CLI::App& app);

}  // namespace sturm::cli
