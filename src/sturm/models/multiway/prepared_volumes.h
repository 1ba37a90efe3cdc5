// SPDX-License-Identifier: BSD-3-Clause
// What methods that look at volumes one by one, or at pieces of them, share: checks, and normalisation as in
// linear_model.h, learnt from the samples of a task alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sturm/models/method.h"

namespace sturm {

/// Throws where sizes do not fit, a label that counts is not finite, a weight is negative, or none is positive.
template <class Real>
void require_task(const FitData<Real>& data, const FitTask& task, std::size_t settings);

/// What is learnt for Normalize::voxel: the mean and 1 / deviation of every voxel of the region over the samples that
/// count; 0 for a constant one. Empty for the other ways.
struct VoxelScale {
  std::vector<double> mean, inverse;
};
template <class Real>
VoxelScale voxel_scale_of(const FitData<Real>& data, const Design<Real>& prepared, std::span<const double> weights);

/// One volume of a design as by prepared() of preparation.h, in double: zero outside the region, voxels on their scale.
template <class Real>
Tensor volume_of(const Design<Real>& prepared, Index sample, const VoxelScale& scale);

}  // namespace sturm
