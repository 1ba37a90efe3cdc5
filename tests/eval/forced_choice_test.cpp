// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/forced_choice.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "sturm/core/rng.h"

namespace sturm {
namespace {

using Values = std::vector<double>;

/// Groups g0, g1, ... with one sample of each class, classes in turn.
SampleKeys keys_of(Index groups, Index classes) {
  SampleKeys out;
  out.classification = true;
  out.several = classes > 2 ? classes : 0;
  for (Index g = 0; g < groups; ++g)
    for (Index c = 0; c < classes; ++c) {
      out.ids.push_back("s" + std::to_string(100 + g) + std::to_string(c));
      out.groups.push_back("g" + std::to_string(100 + g));
      out.y.push_back(classes > 2 ? static_cast<double>(c) : 2 * static_cast<double>(c) - 1);
    }
  return out;
}

TEST(ForcedChoice, NeedsOneSampleOfEachClassInEveryGroup) {
  EXPECT_TRUE(has_forced_choice(keys_of(3, 2)));
  EXPECT_TRUE(has_forced_choice(keys_of(3, 4)));
  EXPECT_FALSE(has_forced_choice(keys_of(1, 2))) << "one group";
  SampleKeys keys = keys_of(3, 2);
  keys.y[0] = 1;
  EXPECT_FALSE(has_forced_choice(keys)) << "two of one class";
  keys = keys_of(3, 2);
  keys.groups[0] = "another";
  EXPECT_FALSE(has_forced_choice(keys)) << "a group of one sample";
  keys = keys_of(3, 2);
  keys.groups.clear();
  EXPECT_FALSE(has_forced_choice(keys));
  keys = keys_of(3, 2);
  keys.classification = false;
  EXPECT_FALSE(has_forced_choice(keys));
}

// Decision values with a shift for each group: accuracy is 1/2, and every pair is told right. Equal values are half.
TEST(ForcedChoice, NoThresholdIsNeeded) {
  const SampleKeys keys = keys_of(4, 2);
  const Values decision = {5, 6, -9, -8, 3, 3, 1, 0.5};
  EXPECT_EQ(forced_choices(keys, rows_of_groups(keys), decision), (Values{1, 1, 0.5, 0}));
  // One-sided sign test over the three that are no ties: P(at least 2 of 3).
  EXPECT_NEAR(forced_choice_p(keys, rows_of_groups(keys), decision, 0), 0.5, 1e-12);
  const Values right = {-1, 1, -1, 1, -1, 1, -1, 1}, equal(8, 2.0);
  EXPECT_NEAR(forced_choice_p(keys, rows_of_groups(keys), right, 0), 1.0 / 16, 1e-12);
  EXPECT_EQ(forced_choice_p(keys, rows_of_groups(keys), equal, 0), 1) << "ties alone say nothing";
}

// Each end gives what was observed a mid-P of 2.5 %, which is checked here with binomial_p; and it lies inside the
// interval of Clopper and Pearson. Of n right in n the lower end is 0.05^(1/n).
TEST(ForcedChoice, TheIntervalCountsWhatWasObservedHalf) {
  for (const Index groups : {3, 18, 48})
    for (Index right = 0; right <= groups; ++right) {
      const Interval interval = mid_p_interval(right, groups), exact = share_interval(right, groups);
      const auto tail = [&](double p) {
        return 0.5 * (binomial_p(right, groups, p) + (right < groups ? binomial_p(right + 1, groups, p) : 0));
      };
      if (right > 0) {
        EXPECT_NEAR(tail(interval.low), 0.025, 1e-12) << right << " of " << groups;
      }
      if (right < groups) {
        EXPECT_NEAR(tail(interval.high), 0.975, 1e-12) << right << " of " << groups;
      }
      EXPECT_GE(interval.low, exact.low);
      EXPECT_LE(interval.high, exact.high);
    }
  EXPECT_NEAR(mid_p_interval(48, 48).low, std::pow(0.05, 1.0 / 48), 1e-12);
  EXPECT_EQ(mid_p_interval(48, 48).high, 1);
  EXPECT_THROW(mid_p_interval(5, 4), std::logic_error);
}

// The order of the rows does not matter.
TEST(ForcedChoice, GoesByTheLabels) {
  SampleKeys keys = keys_of(2, 2);
  std::swap(keys.y[0], keys.y[1]);
  EXPECT_EQ(forced_choices(keys, rows_of_groups(keys), Values{2, 1, 1, 2}), (Values{1, 1}));
}

// Two classes with a decision value each, one the other's negative, are the two classes with one value.
TEST(ForcedChoice, OfSeveralClassesIsThatOfTheirPairs) {
  const SampleKeys three = keys_of(2, 3);
  // Each sample: its own class has the largest value, but in the second group the first two are taken for each other.
  const Values decision = {1, 0, 0, 0, 1, 0, 0, 0, 1, /**/ 0, 1, 0, 1, 0, 0, 0, 0, 1};
  const Values told = forced_choices(three, rows_of_groups(three), decision);
  EXPECT_EQ(told[0], 1);
  // Pair (0, 1): 0 + 0 against 1 + 1. Pairs (0, 2), (1, 2): 0 + 1 against 0 + 0.
  EXPECT_NEAR(told[1], 2.0 / 3, 1e-15);
  EXPECT_EQ(forced_choices(three, rows_of_groups(three), Values(18, 0.25)), (Values{0.5, 0.5})) << "ties";
}

// Under guessing a half is told right whatever the number of classes, and p is uniform: of 40 p a quarter is at most
// 0.25, give or take five standard errors.
TEST(ForcedChoice, GuessingReachesAHalf) {
  const SampleKeys keys = keys_of(8, 4);
  Rng rng(5);
  double sum = 0;
  int small = 0;
  for (int study = 0; study < 200; ++study) {
    Values decision(static_cast<std::size_t>(8 * 4 * 4));
    for (double& d : decision) d = rng.normal();
    for (const double share : forced_choices(keys, rows_of_groups(keys), decision)) sum += share / (200 * 8);
    if (study < 40) small += forced_choice_p(keys, rows_of_groups(keys), decision, 1) <= 0.25;
  }
  EXPECT_NEAR(sum, 0.5, 5 * 0.25 / std::sqrt(1600.0));  // a share of four classes varies by less than 0.25
  EXPECT_NEAR(small, 10, 5 * std::sqrt(40 * 0.25 * 0.75));
}

}  // namespace
}  // namespace sturm
