// SPDX-License-Identifier: BSD-3-Clause
// Chooses the lane kernels for this processor.
#include "sturm/linalg/cpu/lanes/lanes.h"

#include <cstdlib>
#include <string_view>

#include "sturm/linalg/simd.h"

namespace sturm::linalg {

const LaneKernels& lane_kernels() {
  static const LaneKernels* const chosen = [] {
    const auto available = available_lane_kernels();
    const char* wish = std::getenv("STURM_SIMD");
    for (const LaneKernels* kernels : available)
      if (wish && std::string_view(wish) == kernels->name) return kernels;
    return available.front();
  }();
  return *chosen;
}

const LaneKernels* narrow_lane_kernels() {
  static const LaneKernels* const chosen = []() -> const LaneKernels* {
    const auto available = available_lane_kernels();
    // The portable kernels have no fused multiply-add, and so other bits.
    return available.size() > 2 && !std::getenv("STURM_SIMD") ? available[1] : nullptr;
  }();
  return chosen;
}

const PairKernel* pair_kernel() {
  static const PairKernel* const chosen =
      &lane_kernels() == available_lane_kernels().front() ? available_pair_kernel() : nullptr;
  return chosen;
}

template <>
const LaneKernel<float>& kernel_for(const LaneKernels& kernels) {
  return kernels.f32;
}
template <>
const LaneKernel<double>& kernel_for(const LaneKernels& kernels) {
  return kernels.f64;
}

template <>
const VoxelKernel<float>& voxel_kernel() {
  return lane_kernels().f32.voxels;
}
template <>
const VoxelKernel<double>& voxel_kernel() {
  return lane_kernels().f64.voxels;
}

std::string simd_level() {
  const LaneKernels& kernels = lane_kernels();
  return std::string(kernels.name) + ", " + std::to_string(kernels.f32.width) + " float lanes" +
         (pair_kernel() ? ", bfloat16 pairs" : "");
}

}  // namespace sturm::linalg
