// SPDX-License-Identifier: BSD-3-Clause
// What a cross-validation would do, for `cv --dry-run` and for `check`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "sturm/app/cv_study.h"

namespace sturm::cli {

/// The paper's protocol, where a flag of the command does not say otherwise.
void apply_preset(const CLI::App& app, Preset preset, bool from_volumes, CvOptions& options);

/// Samples, folds and tasks, the memory, and of each family of methods fits, time and memory: one line each. `missing`
/// tasks are not done yet.
template <class Real>
std::vector<std::string> plan_lines(const CvStudy<Real>& study, const RunSettings& run, Index missing);

}  // namespace sturm::cli
