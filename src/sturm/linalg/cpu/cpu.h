// SPDX-License-Identifier: BSD-3-Clause
// The operations of backend.h on the processor, as functions; backend.cpp gathers them.
#pragma once

#include "sturm/linalg/backend.h"

namespace sturm::linalg::cpu {

template <class Real>
void multiply(Op a_op, Op b_op, Index m, Index n, Index k, Real alpha, const Real* a, Index lda, const Real* b,
              Index ldb, Real beta, Real* c, Index ldc);
template <class Real>
void transform(const Shape& shape, Index count, const Real* in, const TubeMatrix<Real>& matrix, Real* out);
template <class Real>
void shrink(const Shape& shape, Index count, Real* hat, std::span<const Slice> slices,
            std::span<const double> thresholds, std::span<Shrunk> results, double accuracy);
template <class Real>
void norms(const Shape& shape, Index count, const Real* hat, std::span<const Slice> slices, std::span<Shrunk> results);
template <class Real>
void sweep(Index samples, Index voxels, const Real* x, std::span<SweepJob<Real>> jobs);
template <class Real>
void add_gram(Index samples, const Real* x, std::span<const Index> voxels, const Real* scale, Real sign, Real* h,
              const SoonRead& soon);
template <class Real>
bool cholesky(Index n, Real* a);
template <class Real>
void cholesky_solve(Index n, const Real* l, Real* b);
template <class Real>
void svd(SvdKind kind, Index rows, Index cols, const std::complex<Real>* a, Real* s, std::complex<Real>* u,
         std::complex<Real>* vh);
template <class Real>
void eigh(Index n, Real* a, Real* values);

}  // namespace sturm::linalg::cpu
