// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/text.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace sturm {
namespace {

/// The character that begins at a position, and its bytes; none: the byte there is not UTF-8.
struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;
};

Character character_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  if (first < 0x80) return {first, 1};
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || at + bytes > text.size()) return {};
  std::uint32_t code = first & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(at + i) & 0xC0U) != 0x80U) return {};
    code = code << 6U | (byte(at + i) & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < least[bytes] || code > 0x10FFFF || surrogate) return {};
  return {code, bytes};
}

void append_utf8(std::string& out, std::uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0U | code >> 6U);
    out += static_cast<char>(0x80U | (code & 0x3FU));
  } else {  // letters that have a small one lie no higher
    out += static_cast<char>(0xE0U | code >> 12U);
    out += static_cast<char>(0x80U | (code >> 6U & 0x3FU));
    out += static_cast<char>(0x80U | (code & 0x3FU));
  }
}

/// Characters that are obeyed rather than shown.
bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x200E && code <= 0x200F) ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

/// Spaces, and characters of no width.
bool is_space(std::uint32_t code) {
  return code <= 0x20 || code == 0xA0 || code == 0xAD || (code >= 0x2000 && code <= 0x200F) || code == 0x202F ||
         code == 0x205F || code == 0x2060 || code == 0x3000 || code == 0xFEFF;
}

std::uint32_t small_letter(std::uint32_t code) {
  const bool latin = (code >= 'A' && code <= 'Z') || (code >= 0xC0 && code <= 0xDE && code != 0xD7);
  const bool greek = code >= 0x391 && code <= 0x3A9, cyrillic = code >= 0x410 && code <= 0x42F;
  return latin || greek || cyrillic ? code + 0x20 : code;
}

}  // namespace

std::size_t first_not_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Character next = character_at(text, at);
    if (next.bytes == 0) return at;
    at += next.bytes;
  }
  return std::string_view::npos;
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  const auto spell = [&out](const char* before, std::uint32_t code, unsigned digits) {
    out += before;
    while (digits > 0) out += "0123456789abcdef"[(code >> (4U * --digits)) & 0xFU];
  };
  for (std::size_t at = 0; at < text.size();) {
    const Character next = character_at(text, at);
    const std::size_t bytes = std::max<std::size_t>(1, next.bytes);
    if (next.bytes == 0)
      spell("\\x", static_cast<unsigned char>(text[at]), 2);
    else if (next.code == '\t')
      out += ' ';
    else if (next.code == '\n' && text.substr(at + 1).starts_with("  "))
      out += '\n';
    else if (next.code == '\n')
      out += "\\n";
    else if (is_control(next.code))
      spell(next.code < 0x100 ? "\\x" : "\\u", next.code, next.code < 0x100 ? 2 : 4);
    else
      out += text.substr(at, bytes);
    at += bytes;
  }
  return out;
}

std::string clipped(std::string_view text) {
  constexpr std::size_t most = 80;
  if (text.size() <= most) return std::string(text);
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // not inside a character
  return std::string(text.substr(0, end)) + "... (" + std::to_string(text.size()) + " bytes)";
}

std::string in_quotes(std::string_view text) { return "'" + clipped(text) + "'"; }

std::string folded(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const Character next = character_at(text, at);
    if (next.bytes == 0)
      out += text[at];
    else if (next.code >= 0x10000)
      out += text.substr(at, next.bytes);
    else if (!is_space(next.code))
      append_utf8(out, small_letter(next.code));
    at += std::max<std::size_t>(1, next.bytes);
  }
  return out;
}

bool means_missing(std::string_view text) {
  if (text.empty()) return true;
  if (text.size() > 4) return false;
  std::string word(text);
  std::ranges::transform(word, word.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return word == "n/a" || word == "na" || word == "nan" || word == "null";
}

}  // namespace sturm
