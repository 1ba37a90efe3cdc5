// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/results/study_settings.h"

#include <fmt/core.h>

namespace sturm {
namespace {

struct Words {
  Named<std::string> out;

  template <class Value>
  void operator()(const std::string& key, const Value& value, const std::string&) {
    if constexpr (std::is_same_v<Value, bool>)
      out.emplace_back(key, value ? "yes" : "no");
    else if constexpr (std::is_enum_v<Value>)
      out.emplace_back(key, to_word(value));
    else if constexpr (std::is_arithmetic_v<Value>)
      out.emplace_back(key, fmt::format("{}", value));
    else
      out.emplace_back(key, value);
  }
};

}  // namespace

Named<std::string> in_words(const StudySettings& settings) {
  Words words;
  describe_const(words, settings);
  return std::move(words.out);
}

}  // namespace sturm
