// SPDX-License-Identifier: BSD-3-Clause
// The extents of a third-order tensor.
#pragma once

#include <cstdint>
#include <string>

namespace sturm {

using Index = std::int64_t;

/// I1 x I2 x I3. Extents are at least 1 and their product fits an Index: check() throws otherwise, and
/// every Tensor calls it, so that code behind a Tensor never meets an empty or overflowing one.
struct Shape {
  Index n1 = 1, n2 = 1, n3 = 1;

  Index slice() const { return n1 * n2; }  ///< elements of a frontal slice
  Index size() const { return n1 * n2 * n3; }
  const Shape& check() const;
  bool operator==(const Shape&) const = default;
};

std::string to_string(const Shape& s);  ///< "27x32x23"

/// a * b for sizes taken from files or users; throws Error where it does not fit.
Index checked_product(Index a, Index b);

}  // namespace sturm
