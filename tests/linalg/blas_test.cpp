// SPDX-License-Identifier: BSD-3-Clause
// Products by BLAS, against loops.
#include <gtest/gtest.h>

#include "linalg/numbers.h"
#include "message.h"
#include "sturm/core/tensor.h"
#include "sturm/linalg/cpu/blas/gemm.h"

namespace sturm::linalg {
namespace {

using test::draw;

/// C = alpha op(A) op(B) + beta C in double, with rows of A, B and C that are longer than the matrices.
template <class Real>
void expect_product(Op a_op, Op b_op, Index m, Index n, Index k, double alpha, double beta, double tolerance) {
  const Index lda = (a_op == Op::none ? m : k) + 2, ldb = (b_op == Op::none ? k : n) + 1, ldc = m + 3;
  const std::vector<Real> a = draw<Real>(lda * (a_op == Op::none ? k : m), 61, 1);
  const std::vector<Real> b = draw<Real>(ldb * (b_op == Op::none ? n : k), 61, 2);
  const std::vector<Real> before = draw<Real>(ldc * n, 61, 3);
  std::vector<Real> c = before;
  host::multiply<Real>(a_op, b_op, m, n, k, static_cast<Real>(alpha), a.data(), lda, b.data(), ldb,
                       static_cast<Real>(beta), c.data(), ldc);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < ldc; ++i) {
      double sum = static_cast<double>(before[i + j * ldc]);
      if (i < m) {
        sum *= beta;
        for (Index p = 0; p < k; ++p)
          sum += alpha * static_cast<double>(a_op == Op::none ? a[i + p * lda] : a[p + i * lda]) *
                 static_cast<double>(b_op == Op::none ? b[p + j * ldb] : b[j + p * ldb]);
      }
      ASSERT_NEAR(static_cast<double>(c[i + j * ldc]), sum, tolerance) << i << ", " << j;
    }
}

// Sums of five products of size 1 to 10; 515 rows or columns are more than one block.
TEST(Multiply, IsTheDefinition) {
  for (const Op a_op : {Op::none, Op::transpose})
    for (const Op b_op : {Op::none, Op::transpose})
      for (const auto& [m, n] : {std::pair<Index, Index>{1, 1}, {3, 8}, {515, 4}, {2, 515}}) {
        expect_product<float>(a_op, b_op, m, n, 5, 2, 0.5, 5e-5);
        expect_product<double>(a_op, b_op, m, n, 5, -1, 0, 1e-13);
      }
}

TEST(Multiply, ThreadsDoNotChangeABit) {
  const Index m = 700, n = 520, k = 30;  // more than one block each way
  const std::vector<float> a = draw<float>(m * k, 62, 1), b = draw<float>(k * n, 62, 2);
  const auto product = [&] {
    std::vector<float> c(m * n);
    host::multiply<float>(Op::none, Op::none, m, n, k, 1, a.data(), m, b.data(), k, 0, c.data(), m);
    return c;
  };
  EXPECT_EQ(test::with_threads(1, product), test::with_threads(3, product));
}

TEST(Multiply, SizesBeyondBlasAreRefused) {
  EXPECT_EQ(fortran::to_int(0x7fffffff), 0x7fffffff);
  EXPECT_SAYS(fortran::to_int(Index{1} << 31), "2147483648");
}

}  // namespace
}  // namespace sturm::linalg
