// SPDX-License-Identifier: BSD-3-Clause
// What the system's allocator does with memory that is freed.
#pragma once

namespace sturm {

/// Keeps freed memory for the next array. By default large arrays go back to the system, which clears their pages each
/// time they are taken again: a sixth of the time of a fit on one thread. A setting of the whole process: for programs
/// of our own, never for the library.
void keep_freed_memory();

}  // namespace sturm
