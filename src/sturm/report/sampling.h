// SPDX-License-Identifier: BSD-3-Clause
// Looking values of a map up at places of the world: what slices and projections are drawn from.
#pragma once

#include <utility>

#include "sturm/report/brain_map.h"
#include "sturm/report/palette.h"

namespace sturm {

/// The values of a map at places of the world; 0 outside. The map must outlive it.
class Sampler {
 public:
  explicit Sampler(const BrainMap& map) : map_(map), to_voxel_(inverse(map.affine)) {}

  double nearest(const Point& place) const;
  double linear(const Point& place) const;

 private:
  double value(Index i, Index j, Index k) const;

  const BrainMap& map_;
  Affine to_voxel_;
};

/// A box in the world.
struct WorldBox {
  Point low{}, high{};
};

/// The box of the middles of the voxels with a value; of all voxels where none has one.
WorldBox box_of(const BrainMap& map);

/// How far a voxel reaches along each axis of the world.
Point reach_of(const Affine& affine);

/// The 2nd and the 98th percentile of the values that are not 0: the grey between black and white.
std::pair<double, double> window_of(const BrainMap& map);

/// The middle of a voxel by its number in the array.
Point middle_of(const BrainMap& map, Index voxel);

Colour mix(Colour a, Colour b, double part);

}  // namespace sturm
