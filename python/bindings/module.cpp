// SPDX-License-Identifier: BSD-3-Clause
// The Python module sturm._native.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "sturm/core/build_info.h"
#include "sturm/linalg/blas_kernels.h"

NB_MODULE(_native, m) {
  m.def("version", [] { return sturm::build_info().version; });
  m.def("blas_kernels", [] { return describe(sturm::linalg::blas_kernels()); });
}
