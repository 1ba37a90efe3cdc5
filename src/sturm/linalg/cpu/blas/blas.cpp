// SPDX-License-Identifier: BSD-3-Clause
// Products. A large one is cut into blocks that depend on its shape alone, so that threads do not change its rounding.
#include <algorithm>

#include "sturm/core/parallel.h"
#include "sturm/linalg/cpu/blas/gemm.h"

namespace sturm::linalg::host {

template <class Real>
void multiply(Op a_op, Op b_op, Index m, Index n, Index k, Real alpha, const Real* a, Index lda, const Real* b,
              Index ldb, Real beta, Real* c, Index ldc) {
  constexpr Index block = 512;
  const Index rows = (m + block - 1) / block, cols = (n + block - 1) / block;
  parallel_for(
      rows * cols,
      [&](Index task, int) {
        const Index i = task % rows * block, j = task / rows * block;
        fortran::multiply(a_op, b_op, std::min(block, m - i), std::min(block, n - j), k, alpha,
                          a + (a_op == Op::none ? i : i * lda), lda, b + (b_op == Op::none ? j * ldb : j), ldb, beta,
                          c + i + j * ldc, ldc);
      },
      static_cast<double>(m * n * k) / 8);
}

#define STURM_INSTANTIATE(Real) \
  template void multiply(Op, Op, Index, Index, Index, Real, const Real*, Index, const Real*, Index, Real, Real*, Index);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm::linalg::host
