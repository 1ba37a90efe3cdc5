// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/thresholds.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sturm/report/clusters.h"

namespace sturm {
namespace {

Index count(const BrainMap& map, double least) {
  return std::ranges::count_if(map.values.flat(),
                               [&](float v) { return v != 0 && static_cast<double>(std::abs(v)) >= least; });
}

/// Weights over eleven orders of magnitude, of both signs, in `share` of the box.
BrainMap random_map(double share, float scale) {
  std::mt19937_64 random(3);
  std::normal_distribution<float> size(0, 2);
  std::uniform_real_distribution<double> uniform;
  BrainMap map{TensorF(Shape{22, 24, 20}), {}, true};
  for (float& v : map.values.flat())
    if (uniform(random) < share) v = (uniform(random) < 0.5 ? -scale : scale) * std::exp(size(random));
  return map;
}

class MapsOf : public testing::TestWithParam<std::pair<double, float>> {};

TEST_P(MapsOf, EveryThresholdSaysHowManyVoxelsPassIt) {
  const BrainMap map = random_map(GetParam().first, GetParam().second);
  const Thresholds found = thresholds_of(map);
  ASSERT_EQ(found.least.size(), found.voxels.size());
  EXPECT_EQ(found.least.front(), 0.0);
  EXPECT_GT(found.least.size(), 60U);
  EXPECT_LE(found.voxels.back(), 2);
  for (std::size_t t = 0; t < found.least.size(); ++t) {
    EXPECT_EQ(found.voxels[t], count(map, found.least[t])) << found.least[t];
    if (t > 1) {
      EXPECT_GE(found.least[t] / found.least[t - 1], 1.02 * (1 - 1e-12));
    }
    // Written with its few digits it is the same number.
    EXPECT_LE(fmt::format("{}", found.least[t].value).size(), 13U);
  }
}

TEST_P(MapsOf, RoundingIsSmallAndCrossesNoThreshold) {
  const BrainMap map = random_map(GetParam().first, GetParam().second);
  const Thresholds found = thresholds_of(map);
  const BrainMap rounded = rounded_between(map, found);
  for (Index v = 0; v < map.values.shape().size(); ++v) {
    const auto a = static_cast<double>(map.values.flat()[v]), b = static_cast<double>(rounded.values.flat()[v]);
    ASSERT_LE(std::abs(a - b), 0.008 * std::abs(a));
    ASSERT_EQ(a == 0, b == 0);
  }
  for (std::size_t t = 0; t < found.least.size(); ++t) EXPECT_EQ(found.voxels[t], count(rounded, found.least[t]));
}

TEST_P(MapsOf, OpensAsItsClustersAreMade) {
  const BrainMap map = random_map(GetParam().first, GetParam().second);
  const Thresholds found = thresholds_of(map);
  const double first = found.least[found.opens];
  std::string rule;
  EXPECT_EQ(first, first_threshold(map, rule));
  const ClusterList list = clusters_of(map, nullptr, nullptr, 1000000);
  Index voxels = 0;
  for (const Cluster& cluster : list.clusters) voxels += cluster.voxels;
  EXPECT_EQ(voxels, found.voxels[found.opens]);
  const auto box = static_cast<double>(map.values.shape().size());
  if (GetParam().first < 0.05) {
    EXPECT_EQ(first, 0);
  } else {
    EXPECT_GE(voxels, 0.0199 * box);
    EXPECT_LE(voxels, 0.0205 * box);
    EXPECT_NE(list.rule.find(fmt::format("{}", first)), std::string::npos) << list.rule;
  }
}

// Sparse and dense, of ordinary size and of that of the smallest and largest weights there are.
INSTANTIATE_TEST_SUITE_P(Thresholds, MapsOf,
                         testing::Values(std::pair{0.03, 0.01F}, std::pair{0.9, 0.01F}, std::pair{0.9, 1e-12F},
                                         std::pair{0.5, 1e6F}, std::pair{0.04, 1e-30F}));

TEST(Thresholds, OfEqualWeightsThereIsOneAboveZero) {
  BrainMap map{TensorF(Shape{10, 10, 10}), {}, true};
  for (float& v : map.values.flat()) v = 0.1F;
  const Thresholds found = thresholds_of(map);
  EXPECT_EQ(found.voxels, (std::vector<Index>{1000, 1000}));
  EXPECT_EQ(found.opens, 1);
}

TEST(Thresholds, OfNothingThereIsZero) {
  const Thresholds found = thresholds_of({TensorF(Shape{3, 3, 3}), {}, true});
  EXPECT_EQ(found.voxels, std::vector<Index>{0});
  EXPECT_EQ(found.opens, 0);
}

}  // namespace
}  // namespace sturm
