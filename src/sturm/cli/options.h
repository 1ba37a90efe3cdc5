// SPDX-License-Identifier: BSD-3-Clause
// Flags made from the description of an options struct (core/options.h).
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <string>

#include "sturm/core/number.h"
#include "sturm/core/options.h"
#include "sturm/core/suggest.h"
#include "sturm/core/table.h"
#include "sturm/terminal/words.h"

namespace sturm::cli {

/// "a|b|c"
template <class Enum>
std::string choices() {
  std::string all;
  for (const std::string& name : names_of<Enum>()) all += (all.empty() ? "" : "|") + name;
  return all;
}

/// from_word(), which says what may be meant by a word that is none of them.
template <class Enum>
Enum chosen(const std::string& word, const std::string& name) {
  const std::vector<std::string> names = names_of<Enum>();
  const std::string meant = did_you_mean(word, names);
  if (!meant.empty() && std::ranges::find(names, word) == names.end())
    throw UsageError(option_name(name) + " is one of " + join(names, names.size()) + ", not " + word + meant + ".");
  return from_word<Enum>(word, name);
}

/// Makes a flag whose value is a number go through core/number.h, with the range of its type.
template <class Number>
void read_as_number(CLI::Option& option) {
  const std::string name = option.get_single_name();
  option.transform([name](std::string text) { return number_text<Number>(text, name); })
      ->type_name(std::is_floating_point_v<Number> ? "NUMBER" : "N");
}

/// For every flag of every command, however it was made: numbers go through core/number.h, and nothing may be empty.
void use_one_parser(CLI::App& program);

/// The visitor that describe() calls: one flag per field. A bool that is true becomes --no-NAME.
struct Flags {
  CLI::App& app;
  std::string group;

  template <class Value>
  void operator()(const std::string& name, Value& value, const std::string& sentence) const {
    const std::string help = in_flags(sentence);
    if constexpr (std::is_same_v<Value, bool>) {
      const bool before = value;
      app.add_flag_callback((before ? "--no-" : "--") + name, [&value, before] { value = !before; }, help)
          ->group(group);
    } else if constexpr (std::is_enum_v<Value>) {
      const auto set = [&value, name](const std::string& word) { value = chosen<Value>(word, name); };
      app.add_option_function<std::string>("--" + name, set, help)
          ->type_name(choices<Value>())
          ->default_str(to_word(value))
          ->group(group);
    } else {
      CLI::Option* const option = app.add_option("--" + name, value, help)->group(group);
      if constexpr (std::is_arithmetic_v<Value>) {
        if (value >= 0) option->capture_default_str();  // a negative default means "not given"
        read_as_number<Value>(*option);
      } else if (!value.empty()) {
        option->capture_default_str();
      }
    }
  }
};

/// The options, as flags of a command. They must outlive it.
template <class Options>
void add_flags(CLI::App& app, const std::string& group, Options& options) {
  describe(Flags{app, group}, options);
}

/// Adds `--config FILE`: a TOML file whose keys are the names of flags, either at its top or in a section named after
/// the command. Sections of other commands are passed over.
void add_config(CLI::App& app);

/// Fills in from the file what the command line does not say; a key that is no flag is an error. Called first of all
/// by a command that has add_config().
void apply_config(CLI::App& app);

}  // namespace sturm::cli
