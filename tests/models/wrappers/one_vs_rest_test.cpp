// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/wrappers/one_vs_rest.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sturm {
namespace {

TEST(OneVsRest, EachClassAgainstTheOthers) {
  const std::vector<double> labels = {0, 2, 1, 2};
  EXPECT_EQ(against_rest(labels, 2), (std::vector<double>{-1, 1, -1, 1}));
  EXPECT_EQ(against_rest(labels, 3), (std::vector<double>(4, -1.0)));
}

TEST(OneVsRest, TheLargestSettingPlaceByPlace) {
  const std::vector<std::vector<double>> each = {{1, 5, 0}, {3, 2, 0}};
  EXPECT_EQ(largest_of(each), (std::vector<double>{3, 5, 0}));
}

TEST(OneVsRest, OneReportForAll) {
  FitReport good, bad, zero;
  good.objective = 3;
  good.dual = 2.9;
  good.relative_gap = 0.1 / 3;
  good.sparsity = 0.5;
  good.iterations = 10;
  good.tubal_rank = 2;
  bad = good;
  bad.status = Status::iteration_limit;
  bad.relative_gap = 0.2;
  bad.iterations = 4;
  bad.tubal_rank = 5;
  zero.status = Status::zero_solution;
  zero.objective = zero.dual = 1;
  zero.sparsity = 1;
  const FitReport all = merged_report(std::vector<FitReport>{good, bad, zero});
  EXPECT_EQ(all.status, Status::iteration_limit);
  EXPECT_EQ(all.relative_gap, 0.2);
  EXPECT_EQ(all.objective, 7);
  EXPECT_NEAR(all.sparsity, 2.0 / 3, 1e-15);
  EXPECT_EQ(all.iterations, 10);
  EXPECT_EQ(all.tubal_rank, 5);
  EXPECT_TRUE(std::isnan(all.intercept));
  EXPECT_EQ(merged_report(std::vector<FitReport>{zero, zero}).status, Status::zero_solution);
  EXPECT_EQ(merged_report(std::vector<FitReport>{zero, good}).status, Status::converged);
}

}  // namespace
}  // namespace sturm
