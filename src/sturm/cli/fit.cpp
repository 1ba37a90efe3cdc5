// SPDX-License-Identifier: BSD-3-Clause
// sturm fit: one model on all samples, with the proof of how good it is.
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "sturm/app/fit_run.h"
#include "sturm/cli/command_line.h"
#include "sturm/cli/commands.h"
#include "sturm/cli/input_flags.h"
#include "sturm/cli/method_flags.h"
#include "sturm/cli/options.h"
#include "sturm/cli/terminal.h"
#include "sturm/models/registry.h"
#include "sturm/results/json.h"
#include "sturm/solver/constants.h"

namespace sturm::cli {
namespace {

using nlohmann::ordered_json;

struct FitCommand {
  CLI::App* app = nullptr;
  FitRequest request;
  RunOptions run;
  bool strict = false;
  bool json = false;
};

void require(bool holds, const char* sentence) {
  if (!holds) throw UsageError(sentence);
}

/// Ranges, and flags that do not go together.
void check_options(FitCommand& command) {
  const FitOptions& o = command.request.model;
  const auto given = [&](const char* flag) { return !command.app->get_option(flag)->empty(); };
  const Method<double>& method = find_method<double>(command.request.method);
  const bool relative = given("--strength") || given("--balance");
  const ChooseOptions& choosing = command.request.choosing;
  if (choosing.choose) {
    refuse_setting(*command.app, "--choose");
  } else {
    for (const char* flag :
         {"--inner", "--grid", "--score", "--one-standard-error", "--top", "--inner-gap", "--groups"})
      if (given(flag)) throw UsageError(fmt::format("{} goes with --choose, which is not given.", flag));
    command.request.setting = setting_from_flags(*command.app, method, relative);
  }
  require(choosing.inner_gap >= 0 && choosing.inner_gap < 1,
          "--inner-gap is a number from 0 (every inner fit to --gap) to 1, such as 1e-2.");
  require(!given("--balance") || method.has_parameter("tau"),
          "--balance is between two penalties, --tau and --gamma, and this method does not have both.");
  require(o.solver.solver == SolverKind::certified || method.has_parameter("tau"),
          "--solver paper is the algorithm of sturm and remurs: leave it out, or fit one of those.");
  const bool classes = command.request.input.classes || !command.request.input.positive.empty();
  require(!given("--tube") || method.has_parameter("C"),
          "--tube is of support vector machines: leave it out, or fit one of them.");
  require(!given("--tube") || !classes, "--tube is around the targets of a regression, and these are classes.");
  require(command.request.tube >= 0 && std::isfinite(command.request.tube), "--tube is a number from 0.");
  require(!command.request.balanced || classes,
          "--balanced weighs classes: add --classes, or --positive and one of two.");
  require(!command.request.probabilities || classes,
          "--probabilities are of classes: add --classes, or --positive and one of two.");
  check_solver(o.solver);
  require(!given("--tau") || (o.tau >= 0 && std::isfinite(o.tau)), "--tau is a number from 0.");
  require(!given("--gamma") || (o.gamma >= 0 && std::isfinite(o.gamma)), "--gamma is a number from 0.");
  require(o.strength > 0 && std::isfinite(o.strength),
          "--strength is a number above 0, and 1 is where W becomes zero.");
  require(o.balance >= 0 && o.balance <= 1,
          "--balance is a number from 0 (l1 alone) to 1 (the low-rank penalty alone).");
}

ProgressGoal goal_of(const SolverOptions& o) {
  const bool paper = o.solver == SolverKind::paper;
  return {paper ? 0 : o.gap, o.iterations > 0 ? o.iterations : paper ? paper_iterations : iteration_limit};
}

void say_summary(const FitCommand& command, const FitOutcome& fit, const std::vector<std::string>& files) {
  const RunOptions& run = command.run;
  const FitReport& report = fit.report;
  const std::string status = report.status == Status::converged       ? "converged"
                             : report.status == Status::zero_solution ? "the solution is zero everywhere"
                             : command.request.model.solver.solver == SolverKind::paper
                                 ? "ran its iterations (paper)"
                                 : "NOT converged: stopped at the limit of iterations";
  const std::string gap =
      std::isnan(report.relative_gap) ? "" : fmt::format("relative gap {:.1e} ", report.relative_gap);
  say(run, "{}: {}after {} in {}", status, gap, plural(report.iterations, "iteration"), format_seconds(report.seconds));
  std::string numbers;
  const auto add = [&](const std::string& name, double value) {
    if (!std::isnan(value)) numbers += fmt::format("{}{} {:.4g}", numbers.empty() ? "" : ", ", name, value);
  };
  for (const auto& [name, value] : fit.parameters) add(name, value);
  add("alpha", report.alpha);
  add("intercept", report.intercept);
  say(run, "  {}, objective {:.6g}", numbers, report.objective);
  const FittedPart& first = fit.parts.front();
  Index support = 0;
  for (const FittedPart& part : fit.parts) support += part.saved.model.support();
  std::string map = first.saved.model.has_map()
                        ? fmt::format(": {:.1f} % of the coefficients in the mask are 0", 100 * report.sparsity_in_mask)
                        : fmt::format(": {} support vectors", support);
  if (report.tubal_rank >= 0) map += fmt::format(", tubal rank {}", report.tubal_rank);
  say(run, "  {} sample{} of {}{}", report.samples, report.samples == 1 ? "" : "s", to_string(fit.shape), map);
  if (fit.choice)
    say(run,
        "  chosen of {} by {} {:.3f} over {}: optimistic, being the best of them; sturm cv tells how good such a model "
        "is on others",
        plural(fit.choice->settings, "setting"), facts_of(measure_of(fit.choice->score)).words, fit.choice->inner_score,
        plural(fit.choice->folds, "fold"));
  say(run, "  written to {}: {}", run.output, join(files));
  if (report.status == Status::iteration_limit && command.request.model.solver.solver == SolverKind::certified)
    say(run, "  raise --iterations, or accept a larger --gap");
}

void fit(FitCommand& command) {
  const RunOptions& run = command.run;
  command.request.run = run.settings();
  command.request.command = command_line(*command.app);
  OutputFolder output(run.output, run.force, fit_file_names());
  Terminal terminal(run, goal_of(command.request.model.solver));
  const FitDone done = run.precision == Precision::f32 ? run_fit<float>(command.request, output, terminal)
                                                       : run_fit<double>(command.request, output, terminal);
  ordered_json end = {{"event", "end"}};
  end.update(to_json(done.facts));
  tell_event(end);
  say_summary(command, done.outcome, done.files);
  if (command.json) fmt::print("{}\n", json_text(to_json(done.facts)));
  if (command.strict && done.outcome.report.status == Status::iteration_limit)
    throw NotConverged(
        fmt::format("{}: the relative gap is {:.1e} and not below --gap {:.1e} (--strict); the results are "
                    "written all the same, raise --iterations for better ones.",
                    run.output, done.outcome.report.relative_gap, command.request.model.solver.gap));
}

}  // namespace

void add_fit(CLI::App& program) {
  const auto command = std::make_shared<FitCommand>();
  CLI::App* const app = program.add_subcommand("fit", "fit one model to all samples, with a proof of how good it is");
  app->footer(
      "A sparse map of low rank\n"
      "sturm fit --samples samples.tsv --target group --positive patient --strength 0.2 -o fit\n"
      "The same penalties as numbers, for volumes in one array\n"
      "sturm fit --array X.npy --labels y.tsv --target score --tau 0.5 --gamma 0.1 -o fit");
  command->app = app;
  add_input_flags(*app, command->request.input, Purpose::fit);
  app->add_option("--method", command->request.method, "the model: " + method_names())
      ->capture_default_str()
      ->group("Model");
  add_flags(*app, "Model", command->request.model);
  allow_automatic_alpha(*app);
  add_method_flags(*app, "Model");
  app->add_option("--tube", command->request.tube,
                  "errors that the SVM of a regression does not count, in standard deviations of the target")
      ->capture_default_str()
      ->group("Model");
  add_flags(*app, "Choosing", command->request.choosing);
  app->add_option("--confounds", command->request.confounds,
                  "columns that are regressed out of the volumes; sturm predict takes them out too")
      ->type_name("A,B")
      ->group("Input");
  app->add_flag("--balanced", command->request.balanced, "weigh samples so that all classes count alike")
      ->group("Model");
  app->add_flag("--probabilities", command->request.probabilities,
                "learn probabilities of the classes from samples left out, for sturm predict")
      ->group("Model");
  app->add_flag("--proof", command->request.proof, "write proof.safetensors, for sturm verify")->group("Model");
  app->add_flag("--strict", command->strict, "exit with 4 where the gap was not reached")->group("Model");
  app->add_flag("--json", command->json, "print fit.json to stdout as well");
  app->add_flag_callback(
         "--no-report", [command] { command->request.report = false; }, "write no report.html")
      ->group("Running");
  add_run_flags(*app, command->run);
  app->callback([command] {
    const UseThreads threads = begin_run(*command->app, command->run);
    check_options(*command);
    fit(*command);
  });
}

}  // namespace sturm::cli
