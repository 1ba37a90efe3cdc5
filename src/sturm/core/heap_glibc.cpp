// SPDX-License-Identifier: BSD-3-Clause
#include <malloc.h>

#include "sturm/core/heap.h"

namespace sturm {

void keep_freed_memory() {
  mallopt(M_MMAP_THRESHOLD, 4 << 20);  // larger arrays, such as designs, still go back: the peak stays where it was
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
}

}  // namespace sturm
