// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/distributions.h"

#include <cmath>
#include <stdexcept>

#include "sturm/eval/scores.h"

namespace sturm {
namespace {

/// The place at which an increasing function reaches p, by halving until no double lies between.
template <class Function>
double inverse(const Function& f, double p) {
  if (!(p > 0 && p < 1)) throw std::logic_error("quantile: the probability lies between 0 and 1");
  double low = -1, high = 1;
  while (f(low) > p) low *= 2;
  while (f(high) < p) high *= 2;
  for (;;) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) return middle;
    (f(middle) < p ? low : high) = middle;
  }
}

}  // namespace

double normal_cdf(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

double normal_quantile(double p) { return inverse(normal_cdf, p); }

double student_t_cdf(double t, double freedom) {
  if (!(freedom > 0)) throw std::logic_error("student_t_cdf: needs degrees of freedom above 0");
  // P(|T| > |t|) = I_x(freedom/2, 1/2) with x = freedom / (freedom + t^2)
  const double tail = 0.5 * incomplete_beta(0.5 * freedom, 0.5, freedom / (freedom + t * t));
  return t < 0 ? tail : 1 - tail;
}

double student_t_quantile(double p, double freedom) {
  return inverse([freedom](double t) { return student_t_cdf(t, freedom); }, p);
}

}  // namespace sturm
