// SPDX-License-Identifier: BSD-3-Clause
// The part of scores.h that asks how much may be luck.
#include <math.h>  // NOLINT(modernize-deprecated-headers): lgamma_r() is POSIX's

#include <cmath>
#include <limits>
#include <stdexcept>

#include "sturm/eval/scores.h"

namespace sturm {
namespace {

/// lgamma() writes a global sign, which threads must not share.
double log_gamma(double a) {
  int sign = 0;
  return ::lgamma_r(a, &sign);
}

/// The continued fraction of I_x(a, b) (DLMF 8.17.22), from its front (Lentz). It converges fast for
/// x < (a + 1)/(a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double tiny = std::numeric_limits<double>::min() * 1e10, enough = 1e-16;
  const auto away_from_zero = [](double v) { return std::abs(v) < tiny ? tiny : v; };
  double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), value = d;
  for (double m = 1; m < 100000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away_from_zero(1 + even * d);
    c = away_from_zero(1 + even / c);
    value *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away_from_zero(1 + odd * d);
    c = away_from_zero(1 + odd / c);
    value *= d * c;
    if (std::abs(d * c - 1) < enough) break;
  }
  return value;
}

/// The x with I_x(a, b) = p, by halving until no double lies between.
double beta_quantile(double a, double b, double p) {
  double low = 0, high = 1;
  for (;;) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) return middle;
    (incomplete_beta(a, b, middle) < p ? low : high) = middle;
  }
}

void check_counts(Index successes, Index trials) {
  if (trials < 1 || successes < 0 || successes > trials)
    throw std::logic_error("binomial: successes must lie between 0 and a positive number of trials");
}

}  // namespace

double incomplete_beta(double a, double b, double x) {
  if (!(a > 0 && b > 0 && x >= 0 && x <= 1)) throw std::logic_error("incomplete_beta: needs a, b > 0 and x in [0, 1]");
  if (x == 0 || x == 1) return x;
  const double front = std::exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * std::log(x) + b * std::log1p(-x));
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

Interval share_interval(Index successes, Index trials, double level) {
  check_counts(successes, trials);
  if (!(level > 0 && level < 1)) throw std::logic_error("share_interval: the level lies between 0 and 1");
  const double tail = 0.5 * (1 - level), s = static_cast<double>(successes),
               f = static_cast<double>(trials - successes);
  return {successes == 0 ? 0 : beta_quantile(s, f + 1, tail),
          successes == trials ? 1 : beta_quantile(s + 1, f, 1 - tail)};
}

double binomial_p(Index successes, Index trials, double chance) {
  check_counts(successes, trials);
  if (!(chance >= 0 && chance <= 1)) throw std::logic_error("binomial_p: chance lies between 0 and 1");
  if (successes == 0) return 1;
  return incomplete_beta(static_cast<double>(successes), static_cast<double>(trials - successes + 1), chance);
}

}  // namespace sturm
