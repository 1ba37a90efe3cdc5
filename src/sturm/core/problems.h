// SPDX-License-Identifier: BSD-3-Clause
// Many problems at once: everything that is wrong, told in as few lines as it takes.
#pragma once

#include <string>
#include <vector>

namespace sturm {

/// Sentences of the form "WHERE: what." with those that say the same counted: "45 files: what (WHERE, ... and
/// 40 more)." `what` may begin with a number of its own, as in "3 voxels are NaN": numbers that differ become "3 to
/// 17". Each stands where its first one stood.
std::vector<std::string> counted(const std::vector<std::string>& sentences);

/// Throws one Error with every problem in it, one per line; does nothing where there is none.
void require_none(const std::vector<std::string>& problems);

}  // namespace sturm
