// SPDX-License-Identifier: BSD-3-Clause
// Between the grid of a study's volumes and that of a model's coefficients.
#pragma once

#include "sturm/app/input.h"
#include "sturm/models/files/model_file.h"

namespace sturm {

/// A space in plain numbers, for the model file, and back. A mask on the grid is kept where the model's own mask lies
/// on another, coarser one.
ModelGrid to_model_grid(const Space& space, const Shape& coef);
Space to_space(const SavedModel& saved);

/// The coefficients on the grid of the volumes: their product with a volume is that of `coef` with the resized one.
Tensor coef_on_grid(const Tensor& coef, const Space& space);

/// A forward pattern on the grid of the volumes: each voxel has the value of the coarse voxel that holds its middle. It
/// is a property of a place, where coefficients are shared out.
Tensor pattern_on_grid(const Tensor& pattern, const Space& space);

}  // namespace sturm
