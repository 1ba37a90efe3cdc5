// SPDX-License-Identifier: BSD-3-Clause
// The lane kernels for avx512.
#include <immintrin.h>

#include "sturm/linalg/cpu/lanes_isa.h"

#define STURM_LANE_BYTES 64
#define STURM_LANE_BLOCK 4
#define STURM_SWEEP_ROWS 8
#define STURM_FORWARD_ROWS 16
#define STURM_SWEEP_BLOCK sweep_block

namespace sturm::linalg {
namespace {
#include "sturm/linalg/cpu/lanes_kernels.inl"
}  // namespace

const LaneKernels& lane_kernels_avx512() {
  static constexpr LaneKernels kernels{"avx512", kernel<float>(), kernel<double>()};
  return kernels;
}

}  // namespace sturm::linalg
