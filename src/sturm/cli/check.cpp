// SPDX-License-Identifier: BSD-3-Clause
// sturm check: all that is wrong or odd with a study, before anything is fitted to it.
#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "sturm/app/check_words.h"
#include "sturm/app/cv_study.h"
#include "sturm/app/fit_options.h"
#include "sturm/cli/commands.h"
#include "sturm/cli/cv_plan.h"
#include "sturm/cli/input_flags.h"
#include "sturm/cli/method_flags.h"
#include "sturm/cli/options.h"
#include "sturm/cli/run_options.h"
#include "sturm/core/memory.h"
#include "sturm/core/text.h"
#include "sturm/models/registry.h"
#include "sturm/results/json.h"
#include "sturm/terminal/progress.h"
#include "sturm/terminal/voice.h"
#include "sturm/terminal/words.h"

namespace sturm::cli {
namespace {

struct CheckCommand {
  CheckOptions options;
  FitOptions fit;
  RunOptions run;
  bool plan = false;  ///< whether a cross-validation was described, which takes something
  bool json = false;
};

/// -q leaves out what is not an error.
void say_findings(const StudyCheck& study, bool quiet) {
  const char* const words[] = {"note", "warning", "error"};
  for (const Finding& finding : study.findings)
    if (!quiet || finding.severity == Severity::error)
      tell(words[static_cast<int>(finding.severity)], finding.sentence);
}

/// What the table holds, in a few lines.
void say_summary(const CheckCommand& command, const StudyCheck& study) {
  const RunOptions& run = command.run;
  std::string groups;
  if (!study.groups.is_null() && study.groups.contains("column"))
    groups =
        fmt::format(" in {} of {} (at most {} each)", plural(study.groups["groups"].get<Index>(), "group"),
                    study.groups["column"].get<std::string>(), plural(study.groups["largest"].get<Index>(), "row"));
  say(run, "{}{}", plural(study.table.rows(), "row"), groups);
  if (!study.labels.is_null()) {
    std::vector<std::string> counts;
    if (study.labels.contains("counts"))
      for (const auto& [value, count] : study.labels["counts"].items())
        counts.push_back(fmt::format("{} {}", clipped(value), count.get<Index>()));
    say(run, "{}: {}", study.labels["column"].get<std::string>(),
        counts.empty() ? fmt::format("{} different numbers", study.labels["values"].get<Index>()) : join(counts));
  }
  if (study.resources.is_null()) return;
  const auto bytes = [&](const char* key) { return format_bytes(study.resources[key].get<Index>()); };
  say(run, "memory: {} for the volumes and {} for a fit; {} are available", bytes("volumes_bytes"), bytes("fit_bytes"),
      bytes("available_bytes"));
  say(run,
      "a nested cross-validation of one method (10 x 9 folds, 13 x 13 penalties) would take about {} and {} on {}: a "
      "rough estimate",
      format_seconds(study.resources["cv_seconds_estimate"].get<double>()), bytes("cv_bytes_estimate"),
      plural(threads(), "thread"));
}

/// What the cross-validation that was described would take: as its dry run says it.
template <class Real>
void say_plan(const CheckCommand& command) {
  Events silent;
  const CvStudy<Real> study =
      load_study<Real>(command.options.input, command.options.study, command.options.run, silent, true);
  for (const std::string& line : plan_lines(study, command.options.run, std::ssize(study.plan.tasks)))
    say(command.run, "{}", line);
}

void check(const CheckCommand& command) {
  Progress progress(command.run.progress, {});
  progress.stage("reading " + command.options.input.name());
  const StudyCheck study = check_study(command.options, [&](Index done, Index total) { progress.count(done, total); });
  progress.close();
  if (command.json)
    fmt::print("{}\n", json_text(json_in_flags(check_json(study))));
  else
    print_data(check_table(study));
  say_findings(study, command.run.quiet);
  if (!command.run.quiet) say_summary(command, study);
  const auto count = [&](Severity s) { return std::ranges::count(study.findings, s, &Finding::severity); };
  const auto errors = count(Severity::error), warnings = count(Severity::warning);
  if (errors > 0)
    throw Error(fmt::format("{}: {} and {} found; {}.", command.options.input.name(), plural(errors, "error"),
                            plural(warnings, "warning"),
                            command.run.quiet ? "errors are listed above" : "listed above"));
  if (command.plan && study.readable && !command.run.quiet)
    command.run.precision == Precision::f32 ? say_plan<float>(command) : say_plan<double>(command);
}

/// Takes what fit and cv take: a command line of theirs is one of check, and what is unknown there is unknown here.
/// Flags that no struct describes are copied, and only looked at where check needs them.
void add_flags_of(const CLI::App& command, CLI::App& app) {
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_lnames().empty() || app.get_option_no_throw(option->get_name())) continue;
    const std::string names = option->get_name(false, true);
    if (option->get_expected_min() == 0)
      app.add_flag(names, option->get_description())->group("Of fit and cv");
    else
      app.add_option_function<std::string>(
             names, [](const std::string&) {}, option->get_description())
          ->type_name(option->get_type_name())
          ->default_str(option->get_default_str())
          ->group("Of fit and cv");
  }
}

