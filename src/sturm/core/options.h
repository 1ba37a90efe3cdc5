// SPDX-License-Identifier: BSD-3-Clause
// Options are plain structs with defaults in place. Beside each struct stands one function
//     template <class Field> void describe(Field&& field, Options& o) { field("name", o.name, "what it means"); ... }
// which is the only place that names its fields: command line flags, config keys, Python keywords and reference pages
// are all made from it. A field is bool, int, double, std::string or an enum with names_of(enum) below.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "sturm/core/error.h"
#include "sturm/core/sentence.h"

namespace sturm {

/// The words for the values of an enum, in order from 0. Specialised beside each enum used as an option.
template <class Enum>
std::vector<std::string> names_of() = delete;

template <class Enum>
std::string to_word(Enum value) {
  return names_of<Enum>().at(static_cast<std::size_t>(value));
}

template <class Enum>
Enum from_word(std::string_view word, std::string_view option) {
  std::string all;
  const auto names = names_of<Enum>();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == word) return static_cast<Enum>(i);
    all += (i ? ", " : "") + names[i];
  }
  throw UsageError(option_name(option) + " is one of " + all + ", not " + std::string(word) + ".");
}

}  // namespace sturm
