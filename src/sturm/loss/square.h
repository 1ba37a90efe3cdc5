// SPDX-License-Identifier: BSD-3-Clause
// What the square loss has in closed form.
#pragma once

namespace sturm {

/// The largest value of s a - s^2 b / 2 over 0 <= s <= most (a = y'theta, b = |theta|^2).
double best_square_dual(double a, double b, double most);

}  // namespace sturm
