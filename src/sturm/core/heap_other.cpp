// SPDX-License-Identifier: BSD-3-Clause
// Without mallopt: the allocator does as it likes.
#include "sturm/core/heap.h"

namespace sturm {

void keep_freed_memory() {}

}  // namespace sturm
