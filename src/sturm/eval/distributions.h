// SPDX-License-Identifier: BSD-3-Clause
// The normal distribution and Student's t, for intervals and tests.
#pragma once

namespace sturm {

double normal_cdf(double z);
/// The z with normal_cdf(z) = p, for p between 0 and 1.
double normal_quantile(double p);

/// P(T <= t) with `freedom` > 0 degrees of freedom.
double student_t_cdf(double t, double freedom);
double student_t_quantile(double p, double freedom);

}  // namespace sturm
