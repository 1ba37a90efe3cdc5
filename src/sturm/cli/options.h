// SPDX-License-Identifier: BSD-3-Clause
// Flags made from the description of an options struct (core/options.h).
#pragma once

#include <CLI/CLI.hpp>
#include <cmath>
#include <string>

#include "sturm/cli/words.h"
#include "sturm/core/options.h"

namespace sturm::cli {

/// "a|b|c"
template <class Enum>
std::string choices() {
  std::string all;
  for (const std::string& name : names_of<Enum>()) all += (all.empty() ? "" : "|") + name;
  return all;
}

/// The visitor that describe() calls: one flag a field. A bool that is true becomes --no-NAME.
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
      const auto set = [&value, name](const std::string& word) { value = from_word<Value>(word, name); };
      app.add_option_function<std::string>("--" + name, set, help)
          ->type_name(choices<Value>())
          ->default_str(to_word(value))
          ->group(group);
    } else {
      CLI::Option* const option = app.add_option("--" + name, value, help)->group(group);
      if constexpr (std::is_arithmetic_v<Value>) {
        if (value >= 0) option->capture_default_str();  // a negative default means "not given"
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
