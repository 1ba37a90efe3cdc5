// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/shape.h"

#include "sturm/core/error.h"

namespace sturm {

Index checked_product(Index a, Index b) {
  Index out = 0;
  if (a < 0 || b < 0 || __builtin_mul_overflow(a, b, &out))
    throw Error("a size of " + std::to_string(a) + " times " + std::to_string(b) + " elements does not fit in memory");
  return out;
}

const Shape& Shape::check() const {
  if (n1 < 1 || n2 < 1 || n3 < 1)
    throw Error("a tensor of shape " + to_string(*this) + " is empty: every extent must be at least 1");
  checked_product(checked_product(checked_product(n1, n2), n3), static_cast<Index>(sizeof(double)));
  return *this;
}

std::string to_string(const Shape& s) {
  return std::to_string(s.n1) + "x" + std::to_string(s.n2) + "x" + std::to_string(s.n3);
}

}  // namespace sturm
