// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>

#include "sturm/linalg/cpu/blas/fortran.h"

namespace sturm::linalg::fortran {
namespace {

/// OpenMP's functions where the BLAS library has brought them along; we do not link it ourselves.
struct OpenMp {
  int (*get)() = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "omp_get_max_threads"));
  void (*set)(int) = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "omp_set_num_threads"));
};

const OpenMp& openmp() {
  static const OpenMp functions;
  return functions;
}

}  // namespace

OneBlasThread::OneBlasThread() : before_(openmp().get && openmp().set ? openmp().get() : 1) {
  if (before_ != 1) openmp().set(1);
  // For builds of OpenBLAS with threads of their own; it is the process's setting, and toggling it around calls would
  // not be safe with other threads about.
  [[maybe_unused]] static const bool once =
      (STURM_BLAS(openblas_set_num_threads) ? STURM_BLAS(openblas_set_num_threads)(1) : void(), true);
}

OneBlasThread::~OneBlasThread() {
  if (before_ != 1) openmp().set(before_);
}

}  // namespace sturm::linalg::fortran
