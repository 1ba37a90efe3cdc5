// SPDX-License-Identifier: BSD-3-Clause
// What methods that look at volumes one by one, or at pieces of them, share: checks, and normalisation as in
// sturm_model.h, learnt from the samples of a task alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sturm/models/method.h"

namespace sturm {

/// Throws where sizes do not fit, a label that counts is not finite, a weight is negative, or none is positive.
template <class Real>
void require_task(const FitData<Real>& data, const FitTask& task, std::size_t settings);

/// The weights of a task, all 1 where it has none.
std::vector<double> weights_of(const FitTask& task, Index samples);

/// Finite everywhere: throws where a voxel inside the mask is not, and clears those outside. With Normalize::sample
/// every volume has mean 0 and norm 1 over the mask (a constant one becomes 0). The design itself where that is so.
template <class Real>
Design<Real> prepared_design(const Design<Real>& x, std::span<const std::uint8_t> mask, Normalize normalize);

/// What is learnt for Normalize::voxel: the mean and 1 / deviation of every voxel over the samples that count; 0 for a
/// constant one. Empty for the other ways.
struct VoxelScale {
  std::vector<double> mean, inverse;
};
template <class Real>
VoxelScale voxel_scale_of(const FitData<Real>& data, const Design<Real>& prepared, std::span<const double> weights);

/// One volume of a prepared design in double: zero outside the mask, voxels on their scale.
template <class Real>
Tensor volume_of(const Design<Real>& prepared, Index sample, std::span<const std::uint8_t> mask,
                 const VoxelScale& scale);

}  // namespace sturm
