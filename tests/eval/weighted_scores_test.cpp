// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/weighted_scores.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sturm/core/rng.h"

namespace sturm {
namespace {

using Values = std::vector<double>;

/// Samples as often as they count.
Values repeated(const Values& values, const Values& weight, std::size_t width) {
  Values out;
  for (std::size_t m = 0; m < weight.size(); ++m)
    for (int times = 0; times < static_cast<int>(weight[m]); ++times)
      out.insert(out.end(), values.begin() + static_cast<std::ptrdiff_t>(m * width),
                 values.begin() + static_cast<std::ptrdiff_t>((m + 1) * width));
  return out;
}

// Scores by weights are those of the samples written down as often as they count. 1e-12: sums of some hundred terms in
// another order.
void expect_same(bool classification, Index several) {
  Rng rng(3, static_cast<std::uint64_t>(several) + (classification ? 100U : 0U));
  const std::size_t samples = 40, width = several > 0 ? static_cast<std::size_t>(several) : 1;
  for (int draw = 0; draw < 30; ++draw) {
    Values actual, decision, weight;
    for (std::size_t m = 0; m < samples; ++m) {
      actual.push_back(!classification     ? rng.normal()
                       : several > 0       ? static_cast<double>(rng.below(static_cast<std::uint64_t>(several)))
                       : rng.below(2) != 0 ? 1
                                           : -1);
      // Few different values, so that many are equal, and some are 0.
      for (std::size_t c = 0; c < width; ++c) decision.push_back(0.25 * std::round(4 * rng.normal()));
      weight.push_back(static_cast<double>(rng.below(4)));
    }
    const WeightedScores scores(measures_of(classification, several), actual, decision);
    Values got(scores.measures().size());
    scores.compute(weight, got);
    for (std::size_t i = 0; i < got.size(); ++i) {
      const MeasureFacts& facts = facts_of(scores.measures()[i]);
      const double wanted = facts.of(repeated(actual, weight, 1), repeated(decision, weight, width));
      EXPECT_NEAR(got[i], wanted, 1e-12 * std::max(1.0, std::abs(wanted))) << facts.key;
    }
  }
}

TEST(WeightedScores, AreThoseOfSamplesWrittenDownAsOften) {
  expect_same(true, 0);
  expect_same(true, 3);
  expect_same(false, 0);
}

TEST(WeightedScores, WhatIsNotDefinedIsNaN) {
  const Values actual = {1, 1, -1}, decision = {2, -1, 0.5};
  const WeightedScores scores({Measure::accuracy, Measure::auc, Measure::specificity, Measure::balanced_accuracy},
                              actual, decision);
  Values got(4);
  scores.compute(Values{1, 1, 0}, got);  // no negative sample is left
  EXPECT_EQ(got[0], 0.5);
  EXPECT_TRUE(std::isnan(got[1]) && std::isnan(got[2]));
  EXPECT_EQ(got[3], 0.5) << "over the classes that are there";
  scores.compute(Values{0, 0, 0}, got);
  for (const double value : got) EXPECT_TRUE(std::isnan(value));
  const WeightedScores r2({Measure::r2, Measure::correlation}, Values{5, 5, 7}, Values{4, 5, 6});
  Values of_constant(2);
  r2.compute(Values{1, 3, 0}, of_constant);
  EXPECT_TRUE(std::isnan(of_constant[0]) && std::isnan(of_constant[1])) << "the target does not vary";
  EXPECT_THROW(WeightedScores({Measure::auc}, Values{1, -1}, Values{1, 2, 3}), std::logic_error);
}

TEST(WeightedScores, ANaNAmongTheDecisionsLeavesNoAuc) {
  const Values decision = {1, std::numeric_limits<double>::quiet_NaN(), 0};
  const WeightedScores scores({Measure::auc, Measure::accuracy}, Values{1, 1, -1}, decision);
  Values got(2);
  scores.compute(Values{1, 1, 1}, got);
  EXPECT_TRUE(std::isnan(got[0]));
  EXPECT_NEAR(got[1], 1.0 / 3, 1e-15) << "0 counts as positive, NaN as nothing";
}

}  // namespace
}  // namespace sturm
