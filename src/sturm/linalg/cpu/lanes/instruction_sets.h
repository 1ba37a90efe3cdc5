// SPDX-License-Identifier: BSD-3-Clause
// The kernels of each instruction set. Only those that the processor has may be called.
#pragma once

#include "sturm/linalg/cpu/lanes/lanes.h"
#include "sturm/linalg/pairs.h"

namespace sturm::linalg {

const LaneKernels& lane_kernels_avx512();
const LaneKernels& lane_kernels_avx512vl();
const LaneKernels& lane_kernels_avx2();
const LaneKernels& lane_kernels_portable();
const PairKernel& pair_kernel_avx512bf16();

}  // namespace sturm::linalg
