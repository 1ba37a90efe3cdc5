// SPDX-License-Identifier: BSD-3-Clause
// Decompositions of single matrices by LAPACK: exact, and the fallback of shrink().
#include <algorithm>
#include <vector>

#include "sturm/core/error.h"
#include "sturm/linalg/cpu/cpu.h"
#include "sturm/linalg/cpu/fortran.h"

namespace sturm::linalg::cpu {

template <class Real>
void svd(SvdKind kind, Index rows, Index cols, std::complex<Real>* a, Real* s, std::complex<Real>* u,
         std::complex<Real>* vh) {
  const fortran::OneBlasThread guard;
  const char* job = kind == SvdKind::values ? "N" : kind == SvdKind::thin ? "S" : "A";
  const int m = static_cast<int>(rows), n = static_cast<int>(cols), least = std::min(m, n), most = std::max(m, n);
  const int ldv = kind == SvdKind::full ? n : least;
  std::vector<Real> real_work(static_cast<std::size_t>(least) *
                              static_cast<std::size_t>(std::max(5 * least + 7, 2 * most + 2 * least + 1)));
  std::vector<int> int_work(static_cast<std::size_t>(8 * least));
  std::complex<Real> unused[1], best;
  if (!u) u = unused;
  if (!vh) vh = unused;
  int info = 0, query = -1;
  const auto gesdd = fortran::gesdd(Real{});
  gesdd(job, &m, &n, a, &m, s, u, &m, vh, &ldv, &best, &query, real_work.data(), int_work.data(), &info);
  const int size = static_cast<int>(best.real()) + 1;
  std::vector<std::complex<Real>> work(static_cast<std::size_t>(size));
  gesdd(job, &m, &n, a, &m, s, u, &m, vh, &ldv, work.data(), &size, real_work.data(), int_work.data(), &info);
  if (info != 0)
    throw Error("the singular values of a " + std::to_string(m) + " x " + std::to_string(n) +
                " matrix could not be found; does it hold NaN or infinite values?");
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
  std::vector<Real> work(static_cast<std::size_t>(size));
  std::vector<int> int_work(static_cast<std::size_t>(best_int));
  syevd("V", "L", &order, a, &order, values, work.data(), &size, int_work.data(), &best_int, &info);
  if (info != 0)
    throw Error("the eigenvalues of a matrix of order " + std::to_string(n) +
                " could not be found; does it hold NaN or infinite values?");
}

#define STURM_INSTANTIATE(Real)                                                                         \
  template void svd(SvdKind, Index, Index, std::complex<Real>*, Real*, std::complex<Real>*, std::complex<Real>*); \
  template void eigh(Index, Real*, Real*);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm::linalg::cpu
