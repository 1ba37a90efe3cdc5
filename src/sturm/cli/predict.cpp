// SPDX-License-Identifier: BSD-3-Clause
// sturm predict: a fitted model on other volumes.
#include <filesystem>
#include <memory>

#include "sturm/app/predictions.h"
#include "sturm/cli/commands.h"
#include "sturm/cli/input_flags.h"
#include "sturm/cli/terminal.h"
#include "sturm/core/files.h"
#include "sturm/core/output_folder.h"
#include "sturm/terminal/words.h"

namespace sturm::cli {
namespace {

struct PredictCommand {
  CLI::App* app = nullptr;
  PredictRequest request;
  RunOptions run;
};

void write_predictions(const PredictCommand& command) {
  const RunOptions& run = command.run;
  const bool to_stdout = run.output == "-";
  std::unique_ptr<OutputFolder> output;
  if (!to_stdout)
    output = std::make_unique<OutputFolder>(run.output, run.force, std::vector<std::string>{"predictions.tsv"});
  Terminal terminal(run, {});
  const Predictions found = run.precision == Precision::f32 ? predict<float>(command.request, terminal)
                                                            : predict<double>(command.request, terminal);
  if (to_stdout) {
    print_data(found.table);
  } else {
    terminal.enter(Phase::writing);
    write_file(output->draft() / "predictions.tsv", found.table);
    stop_if_asked(terminal);
    terminal.enter(Phase::written);
    output->publish();
    say(run, "{} predictions written to {}", found.samples,
        (std::filesystem::path(run.output) / "predictions.tsv").string());
  }
  for (const std::string& sentence : found.scores) say(run, "{}", sentence);
}

}  // namespace

void add_predict(CLI::App& program) {
  const auto command = std::make_shared<PredictCommand>();
  CLI::App* const app = program.add_subcommand("predict", "use a fitted model on other volumes");
  app->footer(
      "A table of predictions in a new folder\nsturm predict --model fit --samples others.tsv -o predictions\n"
      "The same to stdout, with scores where the target is known\n"
      "sturm predict --model fit --samples others.tsv --target group -o -");
  command->app = app;
  app->add_option("--model", command->request.model,
                  "folder written by sturm fit, its model.safetensors, or a model_METHOD.safetensors of sturm cv")
      ->type_name("DIR|FILE");
  add_input_flags(*app, command->request.input, Purpose::predict);
  add_run_flags(*app, command->run);
  app->get_option("--output")->description("folder for predictions.tsv, or - for stdout");
  app->callback([command] {
    const UseThreads threads = begin_run(*command->app, command->run);
    if (command->request.model.empty())
      throw UsageError("--model is missing: a folder written by sturm fit, or its model file.");
    command->request.run = command->run.settings();
    write_predictions(*command);
  });
}

}  // namespace sturm::cli
