// SPDX-License-Identifier: BSD-3-Clause
// A box of 24 voxels, and a mask for any.
#pragma once

#include <cstdint>
#include <vector>

#include "sturm/core/shape.h"

namespace sturm::test {

inline const Shape box{4, 3, 2};

/// Every third voxel, among them neither the first nor the last.
inline std::vector<std::uint8_t> thirds(const Shape& shape) {
  std::vector<std::uint8_t> out(shape.size());
  for (Index v = 1; v < shape.size(); v += 3) out[v] = 7;  // any byte but 0
  return out;
}

}  // namespace sturm::test
