// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/sentence.h"

#include <algorithm>

namespace sturm {
namespace {

bool is_name(std::string_view word) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return !word.empty() && letter(word.front()) &&
         std::ranges::all_of(word, [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '-'; });
}

}  // namespace

std::string option_name(std::string_view name, std::string_view value) {
  std::string out = "`" + std::string(name);
  if (!value.empty()) out += " " + std::string(value);
  return out + "`";
}

std::string with_options(std::string_view sentence,
                         const std::function<std::string(std::string_view, std::string_view)>& write) {
  std::string out;
  while (true) {
    const auto open = sentence.find('`');
    const auto close = open == std::string_view::npos ? open : sentence.find('`', open + 1);
    if (close == std::string_view::npos) return out += sentence;
    const std::string_view words = sentence.substr(open + 1, close - open - 1);
    const auto space = std::min(words.find(' '), words.size());
    const std::string_view name = words.substr(0, space);
    out += sentence.substr(0, open);
    if (is_name(name) && words.back() != ' ') {
      out += write(name, words.substr(std::min(space + 1, words.size())));
      sentence.remove_prefix(close + 1);
    } else {
      out += '`';
      sentence.remove_prefix(open + 1);
    }
  }
}

}  // namespace sturm
