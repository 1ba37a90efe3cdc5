// SPDX-License-Identifier: BSD-3-Clause
// All kernels of one instruction set, inside its own namespace; in the order in which they build on each other.
// clang-format off
#include "sturm/linalg/cpu/lanes_types.inl"
#include "sturm/linalg/cpu/lanes_gram.inl"
#include "sturm/linalg/cpu/lanes_eigen.inl"
#include "sturm/linalg/cpu/lanes_shrink.inl"
#include "sturm/linalg/cpu/lanes_voxels.inl"
#include "sturm/linalg/cpu/lanes_sweep.inl"
#include "sturm/linalg/cpu/lanes_tubes.inl"
#include "sturm/linalg/cpu/lanes_outer.inl"
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
