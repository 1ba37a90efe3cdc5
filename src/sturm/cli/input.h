// SPDX-License-Identifier: BSD-3-Clause
// Loading input: from the flags that name it to a Dataset.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "sturm/core/dataset.h"

namespace sturm::cli {

/// Where volumes and labels are, as the user said it.
struct InputOptions {
  std::string array;
  std::string labels;
  std::string target;
  std::string positive;
  std::string weights;
  std::string mask = "none";
  bool drop_missing = false;
};

enum class Purpose { fit, predict };

/// --array, --labels, --target, and for a fit --positive, --weights, --mask, --drop-missing.
void add_input_flags(CLI::App& app, InputOptions& options, Purpose purpose);

/// What the caller asks of the input.
struct LoadPlan {
  Purpose purpose = Purpose::fit;
  Index memory = 0;  ///< the most bytes for volumes and what comes on top of them
  std::function<Index(const Shape&, Index samples)> on_top;  ///< the bytes of what comes on top; none: 0
  std::vector<std::uint8_t> needed;                 ///< for a prediction: the voxels that must be finite; empty: all
  std::function<Target(const Table&)> read_target;  ///< how the labels' table is read; none: it has no target
};

/// Reads and checks all that the flags name. Throws where files do not fit each other, a fit's target is missing (but
/// for --drop-missing), or a voxel inside the mask is not a finite number.
template <class Real>
Dataset<Real> load_dataset(const InputOptions& options, const LoadPlan& plan);

}  // namespace sturm::cli
