// SPDX-License-Identifier: BSD-3-Clause
// Which kernels an x86 processor can run.
#include "sturm/linalg/cpu/lanes_isa.h"

namespace sturm::linalg {

std::vector<const LaneKernels*> available_lane_kernels() {
  std::vector<const LaneKernels*> out;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    out.push_back(&lane_kernels_avx512());
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) out.push_back(&lane_kernels_avx2());
  out.push_back(&lane_kernels_portable());
  return out;
}

}  // namespace sturm::linalg
