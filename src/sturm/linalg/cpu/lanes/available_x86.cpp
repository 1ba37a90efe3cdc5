// SPDX-License-Identifier: BSD-3-Clause
// Which kernels an x86 processor can run.
#include <cpuid.h>

#include "sturm/linalg/cpu/lanes/instruction_sets.h"

namespace sturm::linalg {

std::vector<const LaneKernels*> available_lane_kernels() {
  std::vector<const LaneKernels*> out;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    out.push_back(&lane_kernels_avx512());
    out.push_back(&lane_kernels_avx512vl());
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) out.push_back(&lane_kernels_avx2());
  out.push_back(&lane_kernels_portable());
  return out;
}

const PairKernel* available_pair_kernel() {
  const bool has = __builtin_cpu_supports("avx512bf16") && __builtin_cpu_supports("avx512bw");
  return has && available_lane_kernels().front() == &lane_kernels_avx512() ? &pair_kernel_avx512bf16() : nullptr;
}

double wide_lane_cost() {
  // AMD's first generation with AVX-512 (family 25, Zen 4) runs it on units half as wide; the others do not. Measured
  // there over the sizes of brain slices, against the same set of registers half as wide: 1.77 to 2.0.
  static const double cost = [] {  // asked once: a virtual machine takes microseconds to answer
    constexpr unsigned halving_family = 25;
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx)) return 1.0;
    const unsigned base = eax >> 8 & 15, family = base == 15 ? base + (eax >> 20 & 255) : base;
    return family == halving_family ? 1.85 : 1.0;
  }();
  return cost;
}

}  // namespace sturm::linalg
