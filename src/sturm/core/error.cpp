// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/error.h"

namespace sturm {

std::string to_string(const Place& place) {
  std::string out = place.file;
  if (place.line > 0) out += (out.empty() ? "line " : ", line ") + std::to_string(place.line);
  if (!place.field.empty()) out += (out.empty() ? "column " : ", column ") + place.field;
  return out;
}

}  // namespace sturm
