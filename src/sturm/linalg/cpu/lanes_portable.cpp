// SPDX-License-Identifier: BSD-3-Clause
// The lane kernels for portable.
#include "sturm/linalg/cpu/lanes_isa.h"

#define STURM_LANE_BYTES 16
#define STURM_LANE_BLOCK 2
#define STURM_SWEEP_ROWS 8
#define STURM_FORWARD_ROWS 12
#define STURM_SWEEP_BLOCK sweep_block

namespace sturm::linalg {
namespace {
#include "sturm/linalg/cpu/lanes_kernels.inl"
}  // namespace

const LaneKernels& lane_kernels_portable() {
  static constexpr LaneKernels kernels{"portable", kernel<float>(), kernel<double>()};
  return kernels;
}

}  // namespace sturm::linalg
