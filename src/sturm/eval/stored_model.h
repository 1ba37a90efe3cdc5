// SPDX-License-Identifier: BSD-3-Clause
// A fitted model as its file holds it, and what it says of raw volumes: the one way by which predictions are made, so
// that a file gives the digits that were noted when it was made.
#pragma once

#include "sturm/eval/confounds.h"
#include "sturm/models/files/model_file.h"

namespace sturm {

/// The same model with coefficients in single precision, as maps have them.
Model<double> with_short_coefficients(const Model<double>& model);

/// The parts as one model of volumes of a shape. A single map may need less than it was fitted with: the mean label is
/// not normalised, and a mask of every voxel is none.
SavedModel put_together(std::vector<SavedPart> parts, const Shape& shape, Normalize normalize,
                        std::vector<std::uint8_t> mask);

/// One decision value per sample; of several classes one each, a sample's side by side. `confounds`, one row per
/// sample, are looked at where the model takes some out. The design has the voxels that are read at least.
template <class Real>
std::vector<double> decisions_of(const SavedModel& saved, const Design<Real>& raw, const Confounds& confounds);

}  // namespace sturm
