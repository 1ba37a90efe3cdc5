// SPDX-License-Identifier: BSD-3-Clause
// The numbers that volumes are held and computed with; sums that matter are f64 anyway.
#pragma once

#include <string>
#include <vector>

#include "sturm/core/options.h"

namespace sturm {

enum class Precision { f32, f64 };
template <>
inline std::vector<std::string> names_of<Precision>() {
  return {"f32", "f64"};
}

}  // namespace sturm
