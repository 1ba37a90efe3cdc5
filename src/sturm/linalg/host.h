// SPDX-License-Identifier: BSD-3-Clause
// Linear algebra on the host's own memory, whatever device the solver runs on: matrices of samples x samples, proofs in
// double, and the methods that look at volumes one by one. Column-major; threads do not change a bit.
#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "sturm/linalg/slices.h"

namespace sturm::linalg {

enum class Op { none, transpose };
enum class SvdKind { values, thin, full };

/// What the caller reads next: it is brought into the cache while a product runs that needs little from memory.
struct SoonRead {
  std::span<const void* const> columns;
  std::size_t bytes = 0;  ///< of each column
};

namespace host {

/// C = alpha op(A) op(B) + beta C with C m x n and k the inner extent.
template <class Real>
void multiply(Op a_op, Op b_op, Index m, Index n, Index k, Real alpha, const Real* a, Index lda, const Real* b,
              Index ldb, Real beta, Real* c, Index ldc);
/// As Operations::transform, shrink and norms.
template <class Real>
void transform(const Shape& shape, Index count, const Real* in, const TubeMatrix<Real>& matrix, Real* out);
template <class Real>
void shrink(const Shape& shape, Index count, Real* hat, std::span<const Slice> slices,
            std::span<const double> thresholds, std::span<Shrunk> results, double accuracy = 0);
/// Through Gram matrices in double: the largest value has all its digits, small ones are wrong by up to 2e-8 times it.
template <class Real>
void norms(const Shape& shape, Index count, const Real* hat, std::span<const Slice> slices, std::span<Shrunk> results);
/// The same by LAPACK's SVD.
void exact_norms(const Shape& shape, Index count, const double* hat, std::span<const Slice> slices,
                 std::span<Shrunk> results);
/// h += sign sum over the listed columns v of scale_v^2 x_v x_v' (lower triangle of samples x samples).
template <class Real>
void add_gram(Index samples, const Real* x, std::span<const Index> columns, const Real* scale, Real sign, Real* h,
              const SoonRead& soon);
/// X diag(scale^2) X' in double, full, over the columns inside the mask. Either may be null: all 1, every column.
template <class Real>
std::vector<double> gram(Index samples, Index columns, const Real* x, const Real* scale, const std::uint8_t* mask);
/// X w and X'u in double, X being samples x columns.
template <class Real>
std::vector<double> product(Index samples, const Real* x, std::span<const double> w);
template <class Real>
void adjoint(Index samples, const Real* x, std::span<const double> u, std::span<double> out);
/// a <- L with A = L L' of one symmetric positive definite n x n matrix (lower triangle); false where it is not.
template <class Real>
bool cholesky(Index n, Real* a);
/// b <- (L L')^-1 b.
template <class Real>
void cholesky_solve(Index n, const Real* l, Real* b);
/// A = U diag(s) V^H of one rows x cols matrix. u and vh may be null with SvdKind::values.
template <class Real>
void svd(SvdKind kind, Index rows, Index cols, const std::complex<Real>* a, Real* s, std::complex<Real>* u,
         std::complex<Real>* vh);
/// A = V diag(values) V' of one symmetric n x n matrix, ascending; a becomes V.
template <class Real>
void eigh(Index n, Real* a, Real* values);

}  // namespace host
}  // namespace sturm::linalg
