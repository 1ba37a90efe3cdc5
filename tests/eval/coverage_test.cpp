// SPDX-License-Identifier: BSD-3-Clause
// tests/app/coverage_facts_test.cpp has studies with planted leaks; here is what the numbers themselves must be.
#include "sturm/eval/coverage.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "sturm/core/rng.h"

namespace sturm {
namespace {

struct Study {
  std::vector<double> differences;
  SampleKeys keys;
};

/// Samples that lack each of `voxels` by the toss of a coin; those with a positive target lack the first `marks` of
/// them, the others none.
Study study(Index samples, Index voxels, Index marks, std::uint64_t seed, Index group = 1) {
  Rng rng(seed);
  std::vector<std::vector<int>> lacks;
  Study out;
  out.keys.classification = true;
  for (Index m = 0; m < samples; ++m) {
    out.keys.y.push_back(m % 2 ? 1 : -1);
    std::vector<int>& one = lacks.emplace_back();
    for (Index v = 0; v < voxels; ++v)
      one.push_back(v < marks ? static_cast<int>(m % 2) : static_cast<int>(rng.below(2)));
    char id[16];
    std::snprintf(id, sizeof id, "%04d", static_cast<int>(m));
    out.keys.ids.emplace_back(id);
    if (group > 1) out.keys.groups.push_back("g" + std::to_string(m / group));
  }
  for (Index b = 0; b < samples; ++b)
    for (Index a = 0; a < samples; ++a) {
      double sum = 0;
      for (Index v = 0; v < voxels; ++v) sum += std::abs(lacks[a][v] - lacks[b][v]);
      out.differences.push_back(sum);
    }
  return out;
}

TEST(CoverageLeak, IsOneWhereEveryVoxelTells) {
  const Study s = study(20, 10, 10, 1);
  const auto leak = coverage_leak(s.differences, s.keys, 0);
  ASSERT_TRUE(leak);
  EXPECT_EQ(leak->value, 1);
  EXPECT_EQ(leak->measure, Measure::auc);
  EXPECT_LE(leak->p, 0.001);
  EXPECT_GE(leak->p, 1.0 / static_cast<double>(leak->permutations + 1));
  EXPECT_TRUE(leak->clear);
}

// p may not be small more often than it says: of 100 studies without a leak about 10 have p <= 0.1, with a standard
// deviation of 3; at most 20. Neither AUC nor p may lean to one side: their means are 0.5 within 4 standard errors. (An
// AUC of 8 and 8 has a standard deviation of 0.15, one of 8 pairs, each centred, up to 0.25.)
TEST(CoverageLeak, ChanceIsChance) {
  for (const Index group : {Index{1}, Index{2}}) {
    int small = 0, clear = 0;
    double mean = 0, mean_p = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      const Study s = study(16, 40, 0, seed, group);
      const auto leak = coverage_leak(s.differences, s.keys, seed);
      ASSERT_TRUE(leak);
      small += leak->p <= 0.1;
      clear += leak->clear;
      mean += leak->value / 100;
      mean_p += leak->p / 100;
    }
    EXPECT_LE(small, 20) << group;
    EXPECT_LE(clear, 1) << group;
    EXPECT_NEAR(mean, 0.5, 4 * (group == 1 ? 0.15 : 0.25) / 10) << group;
    EXPECT_NEAR(mean_p, 0.5, 4 * 0.29 / 10) << group;
  }
}

TEST(CoverageLeak, DoesNotDependOnTheOrderOfTheRows) {
  const Study s = study(18, 30, 4, 7, 3);
  std::vector<Index> order;
  for (Index m = 0; m < 18; ++m) order.push_back((m * 5 + 3) % 18);
  Study turned;
  turned.keys = take(s.keys, order);
  for (const Index b : order)
    for (const Index a : order) turned.differences.push_back(s.differences[a + 18 * b]);
  const auto one = coverage_leak(s.differences, s.keys, 2), other = coverage_leak(turned.differences, turned.keys, 2);
  ASSERT_TRUE(one && other);
  EXPECT_DOUBLE_EQ(one->value, other->value);
  EXPECT_EQ(one->permutations, other->permutations);
}

// A target twice as large, or another zero, is told as well as before; of several classes the marked one is told best.
TEST(CoverageLeak, NumbersAndSeveralClasses) {
  Study s = study(24, 30, 6, 3);
  s.keys.classification = false;
  Rng rng(5);
  for (double& y : s.keys.y) y += 0.2 * rng.normal();
  const auto leak = coverage_leak(s.differences, s.keys, 0);
  ASSERT_TRUE(leak);
  EXPECT_EQ(leak->measure, Measure::correlation);
  EXPECT_EQ(leak->chance, 0);
  EXPECT_TRUE(leak->clear) << leak->value << " " << leak->p;
  for (double& y : s.keys.y) y = 2 * y + 100;
  EXPECT_NEAR(coverage_leak(s.differences, s.keys, 0)->value, leak->value, 1e-9);  // y is 100 and told to 14 digits

  s.keys.classification = true;
  s.keys.several = 3;
  for (Index m = 0; m < 24; ++m) s.keys.y[m] = m % 2 ? 2 : static_cast<double>(m / 2 % 2);
  const auto classes = coverage_leak(s.differences, s.keys, 0);
  ASSERT_TRUE(classes);
  ASSERT_EQ(classes->by_class.size(), 3U);
  EXPECT_EQ(classes->value, classes->by_class[2]);
  EXPECT_TRUE(classes->clear);
}

// Where people differ in hundreds of voxels and their two maps in three, the three are found.
TEST(CoverageLeak, PairsAreComparedWithinAPerson) {
  Rng rng(9);
  Study s;
  s.keys.classification = true;
  std::vector<std::vector<int>> lacks;
  for (int m = 0; m < 24; ++m) {
    s.keys.y.push_back(m % 2 ? 1 : -1);
    s.keys.ids.push_back("s" + std::to_string(100 + m));
    s.keys.groups.push_back("p" + std::to_string(m / 2));
    std::vector<int> one;
    for (int v = 0; v < 300; ++v) one.push_back(static_cast<int>(rng.below(2)));
    if (m % 2) one = lacks.back();
    for (int v = 0; v < 3; ++v) one[v] = m % 2;
    lacks.push_back(std::move(one));
  }
  for (const auto& b : lacks)
    for (const auto& a : lacks) {
      double sum = 0;
      for (std::size_t v = 0; v < a.size(); ++v) sum += std::abs(a[v] - b[v]);
      s.differences.push_back(sum);
    }
  const auto leak = coverage_leak(s.differences, s.keys, 0);
  ASSERT_TRUE(leak);
  EXPECT_EQ(leak->value, 1);
  EXPECT_TRUE(leak->clear);
}

TEST(CoverageLeak, SaysNothingWhereThereIsNothingToSay) {
  Study s = study(20, 10, 10, 1);
  EXPECT_FALSE(coverage_leak(std::vector<double>(400, 0), s.keys, 0));
  std::ranges::fill(s.keys.y, 1);
  EXPECT_FALSE(coverage_leak(s.differences, s.keys, 0));
  const Study few = study(4, 10, 10, 1), pairs = study(20, 10, 10, 1, 10);
  EXPECT_FALSE(coverage_leak(few.differences, few.keys, 0));
  EXPECT_FALSE(coverage_leak(pairs.differences, pairs.keys, 0)) << "two groups";
}

}  // namespace
}  // namespace sturm
