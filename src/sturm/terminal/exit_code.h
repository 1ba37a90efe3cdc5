// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace sturm::cli {

/// What the program ends with. Scripts depend on these numbers.
enum ExitCode { done = 0, our_bug = 1, wrong_usage = 2, bad_input = 3, not_converged = 4, resumable = 75 };

}  // namespace sturm::cli
