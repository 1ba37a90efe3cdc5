// SPDX-License-Identifier: BSD-3-Clause
// The processor as a backend.
#include "sturm/linalg/backend.h"

#include "sturm/linalg/blas_kernels.h"
#include "sturm/linalg/cpu/cpu.h"
#include "sturm/linalg/cpu/fortran.h"

namespace sturm::linalg {
namespace {

template <class Real, class Base>
class CpuOperations : public Base {
 public:
  void multiply(Op a_op, Op b_op, Index m, Index n, Index k, Real alpha, const Real* a, Index lda, const Real* b,
                Index ldb, Real beta, Real* c, Index ldc) final {
    cpu::multiply(a_op, b_op, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  }
  void transform(const Shape& shape, Index count, const Real* in, const TubeMatrix<Real>& matrix, Real* out) final {
    cpu::transform(shape, count, in, matrix, out);
  }
  void shrink(const Shape& shape, Index count, Real* hat, std::span<const Slice> slices,
              std::span<const double> thresholds, std::span<Shrunk> results, double accuracy) final {
    cpu::shrink(shape, count, hat, slices, thresholds, results, accuracy);
  }
  void norms(const Shape& shape, Index count, const Real* hat, std::span<const Slice> slices,
             std::span<Shrunk> results) final {
    cpu::norms(shape, count, hat, slices, results);
  }
  void sweep(Index samples, Index voxels, const Real* x, std::span<SweepJob<Real>> jobs) final {
    cpu::sweep(samples, voxels, x, jobs);
  }
  void add_gram(Index samples, const Real* x, std::span<const Index> voxels, const Real* scale, Real sign, Real* h,
                const SoonRead& soon) final {
    cpu::add_gram(samples, x, voxels, scale, sign, h, soon);
  }
  bool cholesky(Index n, Real* a) final { return cpu::cholesky(n, a); }
  void cholesky_solve(Index n, const Real* l, Real* b) final { cpu::cholesky_solve(n, l, b); }
  void svd(SvdKind kind, Index rows, Index cols, const std::complex<Real>* a, Real* s, std::complex<Real>* u,
           std::complex<Real>* vh) final {
    cpu::svd(kind, rows, cols, a, s, u, vh);
  }
  void eigh(Index n, Real* a, Real* values) final { cpu::eigh(n, a, values); }
};

class CpuBackend final : public CpuOperations<float, CpuOperations<double, Backend>> {
 public:
  CpuBackend() {
    warn_if_slow_blas();
    // For builds of OpenBLAS with threads of their own; it is the process's setting, and toggling it around calls would
    // not be safe with other threads about.
    if (openblas_set_num_threads) openblas_set_num_threads(1);
  }
  std::string name() const override { return "cpu"; }
};

}  // namespace

Backend& cpu_backend() {
  static CpuBackend backend;
  return backend;
}

}  // namespace sturm::linalg
