// SPDX-License-Identifier: BSD-3-Clause
// sturm fit: one model on all samples, with the proof of how good it is.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "sturm/cli/commands.h"
#include "sturm/cli/data_facts.h"
#include "sturm/cli/fit_files.h"
#include "sturm/cli/input.h"
#include "sturm/cli/method_flags.h"
#include "sturm/cli/options.h"
#include "sturm/cli/run_options.h"
#include "sturm/cli/signals.h"
#include "sturm/core/memory.h"
#include "sturm/core/output_folder.h"
#include "sturm/core/parallel.h"
#include "sturm/eval/folds.h"
#include "sturm/imaging/content_hash.h"
#include "sturm/models/one_vs_rest.h"
#include "sturm/models/platt.h"
#include "sturm/models/rbf_file.h"
#include "sturm/models/registry.h"
#include "sturm/solver/constants.h"

namespace sturm::cli {
namespace {

using nlohmann::ordered_json;

struct FitCommand {
  CLI::App* app = nullptr;
  InputOptions input;
  RunOptions run;
  SturmOptions model;
  std::string method = "sturm";
  std::vector<double> setting;  ///< the parameters as given; NaN where they are relative
  double tube = 0.1;
  bool balanced = false;
  bool probabilities = false;
  bool strict = false;
  bool json = false;
  bool report = true;
};

void require(bool holds, const char* sentence) {
  if (!holds) throw UsageError(sentence);
}

/// Ranges, and flags that do not go together.
void check_options(FitCommand& command) {
  const SturmOptions& o = command.model;
  const auto given = [&](const char* flag) { return !command.app->get_option(flag)->empty(); };
  const Method<double>& method = find_method<double>(command.method);
  const bool relative = given("--strength") || given("--balance");
  command.setting = setting_from_flags(*command.app, method, relative);
  require(!given("--balance") || method.has_parameter("tau"),
          "--balance is between two penalties, --tau and --gamma, and this method does not have both.");
  require(o.solver.solver == SolverKind::certified || method.has_parameter("tau"),
          "--solver paper is the algorithm of sturm and remurs: leave it out, or fit one of those.");
  const bool classes = command.input.classes || !command.input.positive.empty();
  require(!given("--tube") || method.has_parameter("C"),
          "--tube is of support vector machines: leave it out, or fit one of them.");
  require(!given("--tube") || !classes, "--tube is around the targets of a regression, and these are classes.");
  require(command.tube >= 0 && std::isfinite(command.tube), "--tube is a number from 0.");
  require(!command.balanced || classes, "--balanced weighs classes: add --classes, or --positive and one of two.");
  require(!command.probabilities || classes,
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
                             : command.model.solver.solver == SolverKind::paper
                                 ? "ran its iterations (paper)"
                                 : "NOT converged: stopped at the limit of iterations";
  const std::string gap =
      std::isnan(report.relative_gap) ? "" : fmt::format("relative gap {:.1e} ", report.relative_gap);
  say(run, "{}: {}after {} iterations in {}", status, gap, report.iterations, format_seconds(report.seconds));
  std::string numbers;
  const auto add = [&](const std::string& name, double value) {
    if (!std::isnan(value)) numbers += fmt::format("{}{} {:.4g}", numbers.empty() ? "" : ", ", name, value);
  };
  for (const auto& [name, value] : fit.parameters) add(name, value);
  add("alpha", report.alpha);
  add("intercept", report.intercept);
  say(run, "  {}, objective {:.6g}", numbers, report.objective);
  const FittedPart& first = fit.parts.front();
  std::size_t support = 0;
  for (const FittedPart& part : fit.parts)
    support += part.rbf ? part.rbf->rows.size() : part.mmk ? part.mmk->support.size() : 0;
  std::string map = first.linear ? fmt::format(": {:.1f} % of the coefficients are 0", 100 * report.sparsity)
                                 : fmt::format(": {} support vectors", support);
  if (report.tubal_rank >= 0) map += fmt::format(", tubal rank {}", report.tubal_rank);
  say(run, "  {} sample{} of {}{}", report.samples, report.samples == 1 ? "" : "s", to_string(fit.shape), map);
  say(run, "  written to {}: {}", run.output, join(files));
  if (report.status == Status::iteration_limit && command.model.solver.solver == SolverKind::certified)
    say(run, "  raise --iterations, or accept a larger --gap");
}

/// A target of two numbers is more often a class than a measure.
void hint_at_classes(const FitCommand& command, const Target& target) {
  const std::set<std::string> values(target.actual.begin(), target.actual.end());
  if (!target.classification() && values.size() == 2)
    say(command.run, "note: {} holds two values and is fitted as a regression; classify with --positive {}",
        target.column, *values.rbegin());
}

/// Five folds to learn probabilities on, or as many as the rarest class allows; samples of one name stay together.
template <class Real>
std::vector<int> probability_folds(const Dataset<Real>& data, std::uint64_t seed) {
  SampleKeys keys;
  std::map<double, std::set<std::string>> members;
  for (Index m = 0; m < data.design.samples(); ++m) {
    keys.ids.push_back(fmt::format("{:09}", m));
    if (!data.ids.empty()) keys.groups.push_back(data.ids[m]);
    keys.y.push_back(data.target.y[m]);
    members[keys.y.back()].insert(data.ids.empty() ? keys.ids.back() : data.ids[m]);
  }
  keys.classification = true;
  std::size_t least = 5;
  for (const auto& [label, names] : members) least = std::min(least, names.size());
  if (least < 2)
    throw Error("--probabilities are learnt from samples left out, and there is a class with one sample, or one " +
                std::string(data.ids.empty() ? "row" : data.id_column) + ", alone; leave the flag out.");
  return make_folds(keys, {FoldKind::count, static_cast<int>(least), "", "--probabilities"}, seed).of;
}

template <class Real>
FitOutcome fit_method(const FitCommand& command, const Dataset<Real>& data, const std::vector<double>& weights,
                      Index memory, const ProgressCallback& progress) {
  const auto start = std::chrono::steady_clock::now();
  const Method<Real>& method = find_method<Real>(command.method);
  const SturmOptions& o = command.model;
  const FitData<Real> study{backend_of(command.run),
                            data.design,
                            {},
                            o.normalize,
                            o.intercept,
                            o.alpha,
                            data.target.classification() ? std::nullopt : std::optional(command.tube)};
  // One task, or one a class against the rest, all with the same setting.
  const auto classes = static_cast<int>(data.target.names.size());
  std::vector<FitTask> tasks;
  for (int c = 0; c < std::max(1, classes); ++c)
    tasks.push_back({classes > 0 ? against_rest(data.target.y, c) : data.target.y, weights, command.setting});
  std::vector<double> setting = command.setting;
  if (!setting.empty() && std::isnan(setting.front())) {
    std::vector<std::vector<double>> each;
    each.reserve(tasks.size());
    for (const FitTask& task : tasks) each.push_back(method.relative_setting(study, task, o.strength, o.balance));
    std::ranges::copy(largest_of(each), setting.begin());
  }
  for (FitTask& task : tasks) task.setting = setting;
  FitOutcome out{command.method, {}, {}, data.design.shape(), std::vector<FittedPart>(tasks.size())};
  method.fit(study, tasks, {o.solver, memory, command.run.seed, progress},
             [&](Index t, const std::unique_ptr<FittedModel<Real>>& model) {
               FittedPart& part = out.parts[t];
               part.report = model->report;
               if (model->linear()) part.linear = *model->linear();
               if (model->rbf()) part.rbf = support_alone<double>(*model->rbf());
               part.mmk = model->mmk();
             });
  if (command.probabilities) {
    const std::vector<int> fold = probability_folds(data, command.run.seed);
    for (std::size_t t = 0; t < tasks.size(); ++t)
      out.parts[t].sigmoid =
          fit_sigmoid_on_folds(method, study, tasks[t], fold, {o.solver, memory, command.run.seed, progress});
  }
  std::vector<FitReport> reports;
  for (const FittedPart& part : out.parts) reports.push_back(part.report);
  out.report = classes > 0 ? together(reports) : reports.front();
  const std::vector<Parameter> parameters = method.parameters();
  for (std::size_t p = 0; p < parameters.size(); ++p) out.parameters.emplace_back(parameters[p].name, setting[p]);
  if (study.tube && method.has_parameter("C")) out.parameters.emplace_back("tube", *study.tube);
  const auto value_of = [&](const char* name) {
    for (const auto& [known, value] : out.parameters)
      if (known == name) return value;
    return std::numeric_limits<double>::quiet_NaN();
  };
  out.report.tau = value_of("tau");
  out.report.gamma = value_of("gamma");
  out.report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

template <class Real>
ordered_json hashes_of(const Dataset<Real>& data) {
  ContentHash table, volumes;
  for (const std::string& id : data.ids) table.add(id);
  for (const std::string& label : data.target.actual) table.add(label);
  volumes.add(data.design.x().data(), data.design.x().size() * sizeof(Real));
  return {{{"name", "hash of the table"}, {"value", table.text()}},
          {{"name", "hash of the volumes"}, {"value", volumes.text()}}};
}

template <class Real>
void fit(const FitCommand& command) {
  const RunOptions& run = command.run;
  std::vector<std::string> ours = fit_files;
  ours.insert(ours.end(), report_files.begin(), report_files.end());
  OutputFolder output(run.output, run.force, ours);
  LoadPlan plan{.purpose = Purpose::fit, .memory = memory_budget(run)};
  plan.on_top = [&](const Region& region, Index samples) {
    return find_method<Real>(command.method).bytes(region, samples);
  };
  ordered_json about = ordered_json::object();
  plan.read_target = [&](const Table& table) {
    Target target = read_target(table, {command.input.target, command.input.positive, command.input.classes});
    about = describe_table(table, target, command.input).data;
    return target;
  };
  Progress progress(run.progress, goal_of(command.model.solver), run.log_json);
  progress.event({{"event", "start"}, {"command", "fit"}, {"method", command.method}, {"output", run.output}});
  progress.stage("reading " + command.input.name());
  plan.progress = [&](Index done, Index total) { progress.count(done, total); };
  auto loaded = std::make_unique<const Input<Real>>(load_input<Real>(command.input, plan));
  const Input<Real>& input = *loaded;
  const Dataset<Real>& data = input.data;
  progress.close();
  for (const std::string& note : input.notes) say(run, "note: {}", note);
  hint_at_classes(command, data.target);
  if (run.verbose)
    say(run, "{}: {} samples of {}, {}; {} threads, up to {} of memory", command.input.name(), data.design.samples(),
        to_string(data.design.shape()), data.target.classification() ? "a classification" : "a regression", threads(),
        format_bytes(plan.memory));

  progress.stage("preparing");
  const std::vector<double> weights = command.balanced ? balanced_weights(data.target.y, data.weights) : data.weights;
  const ProgressCallback report = [&](const FitProgress& now) { return progress.report(now); };
  const FitOutcome result = fit_method(command, data, weights, plan.memory, report);
  on_signal(OnSignal::finish);  // until here nothing is on disk, and a signal ends the program at once
  const ordered_json facts = fit_facts(result, data.target, command.model, to_word(run.precision), input.space);
  about["command"] = command_line(*command.app);
  about["facts"] = volume_facts(command.input, input.space, data.design.samples(), {data.design.shape()});
  about["hashes"] = hashes_of(data);
  for (const std::string& note : input.notes) about["warnings"].push_back(note);
  const BrainMap background = mean_volume(data.design, input.space);
  const std::vector<std::uint8_t> mask = data.design.region().mask();
  const Target target = data.target;
  const std::optional<Space> space = input.space;
  loaded.reset();  // what follows needs no volumes beside it
  std::vector<std::string> files = write_fit(output.draft(), result, target, command.model, mask, facts, space);
  std::ranges::move(write_data(output.draft(), about, background, planted_truth(command.input)),
                    std::back_inserter(files));
  if (command.report)
    std::ranges::move(write_report(output.draft(), output.target().filename().string()), std::back_inserter(files));
  if (stop_asked()) throw Interrupted();
  on_signal(OnSignal::ignore);
  output.publish();

  progress.close();
  ordered_json end = {{"event", "end"}};
  end.update(facts);
  progress.event(end);
  say_summary(command, result, files);
  if (command.json) fmt::print("{}\n", to_text(facts));
  if (command.strict && result.report.status == Status::iteration_limit)
    throw NotConverged(
        fmt::format("{}: the relative gap is {:.1e} and not below --gap {:.1e} (--strict); the results are "
                    "written all the same, raise --iterations for better ones.",
                    run.output, result.report.relative_gap, command.model.solver.gap));
}

}  // namespace

void add_fit(CLI::App& program) {
  const auto command = std::make_shared<FitCommand>();
  CLI::App* const app = program.add_subcommand("fit", "Fit a model to all samples, with a certificate");
  command->app = app;
  add_input_flags(*app, command->input, Purpose::fit);
  app->add_option("--method", command->method, "the model: " + method_names())->capture_default_str()->group("Model");
  add_flags(*app, "Model", command->model);
  allow_automatic_alpha(*app);
  add_method_flags(*app, "Model");
  app->add_option("--tube", command->tube,
                  "errors that the SVM of a regression does not count, in standard deviations of the target")
      ->capture_default_str()
      ->group("Model");
  app->add_flag("--balanced", command->balanced, "weigh samples so that all classes count alike")->group("Model");
  app->add_flag("--probabilities", command->probabilities,
                "learn probabilities of the classes from samples left out, for sturm predict")
      ->group("Model");
  app->add_flag("--strict", command->strict, "exit with 4 where the gap was not reached")->group("Model");
  app->add_flag("--json", command->json, "print fit.json to stdout as well");
  app->add_flag_callback(
         "--no-report", [command] { command->report = false; }, "write no report.html")
      ->group("Running");
  add_run_flags(*app, command->run);
  app->callback([command] {
    begin_run(*command->app, command->run);
    check_options(*command);
    command->run.precision == Precision::f32 ? fit<float>(*command) : fit<double>(*command);
  });
}

}  // namespace sturm::cli
