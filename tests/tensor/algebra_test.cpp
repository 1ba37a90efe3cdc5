// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/tensor/algebra.h"

#include <cmath>

#include "sturm/tensor/unfold.h"
#include "tensor/cases.h"

namespace sturm {
namespace {

TEST(Algebra, ProxL1IsCertifiedByItsResidual) {
  const Tensor y = random_normal({5, 4, 3}, 1);
  const double mu = 0.7;
  const Tensor z = prox_l1(y, mu), g = (1 / mu) * (y - z);
  EXPECT_LE(max_abs(g), 1 + 1e-15);
  EXPECT_NEAR(dot(g, z), l1_norm(z), 1e-13);
  EXPECT_LT(std::ranges::min(z.flat()), 0) << "negative entries must survive";
  EXPECT_EQ(prox_l1(y, 0), y);
  EXPECT_THROW(prox_l1(y, -0.1), Error);
}

TEST(Algebra, NormsOfAKnownTensor) {
  TensorF a({2, 1, 2});
  a(0, 0, 0) = 3;
  a(1, 0, 1) = -4;
  EXPECT_EQ(frobenius_norm(a), 5);
  EXPECT_EQ(l1_norm(a), 7);
  EXPECT_EQ(max_abs(a), 4);
  EXPECT_EQ(dot(a, 2 * a), 50);
  EXPECT_EQ(max_abs(a + a - 2 * a), 0);
  EXPECT_THROW(dot(a, TensorF({1, 2, 2})), Error);
}

TEST(Unfold, FollowsKoldaAndBader) {
  // Their example: frontal slices [1 4 7 10; 2 5 8 11; 3 6 9 12] and the same plus 12.
  Tensor a({3, 4, 2});
  std::ranges::generate(a.flat(), [v = 0.0]() mutable { return ++v; });
  EXPECT_EQ(unfold(a, 1)(1, 5, 0), 17);
  EXPECT_EQ(unfold(a, 2).shape(), (Shape{4, 6, 1}));
  EXPECT_EQ(unfold(a, 2)(1, 2, 0), 6);
  EXPECT_EQ(unfold(a, 2)(0, 3, 0), 13);
  EXPECT_EQ(unfold(a, 3)(1, 0, 0), 13);
  EXPECT_EQ(unfold(a, 3)(0, 11, 0), 12);
  for (const int mode : {1, 2, 3}) EXPECT_EQ(fold(unfold(a, mode), mode, a.shape()), a);
  EXPECT_THROW(unfold(a, 4), Error);
  EXPECT_THROW(fold(a, 1, a.shape()), Error);
}

}  // namespace
}  // namespace sturm
