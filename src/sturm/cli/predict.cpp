// SPDX-License-Identifier: BSD-3-Clause
// sturm predict: a fitted model on other volumes.
#include <cmath>
#include <filesystem>
#include <memory>

#include "sturm/app/predictions.h"
#include "sturm/cli/commands.h"
#include "sturm/cli/input_flags.h"
#include "sturm/cli/terminal.h"
#include "sturm/core/files.h"
#include "sturm/core/output_folder.h"
#include "sturm/eval/scores.h"

namespace sturm::cli {
namespace {

struct PredictCommand {
  CLI::App* app = nullptr;
  PredictRequest request;
  RunOptions run;
};

/// How good the predictions are, over the samples whose target is known.
void say_score(const RunOptions& run, const Target& target, const std::vector<double>& decisions) {
  if (!target.names.empty()) {
    const std::vector<double> labels = predicted_labels(decisions, target.y.size());
    Index all = 0, hits = 0;
    for (std::size_t m = 0; m < target.y.size(); ++m) {
      all += !std::isnan(target.y[m]);
      hits += labels[m] == target.y[m];
    }
    if (all == 0) return;
    return say(run, "accuracy {:.1f} % ({} of {}; {} classes)",
               100.0 * static_cast<double>(hits) / static_cast<double>(all), hits, all, target.names.size());
  }
  double n = 0, right = 0, sum_p = 0, sum_y = 0, error = 0;
  for (std::size_t m = 0; m < target.y.size(); ++m) {
    if (std::isnan(target.y[m])) continue;
    n += 1;
    right += (decisions[m] >= 0) == (target.y[m] > 0);
    sum_p += decisions[m];
    sum_y += target.y[m];
    error += (decisions[m] - target.y[m]) * (decisions[m] - target.y[m]);
  }
  if (n == 0) return;
  if (target.classes) return say(run, "accuracy {:.1f} % ({} of {})", 100 * right / n, right, n);
  double py = 0, pp = 0, yy = 0;
  for (std::size_t m = 0; m < target.y.size(); ++m) {
    if (std::isnan(target.y[m])) continue;
    const double p = decisions[m] - sum_p / n, y = target.y[m] - sum_y / n;
    py += p * y;
    pp += p * p;
    yy += y * y;
  }
  const std::string r = pp > 0 && yy > 0 ? fmt::format("{:.3f}", py / std::sqrt(pp * yy)) : "undefined";
  say(run, "correlation {}, root mean square error {:.4g} ({} samples)", r, std::sqrt(error / n), n);
}

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
    fmt::print("{}", found.table);
  } else {
    terminal.enter(Phase::writing);
    write_file(output->draft() / "predictions.tsv", found.table);
    stop_if_asked(terminal);
    terminal.enter(Phase::written);
    output->publish();
    say(run, "{} predictions written to {}", found.samples,
        (std::filesystem::path(run.output) / "predictions.tsv").string());
  }
  say_score(run, found.target, found.decisions);
}

}  // namespace

void add_predict(CLI::App& program) {
  const auto command = std::make_shared<PredictCommand>();
  CLI::App* const app = program.add_subcommand("predict", "Use a fitted model on other volumes");
  command->app = app;
  app->add_option("--model", command->request.model, "folder written by sturm fit, or its model.safetensors")
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
