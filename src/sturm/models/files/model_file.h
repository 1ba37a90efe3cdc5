// SPDX-License-Identifier: BSD-3-Clause
// A fitted model as a file: model.safetensors, which any language reads and which holds no code.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sturm/core/safetensors.h"
#include "sturm/core/target.h"
#include "sturm/models/confound_model.h"
#include "sturm/models/model.h"
#include "sturm/models/wrappers/platt.h"

namespace sturm {

/// Where the volumes that a model was fitted to lie in the world, in plain numbers: this layer knows no images.
struct ModelGrid {
  Shape shape;                      ///< of the volumes as they were read
  std::array<double, 12> affine{};  ///< the rows of [R | t] that take voxel indices to millimetres
  double resize = 1;                ///< the factor by which the volumes were resized to the shape of coef
  std::vector<std::uint8_t> mask;   ///< on this grid: outside, values count as 0. Empty: every voxel
};

/// One model, and how its decision values become probabilities.
struct SavedPart {
  Model<double> model;
  std::optional<Sigmoid> sigmoid;  ///< of the probability of the positive class, or of this one of several
};

/// What a fit found and what is needed to use it on new volumes.
struct SavedModel {
  std::vector<SavedPart> parts;    ///< one, or one per class where there are several
  std::vector<std::string> names;  ///< of several classes
  /// What the parts have in common: the volumes that they are for. An empty mask is every voxel.
  Shape shape;
  Normalize normalize = Normalize::none;
  std::vector<std::uint8_t> mask;
  std::string method = "sturm";
  std::string target;                   ///< the column it was fitted to
  std::optional<Classes> classes;       ///< none: a regression, or several classes
  std::string version;                  ///< of the program that wrote it
  std::optional<ModelGrid> grid;        ///< none: it was fitted to arrays
  ConfoundModel confounds;              ///< taken out of volumes before the model sees them
  std::vector<std::string> trained_on;  ///< a name of 32 letters for the content of each training volume
};

/// Arrays `coef` (I1 x I2 x I3, C order, float32 where that loses nothing, otherwise float64) and `intercept`, `mask`
/// (uint8) and `grid_mask` where there are such, `sigmoid` (slope and offset) where there are probabilities; the rest
/// stands in the metadata as words, `grid` as JSON: shape, affine, resize. A kernel's model has the arrays of
/// rbf_file.h or mmk_file.h in place of `coef`, and the word `kernel`: rbf or cp. Several classes have one more axis,
/// the first, in `coef`, `intercept` and `sigmoid`; a kernel's have its arrays once per class, as `0/support`,
/// `1/support` ...  Where confounds are taken out, `confounds` in the metadata names their columns, and `confound_mean`
/// and `confound_coef` (voxels of the mask x confounds) hold what ConfoundModel says. `trained_on` has 32 letters for
/// each training volume.
void write_model(const std::filesystem::path& file, const SavedModel& saved);

/// The content of a model file, or, `compact`, of a journal's record: a kernel's support vectors in less space.
SafeTensors content_of(const SavedModel& saved, bool compact = false);
SavedModel model_of(const SafeTensors& content);

/// The voxels that decision values are made from, a byte each on the box; empty: all. A model that reads none has some
/// voxels of its mask, by which samples can be told apart.
std::vector<std::uint8_t> voxels_read(const SavedModel& saved);

/// One value per sample, or one per sample and class, with those of a sample side by side.
template <class Real>
std::vector<double> decision_values(const SavedModel& saved, const Design<Real>& x);

/// From a model file, or a folder that holds one.
SavedModel read_model(const std::filesystem::path& file_or_folder);

}  // namespace sturm
