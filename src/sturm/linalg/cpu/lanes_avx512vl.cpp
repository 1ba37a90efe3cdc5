// SPDX-License-Identifier: BSD-3-Clause
// The lane kernels for avx512 in registers half as wide, of which it has 32 where avx2 has 16.
#include <immintrin.h>

#include "sturm/linalg/cpu/lanes_isa.h"

#define STURM_LANE_BYTES 32
#define STURM_LANE_BLOCK 4
#define STURM_SWEEP_ROWS 8
#define STURM_FORWARD_ROWS 16
#define STURM_SWEEP_BLOCK sweep_block

namespace sturm::linalg {
namespace {
#include "sturm/linalg/cpu/lanes_kernels.inl"
}  // namespace

const LaneKernels& lane_kernels_avx512vl() {
  static constexpr LaneKernels kernels{"avx512vl", kernel<float>(), kernel<double>()};
  return kernels;
}

}  // namespace sturm::linalg
