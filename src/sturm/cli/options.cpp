// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/cli/options.h"

#include <set>

namespace sturm::cli {
namespace {

/// Gives a flag its value from the file.
void set_from_file(CLI::Option& option, const CLI::ConfigItem& item) {
  if (option.get_expected_min() == 0)
    option.add_result(option.get_flag_value(item.name, item.inputs.empty() ? "true" : item.inputs.front()));
  else
    option.add_result(item.inputs);
  option.run_callback();
}

bool is_command(const CLI::App& program, const std::string& name) {
  return !program.get_subcommands([&name](const CLI::App* app) { return app->get_name() == name; }).empty();
}

}  // namespace

void add_config(CLI::App& app) {
  app.add_option("--config", "TOML file whose keys are the names of these flags; the command line wins")
      ->type_name("FILE");
}

void apply_config(CLI::App& app) {
  const CLI::Option* const config = app.get_option("--config");
  if (config->empty()) return;
  const auto file = config->as<std::string>();
  std::vector<CLI::ConfigItem> items;
  try {
    items = CLI::ConfigTOML().from_file(file);
  } catch (const CLI::FileError&) {
    throw Error({file}, "cannot be opened; check the path given to --config.");
  } catch (const CLI::Error& error) {
    throw Error({file}, std::string("is not TOML that can be read here: ") + error.what() + ".");
  }
  std::set<const CLI::Option*> said;  // on the command line, then in the section, which goes before the top
  for (const CLI::Option* option : app.get_options())
    if (!option->empty()) said.insert(option);
  for (const bool in_section : {true, false}) {
    for (const CLI::ConfigItem& item : items) {
      if (item.name == "++" || item.name == "--" || item.parents.empty() == in_section) continue;
      if (in_section && item.parents != std::vector{app.get_name()}) {
        if (item.parents.size() == 1 && is_command(*app.get_parent(), item.parents[0])) continue;
        throw Error({file}, "[" + CLI::detail::join(item.parents, ".") + "] is not the name of a command.");
      }
      CLI::Option* const option = app.get_option_no_throw("--" + item.name);
      if (option == nullptr || item.name == "config")
        throw Error({file}, "'" + item.name + "' is not a flag of sturm " + app.get_name() + "; see sturm " +
                                app.get_name() + " --help.");
      if (!said.insert(option).second) continue;
      try {
        set_from_file(*option, item);
      } catch (const CLI::Error& error) {
        throw Error({file}, "key '" + item.name + "': " + error.what() + ".");
      }
    }
  }
}

}  // namespace sturm::cli
