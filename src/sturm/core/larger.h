// SPDX-License-Identifier: BSD-3-Clause
// Maxima that a NaN cannot hide in.
#pragma once

#include <limits>

namespace sturm {

/// The larger of two, and NaN where one is: a proof must not pass over what is not a number.
inline double larger(double a, double b) { return b <= a ? a : b > a ? b : std::numeric_limits<double>::quiet_NaN(); }

}  // namespace sturm
