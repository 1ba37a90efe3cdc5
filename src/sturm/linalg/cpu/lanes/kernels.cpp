// SPDX-License-Identifier: BSD-3-Clause
// The lane kernels of one instruction set. CMake compiles this file once for each, with its flags, and defines
//     STURM_LANE_KERNELS   the function that returns them, for example lane_kernels_avx2
//     STURM_LANE_NAME      their name, for example "avx2"
//     STURM_LANE_BYTES     how wide a vector is
//     STURM_LANE_BLOCK     rows of a block of a matrix product, as many as its registers hold
//     STURM_FORWARD_ROWS   vectors of sums that stay in registers: 16 where there are 32 of them, 12 where there are 16
#ifdef __x86_64__
#include <immintrin.h>  // out here: the kernels are in a namespace of their own
#endif

#include "sturm/linalg/cpu/lanes/instruction_sets.h"

namespace sturm::linalg {
namespace {

// In the order in which they build on each other.
// clang-format off
#include "sturm/linalg/cpu/lanes/types.inl"
#include "sturm/linalg/cpu/lanes/gram.inl"
#include "sturm/linalg/cpu/lanes/eigen.inl"
#include "sturm/linalg/cpu/lanes/shrink.inl"
#include "sturm/linalg/cpu/lanes/voxels.inl"
#include "sturm/linalg/cpu/lanes/sweep.inl"
#include "sturm/linalg/cpu/lanes/tubes.inl"
#include "sturm/linalg/cpu/lanes/outer.inl"
// clang-format on

template <class R>
constexpr LaneKernel<R> kernel() {
  return {.width = width<R>,
          .frobenius = frobenius<R>,
          .scratch = scratch_bytes<R>,
          .begin = begin_any<R>,
          .proceed = proceed_any<R>,
          .norms = norms_any<R>,
          .adjoint = adjoint_block<R>,
          .adjoint_few = adjoint_few<8, R>,
          .forward = forward_block<R>,
          .forward_one = forward_one<R>,
          .forward_few = forward_few<4, R>,
          .outer = outer_products<R>,
          .to_columns = turn_panel<true, R>,
          .to_panel = turn_panel<false, R>,
          .between = shrink_block<R>,
          .tubes = 2 * width<R>,
          .dft_forward = dft_forward<R>,
          .dft_inverse = dft_inverse<R>,
          .voxels = voxel_kernel<R>()};
}

}  // namespace

const LaneKernels& STURM_LANE_KERNELS() {
  static constexpr LaneKernels kernels{STURM_LANE_NAME, kernel<float>(), kernel<double>()};
  return kernels;
}

}  // namespace sturm::linalg
