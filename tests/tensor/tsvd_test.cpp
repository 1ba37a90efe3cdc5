// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/tensor/tsvd.h"

#include "sturm/tensor/algebra.h"
#include "sturm/tensor/tproduct.h"
#include "tensor/cases.h"

namespace sturm {
namespace {

class TSvdCase : public test::TensorCase {
 protected:
  Tensor product(const TSvd& f) const {
    return t_product(t_product(f.u, f.s, transform), t_transpose(f.v, transform), transform);
  }
};

TEST_P(TSvdCase, ReconstructsWithOrthogonalFactors) {
  const Tensor a = random_normal(shape, 11);
  for (const SvdKind kind : {SvdKind::thin, SvdKind::full}) {
    const TSvd f = t_svd(a, transform, kind);
    EXPECT_LE(max_abs(product(f) - a), 1e-12);
    EXPECT_TRUE(is_orthogonal(f.u, transform));
    EXPECT_TRUE(is_orthogonal(f.v, transform));
    EXPECT_TRUE(is_f_diagonal(f.s));
    const bool full = kind == SvdKind::full;
    const Index least = std::min(shape.n1, shape.n2);
    EXPECT_EQ(f.u.shape(), (Shape{shape.n1, full ? shape.n1 : least, shape.n3}));
    EXPECT_EQ(f.v.shape(), (Shape{shape.n2, full ? shape.n2 : least, shape.n3}));
  }
}

TEST_P(TSvdCase, RanksOfAProduct) {
  const Index rank = std::min<Index>({2, shape.n1, shape.n2});
  const Tensor a =
      t_product(random_normal({shape.n1, rank, shape.n3}, 1), random_normal({rank, shape.n2, shape.n3}, 2), transform);
  EXPECT_EQ(tubal_rank(a, transform), rank);
  for (const Index r : multi_rank(a, transform)) EXPECT_EQ(r, rank);
  EXPECT_EQ(tubal_rank(Tensor(shape), transform), 0);
  EXPECT_LE(max_abs(product(truncated_t_svd(a, rank, transform)) - a), 1e-12 * (1 + max_abs(a)) * 10);
}

// Eckart-Young: the error of the truncation is the energy of what was cut off, and no other rank-1 product is nearer.
TEST_P(TSvdCase, TruncationIsBest) {
  const Tensor a = random_normal(shape, 5);
  const auto values = hat_singular_values(a, transform);
  double cut = 0;
  for (std::size_t k = 0; k < values.size(); ++k)
    for (std::size_t i = 1; i < values[k].size(); ++i)
      cut += transform.slices()[k].weight / transform.scale() * values[k][i] * values[k][i];
  const Tensor best = product(truncated_t_svd(a, 1, transform));
  const double error = frobenius_norm(a - best);
  EXPECT_NEAR(error * error, cut, 1e-11 * dot(a, a));
}

STURM_ALL_CASES(TSvdCase);

TEST(TSvd, MultiRankCountsSliceBySlice) {
  // Constant along tubes: only the zero frequency is there.
  Tensor a({4, 4, 6});
  for (Index k = 0; k < 6; ++k)
    for (Index i = 0; i < 3; ++i) a(i, i, k) = 1;
  EXPECT_EQ(multi_rank(a, Transform::dft(6)), (std::vector<Index>{3, 0, 0, 0}));
  EXPECT_EQ(tubal_rank(a), 3);
}

}  // namespace
}  // namespace sturm
