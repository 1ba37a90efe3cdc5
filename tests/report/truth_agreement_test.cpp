// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/truth_agreement.h"

#include <gtest/gtest.h>

namespace sturm {
namespace {

BrainMap map_of(const std::vector<float>& values) {
  BrainMap out{TensorF({static_cast<Index>(values.size()), 1, 1}), {}, false};
  std::ranges::copy(values, out.values.data());
  return out;
}

const BrainMap truth = map_of({0, 1, -2, 0, 0, 0, 0}), mean = map_of({5, 5, 5, 5, 5, 5, 0});

// SciPy 1.10: spearmanr([0, 3, -1, 0.5, 0, 2], [0, 1, -2, 0, 0, 0]); of the eight pairs of a planted voxel and another
// the planted one is stronger in seven: 3 beats all, 1 beats 0, 0.5, 0 but not 2. Dice: the two strongest are 3 and 2.
TEST(TruthAgreement, IsTheFormulas) {
  const auto found = agreement_with(truth, map_of({0, 3, -1, 0.5, 0, 2, 100}), mean);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->planted, 2);
  EXPECT_NEAR(found->dice, 0.5, 1e-15);
  EXPECT_NEAR(found->auc, 7.0 / 8, 1e-15);
  EXPECT_NEAR(found->rank_correlation, 0.8574929257125441, 1e-12);
}

TEST(TruthAgreement, OfTheTruthItselfIsWhole) {
  const auto found = agreement_with(truth, truth, mean);
  EXPECT_EQ(found->dice, 1);
  EXPECT_EQ(found->auc, 1);
  EXPECT_NEAR(found->rank_correlation, 1, 1e-12);
}

// A map of zeros selects nothing, and equal weights share what they hit.
TEST(TruthAgreement, EqualWeightsAreNotSortedByLuck) {
  const auto nothing = agreement_with(truth, map_of(std::vector<float>(7, 0)), mean);
  EXPECT_EQ(nothing->dice, 0);
  EXPECT_EQ(nothing->auc, 0.5);
  EXPECT_TRUE(std::isnan(nothing->rank_correlation));
  const auto equal = agreement_with(truth, map_of(std::vector<float>(7, 1)), mean);
  EXPECT_NEAR(equal->dice, 2.0 / 6, 1e-15) << "two of six voxels, of which two are planted";
}

TEST(TruthAgreement, NeedsSomethingPlantedAndOneShape) {
  EXPECT_FALSE(agreement_with(map_of(std::vector<float>(7, 0)), truth, mean));
  EXPECT_FALSE(agreement_with(map_of({1, 2}), truth, mean));
  EXPECT_TRUE(is_planted_target("group", {{"control", "patient"}}));
  EXPECT_FALSE(is_planted_target("age", {}));
}

}  // namespace
}  // namespace sturm
