// SPDX-License-Identifier: BSD-3-Clause
// What the square loss has that others have not: closed forms.
#include "sturm/loss/square.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sturm/loss/loss.h"

namespace sturm {
namespace {

TEST(Square, BestScaleInClosedForm) {
  // s a - s^2 b / 2 has its top at a / b = 2, where it is 4.
  EXPECT_EQ(best_square_dual(4, 2, 10), 4);
  EXPECT_EQ(best_square_dual(4, 2, 1), 3);  // the end of the range
  EXPECT_EQ(best_square_dual(4, 2, 0), 0);
  EXPECT_EQ(best_square_dual(-4, 2, 1), 0);  // theta points the wrong way
  EXPECT_EQ(best_square_dual(4, 0, 1), 0);   // theta = 0
}

TEST(Square, FoldsItsWeightsIntoTheRowsAndHasNoDomain) {
  const Loss& loss = *square_loss();
  EXPECT_TRUE(loss.folds_weights());
  const std::vector<double> y = {1, -2, 0.5}, weights = {1, 7, 0}, p = {0, 1, 0.5};
  // Weights are in y and the rows already: 1/2 (1 + 9 + 0).
  EXPECT_EQ(loss.value({y, weights}, p), 5);
  std::vector<double> theta(3);
  loss.dual_point({y, weights}, p, theta);
  EXPECT_EQ(theta, (std::vector<double>{1, -3, 0}));
  EXPECT_EQ(loss.longest_step({y, weights}, theta, std::vector<double>(3, 1e300)), 1);
  EXPECT_TRUE(std::isfinite(loss.conjugate({y, weights}, std::vector<double>(3, -1e100))));
  std::vector<double> curvature;
  loss.curvature({y, weights}, theta, curvature);
  EXPECT_TRUE(curvature.empty()) << "all 1";
}

TEST(Square, ThereIsOne) { EXPECT_EQ(square_loss().get(), square_loss().get()); }

}  // namespace
}  // namespace sturm
