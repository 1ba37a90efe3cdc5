// SPDX-License-Identifier: BSD-3-Clause
// A fitted model as a file: model.safetensors, which any language reads and which holds no code.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "sturm/core/target.h"
#include "sturm/models/sturm_model.h"

namespace sturm {

/// A model and what is needed to use it on new volumes.
struct SavedModel {
  LinearModel model;
  std::string method = "sturm";
  std::string target;              ///< the column it was fitted to
  std::optional<Classes> classes;  ///< none: a regression
  std::string version;             ///< of the program that wrote it
};

/// Arrays `coef` (I1 x I2 x I3, float64, C order) and `intercept`, and `mask` (uint8) where there is one; the rest
/// stands in the metadata as words.
void write_model(const std::filesystem::path& file, const SavedModel& saved);

/// From a model file, or a folder that holds one.
SavedModel read_model(const std::filesystem::path& file_or_folder);

}  // namespace sturm
