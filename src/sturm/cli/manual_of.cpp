// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/cli/manual_of.h"

#include <fmt/core.h>
#include <unistd.h>

#include "sturm/cli/commands.h"
#include "sturm/core/build_info.h"
#include "sturm/core/table.h"
#include "sturm/terminal/progress.h"

namespace sturm::cli {
namespace {

FlagPage page_of(const CLI::Option& option) {
  FlagPage page;
  for (const std::string& name : option.get_snames()) page.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) page.names.push_back("--" + name);
  page.alone = option.get_positional();
  if (page.names.empty()) page.names.push_back(option.get_name());
  if (option.get_expected_min() > 0 || page.alone) page.value = option.get_type_name();
  if (page.alone && page.value == "TEXT") page.value = option.get_name();
  page.usual = option.get_default_str();
  page.sentence = option.get_description();
  page.group = option.get_group() == "Options" ? "" : option.get_group();
  page.required = option.get_required();
  page.often = option.get_expected_max() > 1;
  return page;
}

CommandPage page_of(const CLI::App& app) {
  CommandPage page{app.get_name(), app.get_description(), {}, {}};
  for (const CLI::Option* option : app.get_options())
    if (!option->get_group().empty()) page.flags.push_back(page_of(*option));  // without a group: hidden
  const std::vector<std::string> lines = split(app.get_footer(), '\n');
  for (std::size_t n = 0; n + 1 < lines.size(); n += 2) page.examples.push_back({lines[n], lines[n + 1]});
  return page;
}

}  // namespace

ProgramPage manual_of(const CLI::App& program) {
  ProgramPage out{page_of(program), build_info().version, {}, {}};
  for (const CLI::App* command : program.get_subcommands({})) out.commands.push_back(page_of(*command));
  out.endings = {
      {done, "done"},
      {our_bug, "a bug of ours: please tell us"},
      {wrong_usage, "flags or values that do not exist or do not go together"},
      {bad_input, "input that cannot be used, or output that cannot be written"},
      {not_converged, "under --strict: a fit did not reach its gap, and its results are written all the same"},
      {resumable, "stopped; the same command goes on from there"}};
  return out;
}

void print_help(const ProgramPage& page, const std::string& command) {
  const int columns = terminal_columns(STDOUT_FILENO);
  fmt::print("{}", command.empty() ? help_of(page, columns) : help_of(page, *page.command(command), columns));
}

}  // namespace sturm::cli
