// SPDX-License-Identifier: BSD-3-Clause
// One product by BLAS, on the caller's thread.
#pragma once

#include <string>

#include "sturm/core/error.h"
#include "sturm/linalg/cpu/blas/fortran.h"
#include "sturm/linalg/host.h"

namespace sturm::linalg::fortran {

inline int to_int(Index n) {
  if (n > 0x7fffffff) throw Error("a matrix of " + std::to_string(n) + " rows is beyond what BLAS can address");
  return static_cast<int>(n);
}

/// C = alpha op(A) op(B) + beta C, as host::multiply().
template <class Real>
void multiply(Op a_op, Op b_op, Index m, Index n, Index k, Real alpha, const Real* a, Index lda, const Real* b,
              Index ldb, Real beta, Real* c, Index ldc) {
  const char* ta = a_op == Op::none ? "N" : "T";
  const char* tb = b_op == Op::none ? "N" : "T";
  const int im = to_int(m), in = to_int(n), ik = to_int(k), ia = to_int(lda), ib = to_int(ldb), ic = to_int(ldc);
  const OneBlasThread guard;
  gemm(Real{})(ta, tb, &im, &in, &ik, &alpha, a, &ia, b, &ib, &beta, c, &ic);
}

}  // namespace sturm::linalg::fortran
