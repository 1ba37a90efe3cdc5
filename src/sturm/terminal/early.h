// SPDX-License-Identifier: BSD-3-Clause
// A start that never ends: the matrix library waits for memory before main() begins, where a limit (ulimit -v) leaves
// too little. Then the program ends with a sentence instead.
#pragma once

namespace sturm::cli {

/// Says that main() has begun.
void started();

}  // namespace sturm::cli
