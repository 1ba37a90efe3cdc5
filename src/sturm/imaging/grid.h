// SPDX-License-Identifier: BSD-3-Clause
// Where voxels lie in the world: the box of a volume and the map from voxel indices to millimetres.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "sturm/core/shape.h"

namespace sturm {

using Point = std::array<double, 3>;

/// world = R (i, j, k) + t, in millimetres; rows of [R | t]. The frame is NIfTI's: x to the right, y to the front, z
/// up.
struct Affine {
  std::array<std::array<double, 4>, 3> rows{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

  Point operator()(const Point& voxel) const;
  bool operator==(const Affine&) const = default;
};
Affine operator*(const Affine& a, const Affine& b);  ///< a after b
Affine inverse(const Affine& a);                     ///< throws where a is singular
double determinant(const Affine& a);                 ///< of R
bool singular(const Affine& a);                      ///< flat, or not finite: there is no way back to voxels

/// The lengths of the columns of R.
Point voxel_size(const Affine& a);
/// The direction in which each index grows, such as "RAS" or "LPI".
std::string orientation(const Affine& a);

struct Grid {
  Shape shape;
  Affine affine;
};

/// Whether two grids put every voxel at the same place, to within a small part of a voxel.
bool same_grid(const Grid& a, const Grid& b);

/// Index n of the target runs along index axis[n] of the source, backwards where flip[n].
struct Reorder {
  std::array<int, 3> axis{0, 1, 2};
  std::array<bool, 3> flip{};
  bool trivial() const { return axis == std::array{0, 1, 2} && flip == std::array{false, false, false}; }
};

/// How the voxels of `from` are put in the order of `to` without any interpolation; none where the voxels of the two
/// do not lie at the same places.
std::optional<Reorder> reorder(const Grid& from, const Grid& to);

/// The grid of the voxels of `from` put in that order.
Grid reordered(const Grid& from, const Reorder& how);

}  // namespace sturm
