// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/cli/options.h"

#include <set>

#include "sturm/cli/config_file.h"
#include "sturm/cli/manual_of.h"
#include "sturm/core/suggest.h"

namespace sturm::cli {
namespace {

/// Gives a flag its value from the file.
void set_from_file(CLI::Option& option, const ConfigKey& key, const std::string& file) {
  const bool is_switch = option.get_expected_min() == 0;
  const Place place{file, key.line, {}};
  if (is_switch != key.is_switch)
    throw Error(place, "key '" + key.name + "' is " +
                           (is_switch ? "either true or false, without quotes." : "a value, not true or false."));
  if (is_switch && key.value == "false") return;  // as if it were not there
  option.add_result(is_switch ? option.get_flag_value(key.name, "true") : key.value);
  try {
    option.run_callback();
  } catch (const Error& error) {
    throw Error(place, "key '" + key.name + "': " + error.what());
  } catch (const CLI::Error& error) {
    throw Error(place, "key '" + key.name + "': " + error.what() + ".");
  }
}

bool is_command(const CLI::App& program, const std::string& name) {
  return !program.get_subcommands([&name](const CLI::App* app) { return app->get_name() == name; }).empty();
}

}  // namespace

void use_one_parser(CLI::App& program) {
  for (CLI::App* app : program.get_subcommands({}))
    for (CLI::Option* option : app->get_options()) {
      if (option->get_expected_min() == 0) continue;
      const std::string name = option->get_single_name(), type = option->get_type_name();
      if (type == "FLOAT") read_as_number<double>(*option);
      if (type == "INT") read_as_number<std::int64_t>(*option);
      if (type == "UINT") read_as_number<std::uint64_t>(*option);
      const bool flag = option->nonpositional();
      option->transform([name, flag](std::string text) {
        if (text.empty())
          throw UsageError((flag ? option_name(name) : name) + " is empty: give it a value, or leave it out.");
        return text;
      });
    }
}

void add_config(CLI::App& app) {
  app.add_option("--config", "TOML file whose keys are the names of these flags; the command line wins")
      ->type_name("FILE");
}

void apply_config(CLI::App& app) {
  const CLI::Option* const config = app.get_option("--config");
  if (config->empty()) return;
  const auto file = config->as<std::string>();
  const std::vector<ConfigKey> keys = read_config(file);
  std::vector<std::string> known;
  std::set<const CLI::Option*> said;  // on the command line, then in the section, which goes before the top
  for (const CLI::Option* option : app.get_options()) {
    if (!option->empty()) said.insert(option);
    if (option->nonpositional()) known.push_back(option->get_single_name());
  }
  for (const bool in_section : {true, false}) {
    for (const ConfigKey& key : keys) {
      if (key.section.empty() == in_section) continue;
      if (in_section && key.section != app.get_name()) {
        if (is_command(*app.get_parent(), key.section)) continue;
        throw Error({file, key.line, {}}, "[" + key.section + "] is not the name of a command.");
      }
      CLI::Option* const option = app.get_option_no_throw("--" + key.name);
      if (option == nullptr || key.name == "config" || key.name == "help")
        throw Error({file, key.line, {}}, "'" + key.name + "' is not a flag of sturm " + app.get_name() +
                                              did_you_mean(key.name, known) + "; see sturm help " + app.get_name() +
                                              ".");
      if (said.insert(option).second) set_from_file(*option, key, file);
    }
  }
}

}  // namespace sturm::cli
