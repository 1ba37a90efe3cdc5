// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/printable.h"

namespace sturm {

std::string printable(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    // U+0080 to U+009F, in UTF-8: control characters of eight bits.
    const bool wide = byte == 0xc2 && at + 1 < text.size() && (static_cast<unsigned char>(text[at + 1]) & 0xe0) == 0x80;
    const unsigned code = wide ? static_cast<unsigned char>(text[++at]) : byte;
    if (byte == '\n')
      out += "\\n";
    else if (wide || byte < 0x20 || byte == 0x7f)
      out += std::string("\\x") + digits[code >> 4] + digits[code & 15];
    else
      out += text[at];
  }
  return out;
}

}  // namespace sturm
