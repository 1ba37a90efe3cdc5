// SPDX-License-Identifier: BSD-3-Clause
// sturm phantom: a synthetic study with a known answer, to try things on.
#include <memory>

#include "sturm/app/phantom_files.h"
#include "sturm/cli/commands.h"
#include "sturm/cli/options.h"
#include "sturm/cli/terminal.h"

namespace sturm::cli {
namespace {

struct PhantomCommand {
  CLI::App* app = nullptr;
  PhantomOptions phantom;
  RunOptions run;
};

void phantom(PhantomCommand& command) {
  const RunOptions& run = command.run;
  command.phantom.seed = run.seed;
  Terminal terminal(run, {});
  const std::string shape = write_phantom(run.output, run.force, command.phantom, memory_budget(run), terminal);
  say(run, "{} volumes of {} written to {}; fit them with", command.phantom.subjects, shape, run.output);
  say(run, "  sturm fit --samples {}/samples.tsv --target group --positive patient -o OUT", run.output);
}

}  // namespace

void add_phantom(CLI::App& program) {
  const auto command = std::make_shared<PhantomCommand>();
  CLI::App* const app = program.add_subcommand("phantom", "write a synthetic study with a known answer");
  app->footer(
      "40 people, half of them patients\nsturm phantom -o phantom\n"
      "A study from three scanners\nsturm phantom --subjects 60 --sites 3 -o phantom");
  command->app = app;
  add_flags(*app, "Phantom", command->phantom);
  app->get_option("--size")->type_name("I1xI2xI3")->capture_default_str();
  add_run_flags(*app, command->run);
  app->callback([command] {
    const UseThreads threads = begin_run(*command->app, command->run);
    phantom(*command);
  });
}

}  // namespace sturm::cli
