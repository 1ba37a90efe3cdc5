// SPDX-License-Identifier: BSD-3-Clause
// sturm help: what a command does, and from the same descriptions a man page and completion for shells.
#include <fmt/core.h>

#include <memory>
#include <string>

#include "sturm/cli/commands.h"
#include "sturm/cli/manual_of.h"
#include "sturm/core/options.h"
#include "sturm/core/suggest.h"
#include "sturm/core/table.h"

namespace sturm {

enum class Shell { bash, zsh };
template <>
inline std::vector<std::string> names_of<Shell>() {
  return {"bash", "zsh"};
}

namespace cli {

void add_help(CLI::App& program) {
  struct HelpCommand {
    std::string command, shell;
    bool man = false;
  };
  const auto asked = std::make_shared<HelpCommand>();
  CLI::App* const app = program.add_subcommand("help", "what a command does and what its flags mean");
  app->add_option("command", asked->command, "the command; alone: all of them")->type_name("COMMAND");
  app->add_flag("--man", asked->man, "print a page for man");
  app->add_option("--completion", asked->shell, "print a script that completes commands and flags in this shell")
      ->type_name("bash|zsh");
  app->footer("What cv does\nsturm help cv\nCompletion in this shell\nsturm help --completion bash > sturm.bash");
  app->callback([asked, &program] {
    const ProgramPage page = manual_of(program);
    if (!asked->command.empty() && page.command(asked->command) == nullptr)
      throw UsageError(fmt::format("there is no command '{}'{}; there are: {}.", asked->command,
                                   did_you_mean(asked->command, page.command_names()), join(page.command_names(), 50)));
    if (asked->man)
      fmt::print("{}", man_page(page));
    else if (asked->shell.empty())
      print_help(page, asked->command);
    else
      fmt::print("{}", from_word<Shell>(asked->shell, "completion") == Shell::bash ? bash_completion(page)
                                                                                   : zsh_completion(page));
  });
}

}  // namespace cli
}  // namespace sturm
