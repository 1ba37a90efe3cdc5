// SPDX-License-Identifier: BSD-3-Clause
// Stands in for the CUDA backend where it is not built.
#include "sturm/linalg/backend.h"

namespace sturm::linalg {

std::string cuda_unavailable() { return "not built"; }

}  // namespace sturm::linalg
