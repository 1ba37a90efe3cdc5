// SPDX-License-Identifier: BSD-3-Clause
// Nuclear norms through Gram matrices as bounds.
#pragma once

#include "sturm/linalg/backend.h"

namespace sturm {

/// The eigenvalues of a Gram matrix in double give the largest singular value with all its digits, but the sum may be
/// short by what a square root makes of rounding: 2e-8 of the largest for every value, which is added here.
inline double nuclear_bound(const linalg::Shrunk& found, Index values) {
  return found.nuclear + 2e-8 * static_cast<double>(values) * found.largest;
}

}  // namespace sturm
