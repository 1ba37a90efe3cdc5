// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/json_text.h"

namespace sturm {

bool is_shallow_json(std::string_view text) {
  constexpr int deepest = 64;
  int depth = 0;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    if (quoted && letter == '\\')
      ++at;
    else if (letter == '"')
      quoted = !quoted;
    else if (!quoted && (letter == '[' || letter == '{') && ++depth > deepest)
      return false;
    else if (!quoted && (letter == ']' || letter == '}'))
      --depth;
  }
  return true;
}

}  // namespace sturm
