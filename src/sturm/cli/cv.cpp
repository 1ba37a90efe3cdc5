// SPDX-License-Identifier: BSD-3-Clause
// sturm cv: methods compared by nested cross-validation, resumable at any moment.
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "sturm/app/cv_run.h"
#include "sturm/cli/command_line.h"
#include "sturm/cli/commands.h"
#include "sturm/cli/cv_plan.h"
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

template <class Real>
void cv(const CvCommand& command) {
  const CvRequest& request = command.request;
  check_places(request);
  say_when_stopped("stopped; the same command goes on from here.");
  Terminal terminal(command.run, {});
  const CvStudy<Real> study = load_study<Real>(request.input, request.options, request.run, terminal, command.dry_run);
  terminal.close();
  for (const std::string& note : study.notes) terminal.note(note);
  if (command.dry_run) {
    for (const std::string& line : plan_lines(study, command.run, tasks_to_do(request, study)))
      fmt::print("{}\n", line);
    return;
  }
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
    apply_preset(*command->app, command->preset, command->request.input.from_volumes(), command->request.options);
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
