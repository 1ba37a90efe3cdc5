// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/bootstrap.h"

#include <algorithm>
#include <cmath>

#include "sturm/core/rng.h"
#include "sturm/eval/distributions.h"

namespace sturm {
namespace {

std::vector<double> known(std::span<const double> values) {
  std::vector<double> out;
  std::ranges::copy_if(values, std::back_inserter(out), [](double v) { return std::isfinite(v); });
  return out;
}

/// A sixth of the skewness of the values' influence: sum d^3 / (6 (sum d^2)^(3/2)), d = mean - value.
double acceleration(std::span<const double> left_out) {
  const std::vector<double> values = known(left_out);
  const double mean = mean_sd(values).mean;
  double squares = 0, cubes = 0;
  for (const double v : values) {
    squares += (mean - v) * (mean - v);
    cubes += (mean - v) * (mean - v) * (mean - v);
  }
  return squares > 0 ? cubes / (6 * std::pow(squares, 1.5)) : 0;
}

/// Between the two values on either side of the place, as far as it lies between them; the values are sorted.
double quantile(std::span<const double> sorted, double p) {
  const double place = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

std::optional<Interval> bca_interval(double observed, std::vector<double> draws, std::span<const double> left_out,
                                     double level) {
  const std::size_t all = draws.size(), units = left_out.size();
  std::erase_if(draws, [](double v) { return !std::isfinite(v); });
  if (!std::isfinite(observed) || units < 2 || draws.empty() || 10 * draws.size() < 9 * all) return {};
  std::ranges::sort(draws);
  if (draws.front() == draws.back()) return {};
  const double rounding = 1e-12 * std::max(1.0, std::abs(observed));  // equal scores, summed in another order
  const auto first = std::ranges::lower_bound(draws, observed - rounding),
             last = std::ranges::upper_bound(draws, observed + rounding);
  const auto count = static_cast<double>(draws.size());
  const double below = (static_cast<double>(first - draws.begin()) + 0.5 * static_cast<double>(last - first)) / count;
  const double bias = normal_quantile(std::clamp(below, 0.5 / count, 1 - 0.5 / count));
  const double a = acceleration(left_out), n = static_cast<double>(units);
  const double wide = std::sqrt(n / (n - 1)) * student_t_quantile(0.5 * (1 + level), n - 1);
  const auto end = [&](double z) {
    const double shifted = bias + z, bent = 1 - a * shifted;
    return quantile(draws, bent > 0 ? normal_cdf(bias + shifted / bent) : shifted > 0 ? 1 : 0);
  };
  const double low = end(-wide), high = end(wide);
  return Interval{std::min(low, high), std::max(low, high)};
}

std::vector<std::optional<Interval>> bootstrap_intervals(Index units, Index count, const UnitStatistics& statistics,
                                                         const BootstrapOptions& options) {
  std::vector<std::optional<Interval>> out(static_cast<std::size_t>(count));
  if (units < 2) return out;
  std::vector<double> times(static_cast<std::size_t>(units), 1), values(static_cast<std::size_t>(count));
  statistics(times, values);
  const std::vector<double> observed = values;
  using Lists = std::vector<std::vector<double>>;
  Lists draws(static_cast<std::size_t>(count)), left_out(static_cast<std::size_t>(count));
  const auto keep = [&](Lists& lists) {
    statistics(times, values);
    for (std::size_t s = 0; s < lists.size(); ++s) lists[s].push_back(values[s]);
  };
  for (double& time : times) {
    time = 0;
    keep(left_out);
    time = 1;
  }
  Rng rng(options.seed, stream_of("bootstrap"));
  for (Index draw = 0; draw < options.draws; ++draw) {
    std::ranges::fill(times, 0);
    for (Index u = 0; u < units; ++u) ++times[rng.below(static_cast<std::uint64_t>(units))];
    keep(draws);
  }
  for (std::size_t s = 0; s < out.size(); ++s)
    out[s] = bca_interval(observed[s], std::move(draws[s]), left_out[s], options.level);
  return out;
}

}  // namespace sturm
