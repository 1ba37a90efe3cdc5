// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/number.h"

#include <charconv>
#include <cmath>

#include "sturm/core/error.h"
#include "sturm/core/sentence.h"

namespace sturm {
namespace {

std::string_view bare(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  text = text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  return text;
}

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

/// Digits, perhaps with a minus before them.
bool is_whole(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string bounds(std::int64_t least, std::int64_t most) {
  if (least >= 0) return " from " + std::to_string(least) + " to " + std::to_string(most);
  return " of at most " + std::to_string(most);
}

void require_text(std::string_view text, std::string_view option) {
  if (text.empty()) throw UsageError(option_name(option) + " is empty: give it a number, or leave it out.");
}

}  // namespace

double real_number(std::string_view text, std::string_view option) {
  const std::string_view word = bare(text);
  require_text(word, option);
  double value = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool whole_word = end == word.data() + word.size();
  if (whole_word && code == std::errc::result_out_of_range)
    throw UsageError(option_name(option) + " is a number, and " + quoted(text) +
                     " is too large or too small to be held as one.");
  if (!whole_word || code != std::errc{} || !std::isfinite(value))
    throw UsageError(option_name(option) + " is a number, such as 0.5 or 1e-3, not " + quoted(text) + ".");
  return value;
}

std::string real_text(std::string_view text, std::string_view option) {
  real_number(text, option);
  return std::string(bare(text));
}

std::int64_t whole_number(std::string_view text, std::string_view option, std::int64_t least, std::int64_t most) {
  const std::string_view word = bare(text);
  require_text(word, option);
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (!is_whole(word))
    throw UsageError(option_name(option) + " is a whole number" + bounds(least, most) + ", not " + quoted(text) + ".");
  if (code != std::errc{} || value < least || value > most)
    throw UsageError(option_name(option) + " is a whole number" + bounds(least, most) + ", and " + quoted(text) +
                     " is outside that.");
  return value;
}

}  // namespace sturm
