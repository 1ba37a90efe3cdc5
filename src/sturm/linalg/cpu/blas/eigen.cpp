// SPDX-License-Identifier: BSD-3-Clause
// Decompositions of single matrices by LAPACK: exact, and the fallback of shrink().
#include <algorithm>
#include <vector>

#include "sturm/core/error.h"
#include "sturm/linalg/cpu/blas/fortran.h"
#include "sturm/linalg/host.h"

namespace sturm::linalg::host {

namespace {

/// OpenBLAS 0.3.21's zgemv reads past the end of its matrix: at the end of a mapped page that is a crash. Whatever
/// LAPACK works on lies in front of spare elements.
constexpr Index spare = 64;

template <class T>
std::vector<T> padded(Index size) {
  return std::vector<T>(size + spare);
}

}  // namespace

template <class Real>
void svd(SvdKind kind, Index rows, Index cols, const std::complex<Real>* a, Real* s, std::complex<Real>* u,
         std::complex<Real>* vh) {
  const fortran::OneBlasThread guard;
  using Complex = std::complex<Real>;
  const char* job = kind == SvdKind::values ? "N" : kind == SvdKind::thin ? "S" : "A";
  const int m = static_cast<int>(rows), n = static_cast<int>(cols), least = std::min(m, n), most = std::max(m, n);
  const int cu = kind == SvdKind::full ? m : least, ldv = kind == SvdKind::full ? n : least;
  const bool vectors = kind != SvdKind::values;
  auto matrix = padded<Complex>(rows * cols);
  auto left = padded<Complex>(vectors ? rows * cu : 0), right = padded<Complex>(vectors ? ldv * cols : 0);
  std::copy_n(a, rows * cols, matrix.data());
  auto real_work = padded<Real>(Index{least} * std::max(5 * least + 7, 2 * most + 2 * least + 1));
  auto int_work = padded<int>(8 * least);
  Complex best;
  int info = 0, query = -1;
  const auto gesdd = fortran::gesdd(Real{});
  gesdd(job, &m, &n, matrix.data(), &m, s, left.data(), &m, right.data(), &ldv, &best, &query, real_work.data(),
        int_work.data(), &info);
  const int size = static_cast<int>(best.real()) + 1;
  auto work = padded<Complex>(size);
  gesdd(job, &m, &n, matrix.data(), &m, s, left.data(), &m, right.data(), &ldv, work.data(), &size, real_work.data(),
        int_work.data(), &info);
  if (info != 0)
    throw Error("the singular values of a " + std::to_string(m) + " x " + std::to_string(n) +
                " matrix could not be found; does it hold NaN or infinite values?");
  if (!vectors) return;
  std::copy_n(left.data(), rows * cu, u);
  std::copy_n(right.data(), ldv * cols, vh);
}

template <class Real>
void eigh(Index n, Real* a, Real* values) {
  const fortran::OneBlasThread guard;
  const int order = static_cast<int>(n);
  int info = 0, query = -1, best_int = 0;
  Real best = 0;
  const auto syevd = fortran::syevd(Real{});
  syevd("V", "L", &order, a, &order, values, &best, &query, &best_int, &query, &info);
  const int size = static_cast<int>(best) + 1;
  auto work = padded<Real>(size);
  auto int_work = padded<int>(best_int);
  syevd("V", "L", &order, a, &order, values, work.data(), &size, int_work.data(), &best_int, &info);
  if (info != 0)
    throw Error("the eigenvalues of a matrix of order " + std::to_string(n) +
                " could not be found; does it hold NaN or infinite values?");
}

template <class Real>
bool cholesky(Index n, Real* a) {
  const fortran::OneBlasThread guard;
  const int order = static_cast<int>(n);
  int info = 0;
  fortran::potrf(Real{})("L", &order, a, &order, &info);
  return info == 0;
}

template <class Real>
void cholesky_solve(Index n, const Real* l, Real* b) {
  const fortran::OneBlasThread guard;
  const int order = static_cast<int>(n), one = 1;
  int info = 0;
  fortran::potrs(Real{})("L", &order, &one, l, &order, b, &order, &info);
}

#define STURM_INSTANTIATE(Real)                                                                   \
  template void svd(SvdKind, Index, Index, const std::complex<Real>*, Real*, std::complex<Real>*, \
                    std::complex<Real>*);                                                         \
  template void eigh(Index, Real*, Real*);                                                        \
  template bool cholesky(Index, Real*);                                                           \
  template void cholesky_solve(Index, const Real*, Real*);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm::linalg::host
