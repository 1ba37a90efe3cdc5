// SPDX-License-Identifier: BSD-3-Clause
// Samples as kernel methods see them: inner products and distances, straight from the design and without a copy of it.
//     z_iv = scale_v (x_iv - mean_i) inverse_i      over the voxels of a VoxelSpace
// mean_i and inverse_i are those of `--normalize sample` (0 and 1 otherwise), scale_v that of `--normalize voxel`.
#pragma once

#include <span>
#include <vector>

#include "sturm/core/design.h"
#include "sturm/models/training_statistics.h"
#include "sturm/models/voxel_space.h"

namespace sturm {

/// The same space with only these of its voxels; `kept` holds rising positions in space.voxels.
VoxelSpace restricted(const VoxelSpace& space, std::span<const std::size_t> kept);

/// How exact the products of a Gram matrix are: eight bits, where that is faster and the design is in single precision,
/// otherwise as the design; as the design; in double.
enum class Digits : std::uint8_t { few, plain, twice };

/// Z Z', M x M in double, with the mean sample, but for rounding, taken away first: Euclidean distances, and the
/// separating planes with an intercept, do not depend on it, but rounding does. A fold's Gram matrix is a sub-block.
/// From a design in single precision what counts of it (the same after exact centring) is off by some 1e-7 of the
/// diagonal, and by some 1e-5 with few digits. Throws where voxels are not finite numbers.
template <class Real>
std::vector<double> gram(const Design<Real>& x, const SampleStatistics& samples, const VoxelSpace& space,
                         Digits digits = Digits::plain);

/// |z_i - z_j|^2 from a Gram matrix.
std::vector<double> squared_distances(std::span<const double> gram, Index samples);

/// |z_i - z_r|^2 between every sample of x and the listed rows of another design; x.samples() numbers per row.
template <class Real>
std::vector<double> squared_distances(const Design<Real>& x, const Design<Real>& other, std::span<const Index> rows,
                                      const VoxelSpace& space);

/// W with <W, z~> = sum_i beta_i <z_i, z> on volumes normalised by sample alone (scale folded in), where sum beta = 0;
/// and <W, z~> of one sample of the design. Sums are in double whatever the design.
struct WeightedSum {
  std::vector<double> coef;  ///< one per column of the design
  double of_reference = 0;
  std::vector<double> values;  ///< <W, z~> of every sample, less that of the one
  double square = 0;           ///< beta'Z Z'beta
};
template <class Real>
WeightedSum weighted_sum(const Design<Real>& x, const SampleStatistics& samples, const VoxelSpace& space,
                         std::span<const double> beta);

}  // namespace sturm
