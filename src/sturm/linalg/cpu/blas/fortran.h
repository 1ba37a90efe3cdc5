// SPDX-License-Identifier: BSD-3-Clause
// The few BLAS and LAPACK routines we call, overloaded by precision.
#pragma once

#include <complex>

#include "sturm/linalg/blas_name.h"

extern "C" {
void STURM_BLAS(sgemm_)(const char*, const char*, const int*, const int*, const int*, const float*, const float*,
                        const int*, const float*, const int*, const float*, float*, const int*);
void STURM_BLAS(dgemm_)(const char*, const char*, const int*, const int*, const int*, const double*, const double*,
                        const int*, const double*, const int*, const double*, double*, const int*);
void STURM_BLAS(cgesdd_)(const char*, const int*, const int*, std::complex<float>*, const int*, float*,
                         std::complex<float>*, const int*, std::complex<float>*, const int*, std::complex<float>*,
                         const int*, float*, int*, int*);
void STURM_BLAS(zgesdd_)(const char*, const int*, const int*, std::complex<double>*, const int*, double*,
                         std::complex<double>*, const int*, std::complex<double>*, const int*, std::complex<double>*,
                         const int*, double*, int*, int*);
void STURM_BLAS(ssyevd_)(const char*, const char*, const int*, float*, const int*, float*, float*, const int*, int*,
                         const int*, int*);
void STURM_BLAS(dsyevd_)(const char*, const char*, const int*, double*, const int*, double*, double*, const int*, int*,
                         const int*, int*);
void STURM_BLAS(spotrf_)(const char*, const int*, float*, const int*, int*);
void STURM_BLAS(dpotrf_)(const char*, const int*, double*, const int*, int*);
void STURM_BLAS(spotrs_)(const char*, const int*, const int*, const float*, const int*, float*, const int*, int*);
void STURM_BLAS(dpotrs_)(const char*, const int*, const int*, const double*, const int*, double*, const int*, int*);
void STURM_BLAS(openblas_set_num_threads)(int) __attribute__((weak));
}

namespace sturm::linalg::fortran {

inline constexpr auto gemm(float) { return &STURM_BLAS(sgemm_); }
inline constexpr auto gemm(double) { return &STURM_BLAS(dgemm_); }
inline constexpr auto gesdd(float) { return &STURM_BLAS(cgesdd_); }
inline constexpr auto gesdd(double) { return &STURM_BLAS(zgesdd_); }
inline constexpr auto potrf(float) { return &STURM_BLAS(spotrf_); }
inline constexpr auto potrf(double) { return &STURM_BLAS(dpotrf_); }
inline constexpr auto potrs(float) { return &STURM_BLAS(spotrs_); }
inline constexpr auto potrs(double) { return &STURM_BLAS(dpotrs_); }
inline constexpr auto syevd(float) { return &STURM_BLAS(ssyevd_); }
inline constexpr auto syevd(double) { return &STURM_BLAS(dsyevd_); }

/// One BLAS thread for the calls of this thread while it lives: our own loops are the parallel ones, and how BLAS
/// shares a product among its threads would change its rounding. An OpenBLAS built with OpenMP asks OpenMP's setting of
/// the calling thread; it is put back afterwards. (Other builds have one setting for the process, which is set once.)
class OneBlasThread {
 public:
  OneBlasThread();
  ~OneBlasThread();
  OneBlasThread(const OneBlasThread&) = delete;
  OneBlasThread& operator=(const OneBlasThread&) = delete;

 private:
  int before_;
};

}  // namespace sturm::linalg::fortran
