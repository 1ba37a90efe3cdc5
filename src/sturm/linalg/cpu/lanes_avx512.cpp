// SPDX-License-Identifier: BSD-3-Clause
// The lane kernels for avx512.
#include "sturm/linalg/cpu/lanes_isa.h"

#define STURM_LANE_BYTES 64
#define STURM_LANE_BLOCK 4
#define STURM_SWEEP_ROWS 8
#define STURM_FORWARD_ROWS 16
#define STURM_SWEEP_BLOCK sweep_block

namespace sturm::linalg {
namespace {
#include "sturm/linalg/cpu/lanes_types.inl"
// In the order in which they build on each other:
// clang-format off
#include "sturm/linalg/cpu/lanes_gram.inl"
#include "sturm/linalg/cpu/lanes_eigen.inl"
#include "sturm/linalg/cpu/lanes_shrink.inl"
#include "sturm/linalg/cpu/lanes_voxels.inl"
#include "sturm/linalg/cpu/lanes_sweep.inl"
// clang-format on

template <class R>
constexpr LaneKernel<R> kernel() {
  return {width<R>,         scratch_bytes<R>,    shrink_any<R>,        norms_any<R>,    adjoint_block<R>,
          forward_block<R>, turn_panel<true, R>, turn_panel<false, R>, shrink_block<R>, voxel_kernel<R>()};
}

}  // namespace

const LaneKernels& lane_kernels_avx512() {
  static constexpr LaneKernels kernels{"avx512", kernel<float>(), kernel<double>()};
  return kernels;
}

}  // namespace sturm::linalg
