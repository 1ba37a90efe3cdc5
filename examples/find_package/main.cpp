// SPDX-License-Identifier: BSD-3-Clause
// The smallest program that uses the library through find_package(sturm).
#include <cstdio>

#include "sturm/core/build_info.h"
#include "sturm/linalg/blas_kernels.h"

int main() {
  std::printf("sturm %s with the %s kernels of %s\n", sturm::build_info().version,
              sturm::linalg::blas_kernels().kernels.c_str(), sturm::linalg::blas_kernels().library.c_str());
}
