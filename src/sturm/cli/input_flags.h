// SPDX-License-Identifier: BSD-3-Clause
// The flags that name volumes and labels.
#pragma once

#include <CLI/CLI.hpp>

#include "sturm/app/input.h"

namespace sturm::cli {

/// --array, --labels, --samples and the other ways to name volumes; for a fit also --positive, --weights, --mask,
/// --resize, --drop-missing.
void add_input_flags(CLI::App& app, InputOptions& options, Purpose purpose);

}  // namespace sturm::cli
