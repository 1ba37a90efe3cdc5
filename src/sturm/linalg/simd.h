// SPDX-License-Identifier: BSD-3-Clause
// The vector width that our own kernels use, as opposed to those of the BLAS.
#pragma once

#include <string>

namespace sturm::linalg {

/// For example "avx512, 16 float lanes, bfloat16 pairs".
std::string simd_level();

}  // namespace sturm::linalg
