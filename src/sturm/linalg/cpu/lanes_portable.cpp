// SPDX-License-Identifier: BSD-3-Clause
// The lane kernels for portable.
#include "sturm/linalg/cpu/lanes_isa.h"

#define STURM_LANE_BYTES 16
#define STURM_LANE_BLOCK 2

namespace sturm::linalg {
namespace {
#include "sturm/linalg/cpu/lanes_types.inl"
// In the order in which they build on each other:
// clang-format off
#include "sturm/linalg/cpu/lanes_gram.inl"
#include "sturm/linalg/cpu/lanes_eigen.inl"
#include "sturm/linalg/cpu/lanes_shrink.inl"
// clang-format on
}  // namespace

const LaneKernels& lane_kernels_portable() {
  static constexpr LaneKernels kernels{"portable",
                                       {width<float>, scratch_bytes<float>, shrink_any<float>},
                                       {width<double>, scratch_bytes<double>, shrink_any<double>}};
  return kernels;
}

}  // namespace sturm::linalg
