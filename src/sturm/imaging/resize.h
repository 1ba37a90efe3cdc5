// SPDX-License-Identifier: BSD-3-Clause
// Volumes on a coarser grid over the same box, and maps on the coarser grid brought back.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sturm/core/tensor.h"
#include "sturm/imaging/grid.h"

namespace sturm {

/// The extents times `factor`, rounded to the nearest whole number (a half goes up) and at least 1: 61x73x61 at 0.3 is
/// 18x22x18. Throws where the factor is not in (0, 1].
Shape resized_shape(const Shape& shape, double factor);

/// The grid of that many voxels that fills the same box in the world.
Grid resized_grid(const Grid& grid, const Shape& shape);

/// Resizing as a linear map R, axis by axis. An output voxel is the average of the input under a tent as wide as two
/// output voxels, so that what the coarse grid cannot carry is smoothed away and not folded back; weights sum to 1,
/// at the borders too. Along an axis that grows, it interpolates linearly.
class Resizer {
 public:
  Resizer(const Shape& from, const Shape& to);

  const Shape& from() const { return from_; }
  const Shape& to() const { return to_; }

  /// R in. Safe to call from many threads; allocates two volumes between the sizes.
  template <class Real>
  std::vector<Real> shrink(std::span<const Real> in) const;

  /// R' w: the map on the input grid with <R' w, x> = <w, R x> for every x, so that it predicts from volumes as they
  /// are what w predicts from resized ones. It is w interpolated linearly, times the ratio of the voxels' volumes.
  Tensor adjoint(const Tensor& w) const;

  /// Where one input voxel goes: the output voxels that it is a part of, and its weight in each. A column of R.
  struct Part {
    Index voxel = 0;
    double weight = 0;
  };
  std::vector<Part> parts_of(Index voxel) const;

 private:
  /// The input voxels under one output voxel: weights[0], weights[1], ... from voxel `first` on.
  struct Tent {
    Index first = 0;
    std::vector<double> weights;
  };
  static std::vector<Tent> tents(Index from, Index to);

  Shape from_, to_;
  std::array<std::vector<Tent>, 3> axes_;
  std::array<std::vector<std::vector<Part>>, 3> parts_;  ///< of each axis, by its input voxel
};

/// The voxels at least half of which lie in the mask; where a mask is so thin that there are none, those that it
/// touches.
std::vector<std::uint8_t> resize_mask(const Resizer& resizer, std::span<const std::uint8_t> mask);
/// The voxels that a mask touches.
std::vector<std::uint8_t> touched(const Resizer& resizer, std::span<const std::uint8_t> mask);

}  // namespace sturm