/// The fields of a struct that the command has no flag for yet.
struct OtherFlags {
  Flags flags;
  template <class Value>
  void operator()(const std::string& name, Value& value, const std::string& sentence) const {
    if (!flags.app.get_option_no_throw("--" + name) && !flags.app.get_option_no_throw("--no-" + name))
      flags(name, value, sentence);
  }
};

/// Which of two commands the flags are of: whether one was given that the other does not have.
bool asks_for(const CLI::App& app, const CLI::App& command, const CLI::App& other) {
  return std::ranges::any_of(command.get_options(), [&](const CLI::Option* option) {
    const CLI::Option* const mine = app.get_option_no_throw(option->get_name());
    return mine != nullptr && !mine->empty() && other.get_option_no_throw(option->get_name()) == nullptr;
  });
}

}  // namespace

void add_check(CLI::App& program) {
  const auto command = std::make_shared<CheckCommand>();
  CLI::App* const app =
      program.add_subcommand("check", "all that is wrong or odd with a study, before anything is fitted to it");
  app->footer(
      "The volumes of a table, and what their labels would lead to\n"
      "sturm check --samples samples.tsv --target group --positive patient --confounds age,sex\n"
      "The same for a program to read\nsturm check --samples samples.tsv --target group --json");
  CLI::App* const cv = program.get_subcommand("cv");
  CLI::App* const fit = program.get_subcommand("fit");
  CheckOptions& options = command->options;
  add_input_flags(*app, options.input, Purpose::check);
  add_flags(*app, "Study", options.study);
  describe(OtherFlags{{*app, "Of fit and cv"}}, command->fit);
  allow_automatic_alpha(*app);
  add_method_flags(*app, "Of fit and cv");
  add_run_flags(*app, command->run);
  app->add_flag("--json", command->json, "print JSON");
  add_flags_of(*cv, *app);
  add_flags_of(*fit, *app);
  app->callback([command, app, cv, fit] {
    const UseThreads threads = begin_run(*app, command->run, false);
    command->plan = asks_for(*app, *cv, *fit);
    command->options.folds = command->plan || !asks_for(*app, *fit, *cv);
    if (const CLI::Option* const preset = app->get_option("--preset"); !preset->empty())
      apply_preset(*app, chosen<Preset>(preset->as<std::string>(), "preset"), command->options.input.from_volumes(),
                   command->options.study);
    methods_of(command->options.study.methods);
    parse_folds(command->options.study.folds.outer, "outer");  // wrong usage, whatever the target is
    parse_folds(command->options.study.folds.inner, "inner");
    check_solver(command->options.study.solver);
    if (const CLI::Option* const method = app->get_option("--method"); !method->empty())
      find_method<double>(method->as<std::string>());
    command->options.input.resize = numbers_of(command->options.study.resize, "resize", 1).back();
    command->options.run = command->run.settings();
    check(*command);
  });
}

}  // namespace sturm::cli
