// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/stability.h"

#include <gtest/gtest.h>

#include "study/outcomes.h"

namespace sturm {
namespace {

TEST(Stability, CountsFoldsBySize) {
  test::HandMade study = test::hand_made();
  study.at("lasso/fold 2").support = {0b0001};
  FoldOutcome& small = study.at("lasso/fold 3");
  small.resize = 0.5;
  small.shape = {1, 1, 1};
  small.support = {1};
  const std::vector<Stability> parts = stability_of("lasso", study.plan, study.outcomes);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].resize, 0.5);
  EXPECT_EQ(parts[0].folds, 1);
  EXPECT_EQ(parts[1].often, (std::vector<std::uint16_t>{2, 0, 1, 0}));
  EXPECT_TRUE(stability_of("svm", study.plan, study.outcomes).empty()) << "no map, no stability";
}

}  // namespace
}  // namespace sturm
