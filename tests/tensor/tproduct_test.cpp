// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/tensor/tproduct.h"

#include "oracle/direct.h"
#include "sturm/tensor/algebra.h"
#include "tensor/cases.h"

namespace sturm {
namespace {

class TProduct : public test::TensorCase {};

TEST_P(TProduct, IsAssociativeWithAUnit) {
  const Tensor a = random_normal(shape, 1), b = random_normal({shape.n2, 3, shape.n3}, 2),
               c = random_normal({3, 2, shape.n3}, 3);
  const Tensor left = t_product(t_product(a, b, transform), c, transform);
  const Tensor right = t_product(a, t_product(b, c, transform), transform);
  EXPECT_LE(max_abs(left - right), 1e-13 * (1 + max_abs(left)) * 10);
  EXPECT_LE(max_abs(t_product(t_identity(shape.n1, transform), a, transform) - a), 1e-13);
  EXPECT_LE(max_abs(t_product(a, t_identity(shape.n2, transform), transform) - a), 1e-13);
}

// <A * B, C> = <B, A' * C>: the transpose is the adjoint.
TEST_P(TProduct, TransposeIsTheAdjoint) {
  const Tensor a = random_normal(shape, 1), b = random_normal({shape.n2, 3, shape.n3}, 2),
               c = random_normal({shape.n1, 3, shape.n3}, 3);
  const double left = dot(t_product(a, b, transform), c);
  const double right = dot(b, t_product(t_transpose(a, transform), c, transform));
  EXPECT_NEAR(left, right, 1e-12 * frobenius_norm(a) * frobenius_norm(b) * frobenius_norm(c));
  EXPECT_EQ(t_transpose(t_transpose(a, transform), transform), a);
}

STURM_ALL_CASES(TProduct);

TEST(TProductDft, IsCircularConvolution) {
  for (const Shape s : {Shape{4, 3, 5}, Shape{3, 4, 6}, Shape{2, 2, 1}, Shape{1, 3, 2}}) {
    const Tensor a = random_normal(s, 1), b = random_normal({s.n2, 5, s.n3}, 2);
    EXPECT_LE(max_abs(t_product(a, b) - oracle::t_product(a, b)), 1e-12);
    EXPECT_LE(max_abs(t_product(cast<float>(a), cast<float>(b)) - cast<float>(oracle::t_product(a, b))), 1e-4);
  }
}

TEST(TProductDft, IdentityIsTheIdentityInItsFirstSlice) {
  const Tensor unit = t_identity(3, Transform::dft(4));
  for (Index k = 0; k < 4; ++k)
    for (Index i = 0; i < 3; ++i)
      for (Index j = 0; j < 3; ++j) EXPECT_NEAR(unit(i, j, k), i == j && k == 0 ? 1 : 0, 1e-15);
}

TEST(TProductDft, TestsRecogniseWhatTheyShould) {
  const Transform dft = Transform::dft(4);
  const Tensor unit = t_identity(3, dft);
  EXPECT_TRUE(is_orthogonal(unit, dft));
  EXPECT_FALSE(is_orthogonal(2 * unit, dft));
  EXPECT_FALSE(is_orthogonal(random_normal({3, 3, 4}, 1), dft));
  Tensor diagonal({3, 4, 2});
  diagonal(1, 1, 1) = 5;
  EXPECT_TRUE(is_f_diagonal(diagonal));
  diagonal(1, 2, 0) = 1e-6;
  EXPECT_FALSE(is_f_diagonal(diagonal));
  EXPECT_TRUE(is_f_diagonal(diagonal, 1e-3));
}

TEST(TProductDft, RefusesShapesThatDoNotFit) {
  EXPECT_THROW(t_product(Tensor({2, 3, 4}), Tensor({2, 3, 4})), Error);
  EXPECT_THROW(t_product(Tensor({2, 3, 4}), Tensor({3, 3, 5})), Error);
}

}  // namespace
}  // namespace sturm
