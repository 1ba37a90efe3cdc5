// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "sturm/core/options.h"

namespace sturm {

/// What is done to volumes before a method sees them: nothing; each volume to mean 0 and norm 1; each voxel to variance
/// 1 over the training set.
enum class Normalize { none, sample, voxel };
template <>
inline std::vector<std::string> names_of<Normalize>() {
  return {"none", "sample", "voxel"};
}

}  // namespace sturm
