// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/paired_tests.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sturm/core/rng.h"
#include "sturm/eval/distributions.h"
#include "sturm/eval/scores.h"

namespace sturm {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// Sums above this are not tabulated.
constexpr double most_sum = 20'000;
/// So many differences have few enough signs to try them all.
constexpr std::size_t most_tried = 14;
constexpr Index drawn = 9'999;

/// P(|2 T - S| >= observed), T being the sum of the numbers with a plus, S that of all: the distribution of T is made
/// one number after another.
double of_whole_numbers(std::span<const double> sizes, double observed) {
  const auto all = static_cast<std::size_t>(std::reduce(sizes.begin(), sizes.end(), 0.0));
  std::vector<double> chance(all + 1, 0);
  chance[0] = 1;
  std::size_t reached = 0;
  for (const double size : sizes) {
    const auto step = static_cast<std::size_t>(size);
    reached += step;
    for (std::size_t t = reached + 1; t-- > 0;) chance[t] = 0.5 * chance[t] + (t >= step ? 0.5 * chance[t - step] : 0);
  }
  double p = 0;
  for (std::size_t t = 0; t <= all; ++t)
    if (std::abs(2 * static_cast<double>(t) - static_cast<double>(all)) >= observed) p += chance[t];
  return std::min(1.0, p);
}

}  // namespace

double mcnemar_p(Index first_alone, Index second_alone) {
  const Index all = first_alone + second_alone;
  if (all == 0) return 1;
  return std::min(1.0, 2 * binomial_p(std::max(first_alone, second_alone), all, 0.5));
}

double sign_flip_p(std::span<const double> differences, std::uint64_t seed) {
  std::vector<double> sizes;
  double sum = 0, all = 0;
  for (const double d : differences) {
    if (std::isnan(d)) return no_number;
    sum += d;
    all += std::abs(d);
    if (d != 0) sizes.push_back(std::abs(d));
  }
  if (sizes.empty()) return 1;
  const double reach = std::abs(sum) - 1e-12 * all;  // equal sums, added in another order
  const auto whole = [](double d) { return d == std::floor(d); };
  if (std::ranges::all_of(sizes, whole) && all <= most_sum) return of_whole_numbers(sizes, std::abs(sum));
  Index reached = 0;
  if (sizes.size() <= most_tried) {
    const std::uint64_t ways = std::uint64_t{1} << sizes.size();
    for (std::uint64_t signs = 0; signs < ways; ++signs) {
      double flipped = 0;
      for (std::size_t i = 0; i < sizes.size(); ++i) flipped += (signs >> i & 1U) != 0 ? -sizes[i] : sizes[i];
      reached += std::abs(flipped) >= reach;
    }
    return static_cast<double>(reached) / static_cast<double>(ways);
  }
  Rng rng(seed, stream_of("signs"));
  for (Index draw = 0; draw < drawn; ++draw) {
    double flipped = 0;
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (i % 64 == 0) bits = rng.bits();
      flipped += (bits & 1U) != 0 ? -sizes[i] : sizes[i];
      bits >>= 1U;
    }
    reached += std::abs(flipped) >= reach;
  }
  return static_cast<double>(reached + 1) / static_cast<double>(drawn + 1);
}

TTest corrected_resampled_t(std::span<const double> differences, double test_over_train) {
  const MeanSd over = mean_sd(differences);
  if (over.count < 2 || !std::isfinite(test_over_train)) return {no_number, no_number};
  const auto folds = static_cast<double>(over.count);
  const double error = over.sd * std::sqrt(1 / folds + test_over_train);
  // Equal differences keep the rounding of their mean.
  if (error <= 1e-12 * std::abs(over.mean) || error == 0)
    return over.mean == 0 ? TTest{0, 1} : TTest{no_number, no_number};
  const double t = over.mean / error;
  return {t, 2 * student_t_cdf(-std::abs(t), folds - 1)};
}

std::vector<double> holm(std::span<const double> p) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < p.size(); ++i)
    if (!std::isnan(p[i])) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return p[i]; });
  std::vector<double> out(p.size(), no_number);
  double largest = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    largest = std::max(largest, static_cast<double>(order.size() - rank) * p[order[rank]]);
    out[order[rank]] = std::min(1.0, largest);
  }
  return out;
}

}  // namespace sturm
