// SPDX-License-Identifier: BSD-3-Clause
// Weights, labels and edges of losses that are written for one sample.
#include "sturm/loss/sample_loss.h"

#include <gtest/gtest.h>

#include <cmath>

#include "logistic_loss/logistic_loss.h"
#include "message.h"

namespace sturm {
namespace {

const Loss& loss() {
  static const LossPointer logistic = logistic_loss();
  return *logistic;
}

// A weight of 2 is the sample twice, one of 0 no sample; on the dual side theta is shared out.
TEST(SampleLoss, WeightsAreCopies) {
  const std::vector<double> y = {1, -1, 1}, weights = {2, 0, 1}, p = {0.3, 5, -2}, theta = {1.2, 0, 0.4};
  const std::vector<double> y_copies = {1, 1, 1}, ones = {1, 1, 1}, p_copies = {0.3, 0.3, -2},
                            theta_copies = {0.6, 0.6, 0.4};
  const Labels weighted{y, weights}, copies{y_copies, ones};
  EXPECT_NEAR(loss().value(weighted, p), loss().value(copies, p_copies), 1e-15);
  EXPECT_NEAR(loss().conjugate(weighted, theta), loss().conjugate(copies, theta_copies), 1e-15);
  EXPECT_NEAR(loss().best_dual(weighted, theta, 0.9), loss().best_dual(copies, theta_copies, 0.9), 1e-15);
  std::vector<double> point(3), point_copies(3);
  loss().dual_point(weighted, p, point);
  loss().dual_point(copies, p_copies, point_copies);
  EXPECT_NEAR(point[0], point_copies[0] + point_copies[1], 1e-15);
  EXPECT_EQ(point[1], 0);
  EXPECT_EQ(point[2], point_copies[2]);
}

TEST(SampleLoss, IsInfiniteOutsideItsDomain) {
  const std::vector<double> y = {1, -1}, weights = {1, 2};
  const auto at = [&](double a, double b) { return loss().conjugate({y, weights}, std::vector<double>{a, b}); };
  EXPECT_EQ(at(0, 0), 0);   // 0 log 0 = 0
  EXPECT_EQ(at(1, -2), 0);  // the other end
  EXPECT_LT(at(0.5, -1), 0);
  for (const auto& [a, b] : {std::pair<double, double>{-0.01, -1}, {1.01, -1}, {0.5, 0.01}, {0.5, -2.01}})
    EXPECT_EQ(at(a, b), HUGE_VAL) << a << ' ' << b;
  const std::vector<double> without = {1, 0};
  EXPECT_EQ(loss().conjugate({y, without}, std::vector<double>{0.5, -0.1}), HUGE_VAL) << "no weight, no theta";
}

// A theta outside the domain is worth what its longest scaling inside is; one that points out of it from 0 is worth 0.
TEST(SampleLoss, BestDualScalesIntoTheDomain) {
  const std::vector<double> y = {1, -1}, weights = {1, 1};
  const double found = loss().best_dual({y, weights}, std::vector<double>{3, -3}, 1);
  EXPECT_NEAR(found, 2 * std::log(2.0), 1e-12) << "both at one half";
  EXPECT_EQ(loss().best_dual({y, weights}, std::vector<double>{-1, -1}, 1), 0);
  EXPECT_EQ(loss().best_dual({y, weights}, std::vector<double>{0, 0}, 1), 0);
  EXPECT_TRUE(std::isnan(loss().best_dual({y, weights}, std::vector<double>{std::nan(""), -1}, 1)));
}

// So near to the edge that rounding takes all of the way there: no step at all, rather than one to where f' is
// infinite.
TEST(SampleLoss, TakesNoStepOntoTheEdge) {
  const std::vector<double> y = {1}, weights = {1}, edge = {1 - 1.1e-16}, up = {1};
  EXPECT_EQ(loss().longest_step({y, weights}, edge, up), 0);
  const std::vector<double> middle = {0.5};
  EXPECT_NEAR(loss().longest_step({y, weights}, middle, up), 0.495, 1e-12);
}

TEST(SampleLoss, RefusesLabelsItDoesNotKnow) {
  const std::vector<double> y = {1, 2, std::nan("")}, weights = {1, 1, 0};
  EXPECT_SAYS(loss().require_labels({y, weights}), "logistic", "sample 2");
  const std::vector<double> without = {1, 0, 0};
  loss().require_labels({y, without});  // what has no weight may have any label
}

}  // namespace
}  // namespace sturm
