// SPDX-License-Identifier: BSD-3-Clause
// Intervals by drawing units again, with replacement. A unit is what is independent of the others: a person with all of
// their volumes, or a sample where nobody has two. See docs/decisions/023-what-the-numbers-say.md.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "sturm/eval/scores.h"

namespace sturm {

struct BootstrapOptions {
  Index draws = 5000;
  double level = 0.95;
  std::uint64_t seed = 0;
};

/// Writes the statistics where unit u counts `times[u]` times; NaN where one is not defined.
using UnitStatistics = std::function<void(std::span<const double> times, std::span<double> values)>;

/// An interval for each of `count` statistics; none where there is but one unit, where draws do not differ, or where
/// more than a tenth of the draws does not define it. Same units, same seed: same interval.
std::vector<std::optional<Interval>> bootstrap_intervals(Index units, Index count, const UnitStatistics& statistics,
                                                         const BootstrapOptions& options);

/// The bias-corrected and accelerated interval (Efron 1987) of what was observed, from its values in draws and without
/// each unit in turn. Normal quantiles z give way to sqrt(n / (n - 1)) t_{n-1} (Hesterberg 2015): without that,
/// intervals of few units are too short. NaN are left out.
std::optional<Interval> bca_interval(double observed, std::vector<double> draws, std::span<const double> left_out,
                                     double level);

}  // namespace sturm
