// SPDX-License-Identifier: BSD-3-Clause
// sturm verify: whether a fit is what it says, from its proof and the raw volumes.
#include "sturm/app/verify.h"

#include <fmt/core.h>

#include <memory>

#include "sturm/cli/commands.h"
#include "sturm/cli/options.h"
#include "sturm/cli/terminal.h"
#include "sturm/results/json.h"
#include "sturm/terminal/voice.h"

namespace sturm::cli {
namespace {

struct VerifyCommand {
  CLI::App* app = nullptr;
  VerifyRequest request;
  RunOptions run;
  bool json = false;
};

void verify(const VerifyCommand& command) {
  Terminal terminal(command.run, {});
  const Verdict found = verify_fit(command.request, terminal);
  fmt::print("{}", command.json ? json_text(to_json(found)) + "\n" : table_of(found));
  for (const std::string& problem : found.problems) tell("error", problem);
  if (!found.accepted)
    throw Error({command.request.folder},
                "rejected: " + plural(std::ssize(found.problems), "problem") + ", listed above.");
  say(command.run, "{}: accepted; what it claims is what the volumes give", command.request.folder);
}

}  // namespace

void add_verify(CLI::App& program) {
  const auto command = std::make_shared<VerifyCommand>();
  CLI::App* const app = program.add_subcommand("verify", "check the proof of a fit from the raw volumes");
  app->footer(
      "A fit whose volumes are where they were\nsturm verify fit\n"
      "Volumes that lie elsewhere now\nsturm verify fit --samples elsewhere/samples.tsv");
  command->app = app;
  InputOptions& input = command->request.input;
  app->add_option("DIR", command->request.folder, "folder written by sturm fit --proof")->required();
  const auto option = [&](const char* name, std::string& value, const char* type) {
    app->add_option(name, value, "as for sturm fit, where it lies elsewhere now")->type_name(type)->group("Input");
  };
  option("--samples", input.source.samples, "FILE.tsv");
  option("--participants", input.source.participants, "FILE.tsv");
  option("--images", input.source.images, "TEMPLATE");
  option("--bids", input.source.bids, "DIR");
  option("--array", input.array, "X.npy");
  option("--labels", input.labels, "Y.tsv");
  option("--mask", input.mask, "FILE");
  app->add_flag("--json", command->json, "print JSON");
  const Flags running{*app, "Running"};
  running("threads", command->run.threads, "0: every processor, or OMP_NUM_THREADS");
  running("memory", command->run.memory, "for the volumes, such as 4G (default: 60 % of what is available)");
  running("progress", command->run.progress, "auto: a bar on a terminal, lines elsewhere");
  app->add_flag("-q,--quiet", command->run.quiet, "say nothing but what is wrong")->group("Running");
  add_config(*app);
  app->callback([command] {
    command->run.output = "-";  // nothing is written
    const UseThreads threads = begin_run(*command->app, command->run);
    command->request.run = command->run.settings();
    verify(*command);
  });
}

}  // namespace sturm::cli
