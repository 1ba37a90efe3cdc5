// SPDX-License-Identifier: BSD-3-Clause
// Shapes and regions that the tests of penalties go through.
#pragma once

#include "sturm/core/region.h"

namespace sturm::test {

inline const std::vector<Shape> shapes = {{6, 4, 5}, {4, 6, 8}, {5, 3, 1}, {1, 7, 3}, {2, 1, 4}, {1, 1, 1}};

/// The whole box; scattered voxels that leave rows, columns and slices empty; one voxel.
inline std::vector<Region> regions(const Shape& shape) {
  std::vector<std::uint8_t> scattered(shape.size()), one(shape.size());
  for (Index v = 0; v < shape.size(); ++v)
    scattered[v] = v % shape.n1 != 1 && v / shape.n1 % shape.n2 != 2 && v / shape.slice() != 1 && v % 7 != 3;
  one[shape.size() / 2] = 1;
  return {shape, Region(shape, scattered), Region(shape, one)};
}

}  // namespace sturm::test
