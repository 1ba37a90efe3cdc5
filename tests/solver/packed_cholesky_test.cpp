// SPDX-License-Identifier: BSD-3-Clause
// The factor after columns have come and gone is that of the matrix that is left.
#include "sturm/solver/packed_cholesky.h"

#include <gtest/gtest.h>

#include "sturm/core/rng.h"

namespace sturm {
namespace {

// A = B'B with columns coming and going, against a product with A itself.
TEST(PackedCholesky, FollowsColumnsThatComeAndGo) {
  Rng rng(3);
  std::vector<std::vector<double>> b;
  PackedCholesky factor;
  const auto product = [&](std::size_t i, std::size_t j) {
    double sum = 0;
    for (int m = 0; m < 30; ++m) sum += b[i][m] * b[j][m];
    return sum;
  };
  for (int round = 0; round < 60; ++round) {
    if (b.size() > 3 && round % 3 == 2) {
      const auto k = static_cast<Index>(rng.below(b.size()));
      factor.remove(k);
      b.erase(b.begin() + k);
    } else {
      b.emplace_back(30);
      for (double& v : b.back()) v = rng.normal();
      std::vector<double> above;
      for (std::size_t i = 0; i + 1 < b.size(); ++i) above.push_back(product(i, b.size() - 1));
      ASSERT_TRUE(factor.append(above, product(b.size() - 1, b.size() - 1), 1e-9));
    }
    ASSERT_EQ(factor.size(), static_cast<Index>(b.size()));
    std::vector<double> truth(b.size()), rhs(b.size());
    for (double& v : truth) v = rng.normal();
    for (std::size_t i = 0; i < b.size(); ++i)
      for (std::size_t j = 0; j < b.size(); ++j) rhs[i] += product(i, j) * truth[j];
    factor.solve(rhs);
    // 20 random columns of length 30: a condition of some 1e3, times rounding.
    for (std::size_t i = 0; i < b.size(); ++i) EXPECT_NEAR(rhs[i], truth[i], 1e-10);
  }
}

TEST(PackedCholesky, RefusesAColumnThatDependsOnOthers) {
  PackedCholesky factor;
  ASSERT_TRUE(factor.append({}, 4, 1e-9));
  const double twice = 8;
  EXPECT_FALSE(factor.append({&twice, 1}, 16, 1e-9));
  EXPECT_EQ(factor.size(), 1);
}

}  // namespace
}  // namespace sturm
