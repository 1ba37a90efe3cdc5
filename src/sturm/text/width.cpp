// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/text/width.h"

#include <algorithm>

namespace sturm {
namespace {

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

}  // namespace

int width_of(std::string_view text) { return static_cast<int>(std::ranges::count_if(text, begins_character)); }

std::string shortened(const std::string& text, int columns) {
  if (width_of(text) <= columns) return text;
  const std::string dots(static_cast<std::size_t>(std::clamp(columns, 0, 3)), '.');
  int room = columns - static_cast<int>(dots.size());
  std::string out;
  for (const char c : text) {
    if (begins_character(c) && room-- <= 0) break;
    out += c;
  }
  return out + dots;
}

}  // namespace sturm
