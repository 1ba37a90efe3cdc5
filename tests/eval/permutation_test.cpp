// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/permutation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "eval/keys.h"

namespace sturm {
namespace {

using Values = std::vector<double>;

SampleKeys keys_of(const std::vector<std::string>& groups, const Values& y) {
  SampleKeys keys;
  for (std::size_t m = 0; m < y.size(); ++m) keys.ids.push_back("s" + std::to_string(m));
  keys.groups = groups;
  keys.y = y;
  return keys;
}

Values sorted(Values values) {
  std::ranges::sort(values);
  return values;
}

TEST(Permutation, WithoutGroupsKeepsTheTargets) {
  Rng rng(1);
  const SampleKeys keys = test::random_keys(30, 0, 0, rng);
  EXPECT_EQ(exchangeability(keys).exchange, Exchange::samples);
  std::set<Values> seen;
  for (Index n = 0; n < 50; ++n) {
    seen.insert(permuted_targets(keys, Exchange::samples, 4, n));
    EXPECT_EQ(sorted(*seen.rbegin()), sorted(keys.y));
  }
  EXPECT_EQ(seen.size(), 50U) << "each number has its own order";
  EXPECT_EQ(permuted_targets(keys, Exchange::samples, 4, 7), permuted_targets(keys, Exchange::samples, 4, 7));
  EXPECT_NE(permuted_targets(keys, Exchange::samples, 4, 7), permuted_targets(keys, Exchange::samples, 5, 7));
}

// Each of 3! orders comes up as often as the others: 6000 draws, five standard errors of sqrt(1000 * 5/6) = 29.
TEST(Permutation, EveryOrderIsEquallyLikely) {
  const SampleKeys keys = keys_of({}, {1, 2, 3});
  std::map<Values, int> times;
  for (Index n = 0; n < 6000; ++n) ++times[permuted_targets(keys, Exchange::samples, 1, n)];
  EXPECT_EQ(times.size(), 6U);
  for (const auto& [order, count] : times) EXPECT_NEAR(count, 1000, 145);
}

TEST(Permutation, TargetsThatVaryInsideGroupsStayInside) {
  const SampleKeys keys = keys_of({"a", "a", "b", "b", "b", "c"}, {1, 2, 3, 4, 5, 6});
  const Exchangeability found = exchangeability(keys);
  EXPECT_EQ(found.exchange, Exchange::within_groups);
  EXPECT_NEAR(found.log_arrangements, std::log(2 * 6), 1e-12);
  std::set<Values> seen;
  for (Index n = 0; n < 300; ++n) {
    const Values y = permuted_targets(keys, found.exchange, 1, n);
    EXPECT_EQ(sorted({y[0], y[1]}), (Values{1, 2}));
    EXPECT_EQ(sorted({y[2], y[3], y[4]}), (Values{3, 4, 5}));
    EXPECT_EQ(y[5], 6);
    seen.insert(y);
  }
  EXPECT_EQ(seen.size(), 12U);
}

TEST(Permutation, TheTargetOfAGroupStaysOfTheGroup) {
  std::vector<std::string> groups;
  Values y;
  for (int g = 0; g < 24; ++g)
    for (int m = 0; m <= g % 2; ++m) {
      groups.push_back("g" + std::to_string(g));
      y.push_back(g % 3 == 0);
    }
  const SampleKeys keys = keys_of(groups, y);
  const Exchangeability found = exchangeability(keys);
  EXPECT_EQ(found.exchange, Exchange::equal_sized_groups);
  for (Index n = 0; n < 100; ++n) {
    const Values now = permuted_targets(keys, found.exchange, 1, n);
    EXPECT_EQ(sorted(now), sorted(y)) << "groups of equal size: each class keeps its samples";
    std::map<std::string, double> of;
    for (std::size_t m = 0; m < y.size(); ++m) EXPECT_EQ(of.emplace(groups[m], now[m]).first->second, now[m]);
  }
}

TEST(Permutation, GroupsWithoutTwinsInSizeAreExchangedAllTheSame) {
  std::vector<std::string> groups;
  Values y;
  for (int g = 0; g < 8; ++g)
    for (int m = 0; m <= g; ++m) {
      groups.push_back("g" + std::to_string(g));
      y.push_back(g % 2);
    }
  const SampleKeys keys = keys_of(groups, y);
  const Exchangeability found = exchangeability(keys);
  EXPECT_EQ(found.exchange, Exchange::groups);
  EXPECT_NEAR(found.log_arrangements, std::log(70), 1e-12);  // 8 over 4
  const Values now = permuted_targets(keys, found.exchange, 1, 3);
  std::map<std::string, double> of;
  for (std::size_t m = 0; m < y.size(); ++m) EXPECT_EQ(of.emplace(groups[m], now[m]).first->second, now[m]);
  double ones = 0;
  for (const auto& [group, label] : of) ones += label;
  EXPECT_EQ(ones, 4);
}

TEST(Permutation, FollowsTheSamplesAndNotTheRows) {
  Rng rng(6);
  for (const bool constant : {false, true})
    for (const Index groups : {0, 15}) {
      if (constant && groups == 0) continue;
      const SampleKeys keys = test::random_keys(40, groups, 2, rng, constant);
      const Exchange exchange = exchangeability(keys).exchange;
      const Values y = permuted_targets(keys, exchange, 3, 11);
      const std::vector<Index> order = test::random_order(40, rng);
      const Values turned = permuted_targets(take(keys, order), exchange, 3, 11);
      for (Index m = 0; m < 40; ++m) EXPECT_EQ(turned[m], y[order[m]]);
    }
}

TEST(Permutation, P) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_DOUBLE_EQ(permutation_p(0.8, Values{0.1, 0.2, 0.9}), 0.5);
  EXPECT_DOUBLE_EQ(permutation_p(0.8, Values{0.8, 0.2, 0.1}), 0.5) << "a tie counts";
  EXPECT_DOUBLE_EQ(permutation_p(0.3, Values{0.1 + 0.2, 0, 0}), 0.5) << "and so does one up to rounding";
  EXPECT_DOUBLE_EQ(permutation_p(0.8, Values{none, 0, 0}), 0.5);
  EXPECT_DOUBLE_EQ(permutation_p(0.8, {}), 1);
}

}  // namespace
}  // namespace sturm
