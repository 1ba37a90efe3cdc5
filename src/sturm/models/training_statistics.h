// SPDX-License-Identifier: BSD-3-Clause
// What every method learns from the samples of a training set before its coefficients, computed in one place: means and
// deviations of voxels over the samples that count, and of samples over their voxels.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sturm/core/design.h"
#include "sturm/models/normalize.h"

namespace sturm {

/// What varies by less than this, relative to its largest value, is constant but for rounding.
inline constexpr double constant_below = 1e-6;

/// One weight per sample: all 1 where none is given. Throws where there are not as many as samples.
std::vector<double> training_weights(std::span<const double> given, Index samples);

/// Of every sample over its voxels: its mean, and 1 / its norm after the mean is gone; 0 for a constant volume. Both
/// are empty where samples are taken as they are, by any normalisation but `sample`.
struct SampleStatistics {
  std::vector<double> mean, inverse;
};
template <class Real>
SampleStatistics sample_statistics(const Design<Real>& x, Normalize normalize);

/// The values of one voxel over the samples, each less the mean of its sample and times the inverse; returns their sum.
template <class Real>
double scaled_samples(const Design<Real>& x, const SampleStatistics& samples, Index voxel, double* out);

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

/// The way from raw voxels to those of mean 0 and deviation 1: mean, and 1 / deviation, which is 0 for a constant one.
/// Empty: voxels are taken as they are.
struct VoxelScale {
  std::vector<double> mean, inverse;
};

/// 1 / deviation; 0 where that is 0 or not a number.
double inverse_deviation(double deviation);

/// For every voxel, whether it has one value, other than 0, over the samples of positive weight: centred it is 0, which
/// differences of rounded sums would miss. Empty where no voxel has.
template <class Real>
std::vector<std::uint8_t> constant_voxels(const Design<Real>& x, std::span<const double> weights);

}  // namespace sturm
