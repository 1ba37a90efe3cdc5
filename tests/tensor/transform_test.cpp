// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/tensor/transform.h"

#include "oracle/direct.h"
#include "sturm/tensor/algebra.h"
#include "tensor/cases.h"

namespace sturm {
namespace {

using test::TensorCase;

TEST_P(TensorCase, TransformInverts) {
  const Tensor a = random_normal(shape, 1);
  // Sums of n3 products of numbers of order 1: rounding of order n3 epsilon.
  EXPECT_LE(max_abs(from_hat(to_hat(a, transform), transform) - a), 1e-13);
  const TensorF f = cast<float>(a);
  EXPECT_LE(max_abs(from_hat(to_hat(f, transform), transform) - f), 1e-5);
}

TEST_P(TensorCase, Parseval) {
  const Tensor a = random_normal(shape, 1), b = random_normal(shape, 2);
  const Tensor ah = to_hat(a, transform), bh = to_hat(b, transform);
  double sum = 0;
  for (const linalg::Slice& k : transform.slices())
    for (Index i = 0; i < shape.slice(); ++i) {
      sum += k.weight * ah.slice(k.re)[i] * bh.slice(k.re)[i];
      if (k.complex()) sum += k.weight * ah.slice(k.im)[i] * bh.slice(k.im)[i];
    }
  EXPECT_NEAR(sum / transform.scale(), dot(a, b), 1e-12 * frobenius_norm(a) * frobenius_norm(b));
}

TEST_P(TensorCase, SlicesCoverTheSpectrum) {
  double slices = 0;
  Index columns = 0;
  for (const linalg::Slice& k : transform.slices()) {
    slices += k.weight;
    columns += k.complex() ? 2 : 1;
  }
  EXPECT_EQ(slices, static_cast<double>(shape.n3));
  EXPECT_EQ(columns, shape.n3);
}

STURM_ALL_CASES(TensorCase);

TEST(Transform, DftIsTheDefinition) {
  for (const Index n3 : {1, 2, 7, 12, 91}) {
    const Tensor a = random_normal({2, 3, n3}, 3);
    const Transform dft = Transform::dft(n3);
    const Tensor hat = to_hat(a, dft);
    for (std::size_t k = 0; k < dft.slices().size(); ++k)
      for (Index i = 0; i < 2; ++i)
        for (Index j = 0; j < 3; ++j) {
          const linalg::Slice slice = dft.slices()[k];
          const std::complex<double> expected = oracle::dft(a, i, j, static_cast<Index>(k));
          EXPECT_NEAR(hat(i, j, slice.re), expected.real(), 1e-12);
          EXPECT_NEAR(slice.complex() ? hat(i, j, slice.im) : 0.0, expected.imag(), 1e-12);
        }
  }
}

TEST(Transform, RefusesWhatIsNotOrthogonal) {
  EXPECT_THROW(Transform::from_matrix(2, std::vector<double>{1, 0, 1, 1}), Error);
  EXPECT_THROW(Transform::from_matrix(2, std::vector<double>{1, 0, 0}), Error);
  EXPECT_THROW(Transform::from_matrix(2, std::vector<double>{0, 0, 0, 0}), Error);
  EXPECT_THROW(Transform::dft(0), Error);
  EXPECT_THROW(to_hat(Tensor({2, 2, 3}), Transform::dft(4)), Error);
}

}  // namespace
}  // namespace sturm
