// SPDX-License-Identifier: BSD-3-Clause
// What the penalties share: nuclear norms through Gram matrices as bounds, and the size of a batch.
#pragma once

#include "sturm/penalty/penalty.h"

namespace sturm {

/// The eigenvalues of a Gram matrix in double give the largest singular value with all its digits, but the sum may be
/// short by what a square root makes of rounding: 2e-8 of the largest for every value, which is added here.
inline double nuclear_bound(const linalg::Shrunk& found, Index values) {
  return found.nuclear + 2e-8 * static_cast<double>(values) * found.largest;
}

inline void require_batch(const Penalty& penalty, int term, Index numbers, Index count) {
  if (numbers != count * penalty.size(term))
    throw Error("a batch of " + std::to_string(count) + " copies of " + to_string(penalty.layout(term).shape) +
                " needs " + std::to_string(count * penalty.size(term)) + " numbers, not " + std::to_string(numbers));
}

}  // namespace sturm
