// SPDX-License-Identifier: BSD-3-Clause
// What every method learns from the samples of a training set before its coefficients, computed in one place: means and
// deviations of voxels over the samples that count, and of samples over their voxels.
#pragma once

#include <span>
#include <vector>

#include "sturm/core/design.h"

namespace sturm {

/// What varies by less than this, relative to its largest value, is constant but for rounding.
inline constexpr double constant_below = 1e-6;

/// One weight per sample: all 1 where none is given. Throws where there are not as many as samples.
std::vector<double> training_weights(std::span<const double> given, Index samples);

/// Of every sample over its voxels: its mean, and 1 / its norm after the mean is gone; 0 for a constant volume.
struct SampleStatistics {
  std::vector<double> mean, inverse;
};
template <class Real>
SampleStatistics sample_statistics(const Design<Real>& x);

/// Of voxels over the samples of positive weight. The deviation of a constant voxel is 0, and what is not a finite
/// number leaves a NaN.
struct VoxelStatistics {
  std::vector<double> mean, deviation;
};
template <class Real>
VoxelStatistics voxel_statistics(const Design<Real>& x, std::span<const Index> columns,
                                 std::span<const double> weights);
/// Of every column of the design.
template <class Real>
VoxelStatistics voxel_statistics(const Design<Real>& x, std::span<const double> weights);

/// 1 / deviation; 0 where that is 0 or not a number.
double inverse_deviation(double deviation);

}  // namespace sturm
