// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/standings.h"

#include <gtest/gtest.h>

namespace sturm {
namespace {

TEST(Standings, NobodyIsBestBeforeThereIsEnoughToGoBy) {
  const CvFacts facts;
  const CvPlan plan;
  Standings standings(facts, plan);
  EXPECT_EQ(standings.best(), "");
  standings.add("sturm", 1.0, 2);
  EXPECT_EQ(standings.best(), "") << "two samples";
  standings.add("sturm", 0.6, enough_predictions);
  EXPECT_EQ(standings.best(), "") << "there is nobody to be better than";
  standings.add("svm", 1.0, enough_predictions - 1);
  EXPECT_EQ(standings.best(), "");
  standings.add("svm", 0.5, 1);
  EXPECT_EQ(standings.best(), "  best so far: sturm 0.80");
  standings.add("svm", 1.0, 10);
  EXPECT_EQ(standings.best(), "  best so far: svm 0.83");
}

// Scores below 0, such as an R2, have a best too.
TEST(Standings, ScoresMayBeNegative) {
  const CvFacts facts;
  const CvPlan plan;
  Standings standings(facts, plan);
  standings.add("a", -2.0, enough_predictions);
  standings.add("b", -1.0, enough_predictions);
  EXPECT_EQ(standings.best(), "  best so far: b -1.00");
}

}  // namespace
}  // namespace sturm
