// SPDX-License-Identifier: BSD-3-Clause
// Numbers as a person writes them in an option: the one place that reads them, for every front door.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace sturm {

/// A finite number in decimal form, spaces around it allowed. Anything else is a UsageError that names the option:
/// nothing at all, words, nan, inf, hexadecimal numbers, and what is too large or too small for a double.
double real_number(std::string_view text, std::string_view option);

/// A whole number in decimal digits, from `least` to `most`.
std::int64_t whole_number(std::string_view text, std::string_view option, std::int64_t least, std::int64_t most);

/// The range of an option's type. Unsigned numbers end at 2^63 - 1, so that they can be written and read everywhere.
template <std::integral Whole>
constexpr std::int64_t least_of = std::is_signed_v<Whole> ? std::numeric_limits<Whole>::min() : 0;
template <std::integral Whole>
constexpr std::int64_t most_of = sizeof(Whole) < 8 ? static_cast<std::int64_t>(std::numeric_limits<Whole>::max())
                                                   : std::numeric_limits<std::int64_t>::max();

/// The text of a real number as every reader of numbers takes it: checked, without spaces or a plus.
std::string real_text(std::string_view text, std::string_view option);

/// The same for a number of any type.
template <class Number>
std::string number_text(std::string_view text, std::string_view option) {
  if constexpr (std::is_floating_point_v<Number>)
    return real_text(text, option);
  else
    return std::to_string(whole_number(text, option, least_of<Number>, most_of<Number>));
}

}  // namespace sturm
