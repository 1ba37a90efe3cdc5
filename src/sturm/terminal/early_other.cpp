// SPDX-License-Identifier: BSD-3-Clause
// Elsewhere nothing of ours runs before main().
#include "sturm/terminal/early.h"

namespace sturm::cli {

void started() {}

}  // namespace sturm::cli
