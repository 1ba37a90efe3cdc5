// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/results/rows.h"

namespace sturm {

Setting parse_setting(const std::string& text) {
  Setting out;
  for (const std::string& part : split(text, ' ')) {
    const auto equals = part.find('=');
    if (equals == std::string::npos) continue;
    out.values.emplace_back(part.substr(0, equals), parse_number(part.substr(equals + 1)));
  }
  return out;
}

}  // namespace sturm
