// SPDX-License-Identifier: BSD-3-Clause
// tests/study/interval_coverage_test.cpp asks whether the intervals cover; here is whether they are what they say.
#include "sturm/eval/bootstrap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace sturm {
namespace {

using Values = std::vector<double>;

const Values y = {2.1, 3.5, 1.2, 8.9, 4.4, 2.2, 0.7, 5.1, 3.3, 9.9, 1.8, 2.6};

double mean(const Values& values, std::span<const double> times) {
  double sum = 0, all = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += times[i] * values[i];
    all += times[i];
  }
  return sum / all;
}

UnitStatistics mean_of(const Values& values) {
  return [&values](std::span<const double> times, std::span<double> out) { out[0] = mean(values, times); };
}

// scipy.stats.bootstrap((y,), np.mean, method="BCa") with 400,000 draws, at the level that belongs to
// sqrt(12/11) t_11: 0.97849. The quantile of 40,000 draws has a standard error of about sqrt(p (1 - p) / 40,000) /
// density = 5e-4 / 0.05 = 0.01; five of them.
TEST(Bootstrap, IsThatOfSciPyAtTheLevelOfStudentsT) {
  const auto found = bootstrap_intervals(12, 1, mean_of(y), {.draws = 40'000, .level = 0.95, .seed = 4});
  ASSERT_TRUE(found[0].has_value());
  EXPECT_NEAR(found[0]->low, 2.3833, 0.05);
  EXPECT_NEAR(found[0]->high, 6.2333, 0.05);
}

TEST(Bootstrap, HangsOnTheSeedAlone) {
  const BootstrapOptions options{.draws = 500, .seed = 4};
  const auto one = bootstrap_intervals(12, 1, mean_of(y), options),
             two = bootstrap_intervals(12, 1, mean_of(y), options);
  EXPECT_EQ(one[0]->low, two[0]->low);
  EXPECT_EQ(one[0]->high, two[0]->high);
  const auto other = bootstrap_intervals(12, 1, mean_of(y), {.draws = 500, .seed = 5});
  EXPECT_NE(one[0]->low, other[0]->low);
}

// A shift of all values shifts the interval, and a change of sign turns it round.
TEST(Bootstrap, GoesWithTheValues) {
  Values shifted = y, negative = y;
  for (double& v : shifted) v += 10;
  for (double& v : negative) v = -v;
  const BootstrapOptions options{.draws = 2000};
  const Interval a = *bootstrap_intervals(12, 1, mean_of(y), options)[0],
                 b = *bootstrap_intervals(12, 1, mean_of(shifted), options)[0],
                 c = *bootstrap_intervals(12, 1, mean_of(negative), options)[0];
  EXPECT_NEAR(b.low, a.low + 10, 1e-9);
  EXPECT_NEAR(b.high, a.high + 10, 1e-9);
  EXPECT_NEAR(c.low, -a.high, 1e-9);
  EXPECT_NEAR(c.high, -a.low, 1e-9);
}

TEST(Bootstrap, NoIntervalWithoutSpreadOrUnits) {
  const Values same(5, 3.0), one(1, 3.0);
  EXPECT_FALSE(bootstrap_intervals(5, 1, mean_of(same), {})[0]);
  EXPECT_FALSE(bootstrap_intervals(1, 1, mean_of(one), {})[0]);
}

TEST(Bootstrap, DrawsThatDefineNothingAreFew) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Values draws(100);
  for (std::size_t i = 0; i < draws.size(); ++i) draws[i] = static_cast<double>(i);
  const Values left_out = {49, 50, 51};
  for (std::size_t i = 0; i < 10; ++i) draws[i] = nan;
  EXPECT_TRUE(bca_interval(50, draws, left_out, 0.95));
  draws[10] = nan;
  EXPECT_FALSE(bca_interval(50, draws, left_out, 0.95));
  EXPECT_FALSE(bca_interval(nan, Values{1, 2, 3}, left_out, 0.95));
}

}  // namespace
}  // namespace sturm
