// SPDX-License-Identifier: BSD-3-Clause
// sturm cv: methods compared by nested cross-validation, resumable at any moment.
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "sturm/app/cv_run.h"
#include "sturm/app/effort.h"
#include "sturm/cli/command_line.h"
#include "sturm/cli/commands.h"
#include "sturm/cli/input_flags.h"
#include "sturm/cli/method_flags.h"
#include "sturm/cli/options.h"
#include "sturm/cli/terminal.h"
#include "sturm/core/memory.h"
#include "sturm/terminal/signals.h"
#include "sturm/terminal/words.h"

namespace sturm::cli {
namespace {

struct CvCommand {
  CLI::App* app = nullptr;
  CvRequest request;
  RunOptions run;
  Preset preset = Preset::advised;
  bool dry_run = false;
  bool json = false;
};

/// The paper's protocol, where a flag does not say otherwise. The paper is silent on normalisation and on the number of
/// iterations: unit-norm samples are the scaling for which its rho = 1 is sane, and 500 iterations are what is run.
void apply_preset(CvCommand& command) {
  if (command.preset != Preset::paper) return;
  const auto given = [&](const char* flag) { return !command.app->get_option(flag)->empty(); };
  CvOptions& o = command.request.options;
  if (!given("--grid")) o.grid = GridKind::paper;
  if (!given("--outer")) o.folds.outer = "10";
  if (!given("--inner")) o.folds.inner = "9";
  if (!given("--resize") && command.request.input.from_volumes()) o.resize = "0.3,0.5,0.7";
  if (!given("--top")) o.top = "1,5,10,50,100";
  if (!given("--alpha")) o.alpha = 0;
  if (!given("--normalize")) o.normalize = Normalize::sample;
  if (!given("--no-intercept")) o.intercept = false;
  if (!given("--solver")) o.solver.solver = SolverKind::paper;
}

/// What a run would do.
template <class Real>
void say_plan(const CvCommand& command, const CvStudy<Real>& study, Index missing) {
  const RunOptions& run = command.run;
  const Index samples = study.facts.keys.rows();
  Index bytes = 0;
  bool exact = true;
  for (const Outline& outline : study.outlines) {
    bytes += checked_product(samples, outline.voxels * static_cast<Index>(sizeof(Real)));
    exact &= outline.exact;
  }
  fmt::print("{}, {}, {}: {}, {} of them to do\n", plural(samples, "sample"), plural(study.plan.folds(), "outer fold"),
             plural(study.plan.permutations, "permutation"),
             plural(static_cast<Index>(study.plan.tasks.size()), "task"), missing);
  fmt::print("volumes in memory: {}{}; --memory allows {} in all\n", exact ? "" : "at most ", format_bytes(bytes),
             format_bytes(memory_budget(run)));
  if (!exact) fmt::print("no voxel was read: each training set learns its own mask, and may use fewer voxels\n");
  fmt::print("{:<24} {:>12} {:>14} {:>14}\n", "methods", "fits", "about", "memory");
  for (const std::vector<std::string>& family : study.plan.families) {
    const Effort one = effort_of(study, family);
    const Index folds = 1 + study.plan.folds() * (1 + study.plan.permutations);
    std::string name;
    for (const std::string& member : family) name += (name.empty() ? "" : ", ") + member;
    fmt::print("{:<24} {:>12} {:>14} {:>14}\n", name, one.fits * folds,
               format_seconds(one.seconds * static_cast<double>(folds)), format_bytes(bytes + one.bytes));
  }
}

template <class Real>
void cv(const CvCommand& command) {
  const CvRequest& request = command.request;
  check_places(request);
  say_when_stopped("stopped; the same command goes on from here.");
  Terminal terminal(command.run, {});
  const CvStudy<Real> study = load_study<Real>(request.input, request.options, request.run, terminal, command.dry_run);
  terminal.close();
  for (const std::string& note : study.notes) terminal.note(note);
  if (command.dry_run) return say_plan(command, study, tasks_to_do(request, study));
  const CvDone done = run_cv(request, study, terminal);
  nlohmann::ordered_json end = {{"event", "end"}, {"output", request.output}, {"files", done.files}};
  if (!done.results.empty()) end["methods"] = nlohmann::ordered_json::parse(done.results)["methods"];
  tell_event(end);
  if (done.end == CvEnd::part)
    say(command.run, "part {} is done; {} of other parts are not. The part that ends last writes {}.", request.shard,
        plural(done.missing, "task"), request.output);
  if (command.json) fmt::print("{}", done.results);
  if (done.end != CvEnd::written || command.run.quiet) return;
  if (!command.json) print_data(done.table);
  say(command.run, "written to {}: {}", request.output, join(done.files, 40));
}

}  // namespace

void add_cv(CLI::App& program) {
  const auto command = std::make_shared<CvCommand>();
  CLI::App* const app = program.add_subcommand("cv", "compare methods by nested cross-validation, resumable");
  app->footer(
      "Patients against controls, ten outer and nine inner folds; started again it goes on where it was\n"
      "sturm cv --samples samples.tsv --target group --positive patient --methods sturm,sturm+svm,svm -o results\n"
      "What that would take, before it is started\n"
      "sturm cv --samples samples.tsv --target group --positive patient -o results --dry-run");
  command->app = app;
  add_input_flags(*app, command->request.input, Purpose::cv);
  add_flags(*app, "Study", command->request.options);
  allow_automatic_alpha(*app);
  app->add_option_function<std::string>(
         "--preset", [command](const std::string& word) { command->preset = chosen<Preset>(word, "preset"); },
         "advised, or paper: its grid, folds, resizing, solver and normalisation, unless other flags say otherwise")
      ->type_name(choices<Preset>())
      ->default_str("advised")
      ->group("Study");
  app->add_option("--shard", command->request.shard, "run part i of n: '2/8'; parts share --work")
      ->capture_default_str()
      ->group("Running");
  app->add_option("--work", command->request.work, "folder of the journal (default: OUTPUT.work)")
      ->type_name("DIR")
      ->group("Running");
  app->add_flag_callback(
         "--no-report", [command] { command->request.report = false; }, "write no report.html")
      ->group("Running");
  app->add_flag("--dry-run", command->dry_run, "say what would be done: fits, memory, time")->group("Running");
  app->add_flag("--json", command->json, "print results.json to stdout, in place of the table");
  add_run_flags(*app, command->run);
  app->callback([command] {
    const UseThreads threads = begin_run(*command->app, command->run);
    apply_preset(*command);
    if (command->request.work.empty()) {
      std::string output = command->run.output;
      while (output.size() > 1 && output.ends_with('/')) output.pop_back();
      command->request.work = output + ".work";
    }
    if (!(command->request.options.tube >= 0 && std::isfinite(command->request.options.tube)))
      throw UsageError("--tube is a number from 0.");
    if (command->request.options.permutations < 0) throw UsageError("--permutations is a number from 0.");
    check_solver(command->request.options.solver);
    if (!(command->request.options.inner_gap >= 0 && command->request.options.inner_gap < 1))
      throw UsageError("--inner-gap is a number from 0 (every inner fit to --gap) to 1, such as 1e-2.");
    CvRequest& request = command->request;
    request.run = command->run.settings();
    request.output = command->run.output;
    request.force = command->run.force;
    request.command = command_line(*command->app);
    command->run.precision == Precision::f32 ? cv<float>(*command) : cv<double>(*command);
  });
}

}  // namespace sturm::cli
