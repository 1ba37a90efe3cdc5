// SPDX-License-Identifier: BSD-3-Clause
// All that a device must know how to do: coarse, batched operations on arrays in its own memory. The layers above
// are written against this page alone; cpu/ and cuda/ implement it file by file.
#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <string>

#include "sturm/core/shape.h"
#include "sturm/linalg/tubes.h"

namespace sturm::linalg {

enum class Op { none, transpose };
enum class SvdKind { values, thin, full };

/// One slice of a transformed tensor: the column (index along mode 3) of its real part and, where it is complex, of
/// its imaginary part; `weight` slices of the whole spectrum share it (2 for a conjugate pair).
struct Slice {
  Index re = 0;
  Index im = -1;
  double weight = 1;
  bool complex() const { return im >= 0; }
};

/// What shrink() found in one slice.
struct Shrunk {
  double largest = 0;  ///< largest singular value before; 0 where a bound alone showed that nothing is left
  double nuclear = 0;  ///< nuclear norm after
  Index rank = 0;      ///< rank after
};

/// One problem's part in sweep(), in this order, each part only where its pointers are set:
///     z_next = z + scale .* (X' u)                                    u (z null: 0)
///     w = soft(b - q + z_next / rho, gamma / rho), 0 outside mask      b, q; otherwise w is only read
///     xw = X (scale .* w), norm2 = |w|^2                               xw
/// Without u, z takes the place of z_next. scale and mask may be null: all 1.
template <class Real>
struct SweepJob {
  const Real* u = nullptr;
  const Real* z = nullptr;
  Real* z_next = nullptr;
  const Real *b = nullptr, *q = nullptr;
  Real* w = nullptr;
  double* xw = nullptr;
  const Real* scale = nullptr;
  const std::uint8_t* mask = nullptr;
  double rho = 1, gamma = 0;
  double norm2 = 0;
  Index nonzeros = 0;   ///< of w, where it is computed
  Index expected = -1;  ///< how many there may be, where the caller can tell: decides on speed, not on bits
};

/// What the caller reads next: it is brought into the cache while a product runs that needs little from memory.
struct SoonRead {
  std::span<const void* const> columns;
  std::size_t bytes = 0;  ///< of each column
};

/// Column-major throughout. A batch is `count` tensors of one shape, one after the other.
template <class Real>
class Operations {
 public:
  virtual ~Operations() = default;

  /// C = alpha op(A) op(B) + beta C with C m x n and k the inner extent.
  virtual void multiply(Op a_op, Op b_op, Index m, Index n, Index k, Real alpha, const Real* a, Index lda,
                        const Real* b, Index ldb, Real beta, Real* c, Index ldc) = 0;

  /// Mode-3 product of every tensor of a batch: out(:, :, q) = sum_p in(:, :, p) matrix(p, q). Not in place.
  virtual void transform(const Shape& shape, Index count, const Real* in, const TubeMatrix<Real>& matrix,
                         Real* out) = 0;

  /// Every slice of transformed tensor b becomes U diag((s - thresholds[b])+) V^H. A slice that holds a NaN or an
  /// infinity becomes NaN. `results` has slices.size() entries a tensor. `accuracy` is an error that does no harm,
  /// relative to the largest singular value of a slice; 0: as good as it gets, which is 1e-5 in single and 1e-12 in
  /// double precision.
  virtual void shrink(const Shape& shape, Index count, Real* hat, std::span<const Slice> slices,
                      std::span<const double> thresholds, std::span<Shrunk> results, double accuracy = 0) = 0;

  /// Nuclear norm and largest singular value of every slice, through Gram matrices in double: the largest has all its
  /// digits, small ones are wrong by up to 2e-8 times the largest.
  virtual void norms(const Shape& shape, Index count, const Real* hat, std::span<const Slice> slices,
                     std::span<Shrunk> results) = 0;

  /// Both products of many problems with the design matrix (samples x voxels, samples fastest) in one pass over it.
  /// Problems of like sparsity should stand side by side.
  virtual void sweep(Index samples, Index voxels, const Real* x, std::span<SweepJob<Real>> jobs) = 0;

  /// h += sign sum over the listed voxels v of scale_v^2 x_v x_v' (lower triangle of samples x samples).
  virtual void add_gram(Index samples, const Real* x, std::span<const Index> voxels, const Real* scale, Real sign,
                        Real* h, const SoonRead& soon) = 0;

  /// a <- L with A = L L' of one symmetric positive definite n x n matrix (lower triangle); false where it is not.
  virtual bool cholesky(Index n, Real* a) = 0;
  /// b <- (L L')^-1 b.
  virtual void cholesky_solve(Index n, const Real* l, Real* b) = 0;

  /// A = U diag(s) V^H of one rows x cols matrix. u and vh may be null with SvdKind::values.
  virtual void svd(SvdKind kind, Index rows, Index cols, const std::complex<Real>* a, Real* s, std::complex<Real>* u,
                   std::complex<Real>* vh) = 0;

  /// A = V diag(values) V' of one symmetric n x n matrix, ascending; a becomes V.
  virtual void eigh(Index n, Real* a, Real* values) = 0;
};

class Backend : public Operations<float>, public Operations<double> {
 public:
  virtual std::string name() const = 0;
};

/// The processor. Made at the first call, which sets the BLAS library of the process to one thread.
Backend& cpu_backend();

/// Why there is no CUDA device here; empty where there is one.
std::string cuda_unavailable();

}  // namespace sturm::linalg
