// SPDX-License-Identifier: BSD-3-Clause
// Other processors than x86 run the kernels that need nothing but 16-byte vectors.
#include "sturm/linalg/cpu/lanes/instruction_sets.h"

namespace sturm::linalg {

std::vector<const LaneKernels*> available_lane_kernels() { return {&lane_kernels_portable()}; }

const PairKernel* available_pair_kernel() { return nullptr; }

double wide_lane_cost() { return 1; }

}  // namespace sturm::linalg
