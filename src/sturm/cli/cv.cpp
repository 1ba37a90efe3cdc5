// SPDX-License-Identifier: BSD-3-Clause
// sturm cv: methods compared by nested cross-validation, resumable at any moment.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <mutex>

#include "sturm/cli/commands.h"
#include "sturm/cli/cv_files.h"
#include "sturm/cli/cv_study.h"
#include "sturm/cli/data_facts.h"
#include "sturm/cli/method_flags.h"
#include "sturm/cli/options.h"
#include "sturm/cli/signals.h"
#include "sturm/cli/work_study.h"
#include "sturm/core/memory.h"
#include "sturm/core/output_folder.h"
#include "sturm/core/parallel.h"
#include "sturm/eval/scores.h"
#include "sturm/models/one_vs_rest.h"
#include "sturm/models/registry.h"
#include "sturm/study/lock.h"

namespace sturm::cli {
namespace {

struct CvCommand {
  CLI::App* app = nullptr;
  InputOptions input;
  RunOptions run;
  CvOptions options;
  Preset preset = Preset::advised;
  std::string shard = "1/1";
  std::string work;
  bool dry_run = false;
  bool report = true;
};

/// The paper's protocol, where a flag does not say otherwise. The paper is silent on normalisation and on the number of
/// iterations: unit-norm samples are the scaling for which its rho = 1 is sane, and 500 iterations are what is run.
void apply_preset(CvCommand& command) {
  if (command.preset != Preset::paper) return;
  const auto given = [&](const char* flag) { return !command.app->get_option(flag)->empty(); };
  CvOptions& o = command.options;
  if (!given("--grid")) o.grid = GridKind::paper;
  if (!given("--outer")) o.folds.outer = "10";
  if (!given("--inner")) o.folds.inner = "9";
  if (!given("--resize") && command.input.from_volumes()) o.resize = "0.3,0.5,0.7";
  if (!given("--top")) o.top = "1,5,10,50,100";
  if (!given("--alpha")) o.alpha = 0;
  if (!given("--normalize")) o.normalize = Normalize::sample;
  if (!given("--no-intercept")) o.intercept = false;
  if (!given("--solver")) o.solver.solver = SolverKind::paper;
}

/// Fits of a family in one fold, the seconds that they may take, and the memory beside the study's volumes.
struct Effort {
  Index fits = 0;
  double seconds = 0;
  Index bytes = 0;
};

/// A family's grid at every size, in all inner folds, and the model that is chosen. Of each grid a few settings are
/// timed, at once, as they will be: alone, a fit of the batched solver costs several times its share.
template <class Real>
Effort effort_of(const CvStudy<Real>& study, const std::vector<std::string>& family) {
  const NestedStudy<Real>& nested = study.nested;
  const NestedOptions& o = nested.options;
  const Method<Real>& method = find_method<Real>(family.front());
  const int inner = o.inner.kind == FoldKind::count ? o.inner.count : study.plan.outer.count();
  Effort out{.fits = static_cast<Index>(family.size())};
  for (const Resolution<Real>& r : nested.resolutions) {
    const FitData<Real> data =
        nested.data(method, nested.learn_mask ? masked(r.design, nested.learn_mask(r.design, {})) : r.design);
    const Index classes = std::max<Index>(1, nested.keys.several);
    const std::vector<double> y = classes > 1 ? against_rest(nested.keys.y, 0) : nested.keys.y;
    const auto grid = method.grid(data, {y, {}, {}}, o.grid);
    const std::size_t count = std::min<std::size_t>(32, grid.size());
    std::vector<FitTask> tasks;
    for (std::size_t t = 0; t < count; ++t) tasks.push_back({y, {}, grid[t * grid.size() / count]});
    const auto start = std::chrono::steady_clock::now();
    method.fit(data, tasks, o.method, [](Index, const auto&) {});
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const Index fits = static_cast<Index>(grid.size()) * inner * classes;
    out.fits += fits;
    out.seconds += seconds / static_cast<double>(count) * static_cast<double>(fits);
    const Index at_once = method.all_at_once() ? fits : inner;
    const Index batch = std::min(at_once * method.bytes(data.design.region(), r.design.samples()), o.method.memory);
    out.bytes = std::max(out.bytes, batch + static_cast<Index>(r.design.x().size_bytes()));  // the fold's own copy
  }
  return out;
}

/// What a run would do.
template <class Real>
void say_plan(const CvCommand& command, const CvStudy<Real>& study, Index missing) {
  const RunOptions& run = command.run;
  Index bytes = 0;
  for (const Resolution<Real>& r : study.nested.resolutions) bytes += static_cast<Index>(r.design.x().size_bytes());
  fmt::print("{} samples, {} outer folds, {} permutations: {}, {} of them to do\n", study.facts.keys.rows(),
             study.plan.outer.count(), study.plan.permutations,
             plural(static_cast<Index>(study.plan.tasks.size()), "task"), missing);
  fmt::print("volumes in memory: {}; --memory allows {} in all\n", format_bytes(bytes),
             format_bytes(memory_budget(run)));
  fmt::print("{:<24} {:>12} {:>14} {:>14}\n", "methods", "fits", "about", "memory");
  for (const std::vector<std::string>& family : study.plan.families) {
    const Effort one = effort_of(study, family);
    const Index folds = 1 + study.plan.outer.count() * (1 + study.plan.permutations);
    std::string name;
    for (const std::string& member : family) name += (name.empty() ? "" : ", ") + member;
    fmt::print("{:<24} {:>12} {:>14} {:>14}\n", name, one.fits * folds,
               format_seconds(one.seconds * static_cast<double>(folds)), format_bytes(bytes + one.bytes));
  }
}

/// The journals' records; those of another study are removed where the user says so.
StudyRecords read_or_begin(const CvCommand& command, const StudySettings& settings) {
  try {
    return read_journals(command.work, settings);
  } catch (const Error&) {
    if (!command.run.force) throw;
    remove_journals(command.work);
    return {};
  }
}

/// The mean score of each method over the folds that are done.
class Standings {
 public:
  Standings(const CvFacts& facts, const CvPlan& plan) : facts_(facts), plan_(plan) {}

  void add(const CvTask& task, std::string_view payload) {
    if (task.fold < 0 || task.first > 0) return;
    std::vector<double> actual;
    for (const Index row : plan_.outer.test(task.fold)) actual.push_back(facts_.keys.y[row]);
    for (const FoldOutcome& outcome : decode(payload, task.id))
      of_method_[outcome.method].push_back(score(facts_.score, actual, outcome.decision));
  }
  /// "  best sturm 0.71"; empty where no fold is done.
  std::string best() const {
    std::string name;
    double highest = -std::numeric_limits<double>::infinity();
    for (const auto& [method, values] : of_method_)
      if (const double mean = mean_sd(values).mean; mean > highest) {
        highest = mean;
        name = method;
      }
    return name.empty() ? "" : fmt::format("  best {} {:.2f}", name, highest);
  }

 private:
  const CvFacts& facts_;
  const CvPlan& plan_;
  std::map<std::string, std::vector<double>> of_method_;
};

template <class Real>
nlohmann::ordered_json data_of(const CvCommand& command, const CvStudy<Real>& study) {
  nlohmann::ordered_json data = {{"command", command_line(*command.app)}};
  data.update(study.data);
  return data;
}

template <class Real>
void run_missing(const CvCommand& command, const CvStudy<Real>& study, const std::vector<Record>& records,
                 const std::vector<Index>& mine, Progress& progress) {
  if (mine.empty()) return;
  const CvPlan& plan = study.plan;
  Journal journal(command.work, parse_shard(command.shard).name(), study.facts.settings);
  write_work_study(command.work, {study.facts, plan, study.spaces, data_of(command, study)});
  double total = 0, left = 0;
  for (const CvTask& task : plan.tasks) total += task.cost;
  for (const Index t : mine) left += plan.tasks[t].cost;
  double done = total - left;
  progress.stage("cross-validation");
  Standings standings(study.facts, plan);
  for (const Record& record : records) {
    const auto task = std::ranges::find(plan.tasks, record.task, &CvTask::id);
    if (task != plan.tasks.end()) standings.add(*task, record.payload);
  }
  // Tasks share the threads, and the memory in equal parts.
  const Index at_once = tasks_at_once(study.nested, plan, static_cast<Index>(mine.size()));
  NestedStudy<Real> nested = study.nested;
  nested.options.method.memory /= at_once;
  std::mutex mutex;  // of all that follows but the tasks themselves
  std::atomic<bool> failed = false;
  std::map<Index, double> under_way;
  std::size_t begun = 0, finished = 0;
  const auto run_next = [&] {
    std::unique_lock lock(mutex);
    if (begun == mine.size()) return false;
    const Index t = mine[begun++];
    const CvTask& task = plan.tasks[t];
    lock.unlock();
    const std::string payload = run_task<Real>(nested, plan, task, [&](Index fits, Index all) {
      const std::lock_guard here(mutex);
      under_way[t] = all > 0 ? 0.95 * task.cost * static_cast<double>(fits) / static_cast<double>(all) : 0;
      double parts = 0;
      for (const auto& [index, part] : under_way) parts += part;
      progress.advance((done + parts) / total,
                       fmt::format("task {} of {}: {}{}", finished + 1, mine.size(), task.id, standings.best()));
      return !failed;
    });
    lock.lock();
    if (failed) throw Interrupted();
    on_signal(OnSignal::finish);
    journal.append(task.id, payload);
    if (stop_asked()) throw Interrupted();
    on_signal(OnSignal::leave);
    ++finished;
    under_way.erase(t);
    done += task.cost;
    standings.add(task, payload);
    return true;
  };
  side_by_side(at_once, [&](Index) {
    try {
      while (run_next()) {
      }
    } catch (...) {
      if (!failed.exchange(true)) throw;  // the others were asked to stop
    }
  });
}

template <class Real>
void write_results(const CvCommand& command, const CvStudy<Real>& study, const std::vector<Record>& records,
                   OutputFolder& output) {
  const RunOptions& run = command.run;
  const Lock lock(std::filesystem::path(command.work) / "results.lock", "the results in " + run.output,
                  [&](const std::string& holder) { say(run, "{} writes {}; waiting for it", holder, run.output); });
  if (holds_results_of(run.output, study.facts.settings)) {
    say(run, "{} holds the results of this study now.", run.output);
    return;
  }
  on_signal(OnSignal::finish);
  const CvOutcomes outcomes = outcomes_of(study.plan, records);
  const ResultFiles tables = result_files(study.facts, study.plan, outcomes);
  std::vector<std::string> files = write_cv(output.draft(), tables, study.facts, study.plan, outcomes, study.spaces);
  const NestedStudy<Real>& nested = study.nested;
  const BrainMap background = mean_volume(nested.resolutions.back().design, study.spaces.back());
  std::ranges::move(write_data(output.draft(), data_of(command, study), background, planted_truth(command.input)),
                    std::back_inserter(files));
  if (command.report)
    std::ranges::move(write_report(output.draft(), output.target().filename().string()), std::back_inserter(files));
  if (stop_asked()) throw Interrupted();
  on_signal(OnSignal::ignore);
  output.publish();
  if (run.quiet) return;
  for (const auto& [name, text] : tables)
    if (name == "table.md") fmt::print("{}", text);
  say(run, "written to {}: {}", run.output, join(files, 40));
}

template <class Real>
void cv(const CvCommand& command) {
  const RunOptions& run = command.run;
  const Shard shard = parse_shard(command.shard);
  say_when_stopped("stopped; the same command goes on from here.");
  Progress progress(run.progress, {}, run.log_json);
  progress.stage("reading " + command.input.name());
  const CvStudy<Real> study =
      load_study<Real>(command.input, command.options, run,
                       [&](const std::string&, Index done, Index all) { progress.count(done, all); });
  progress.close();
  for (const std::string& note : study.notes) say(run, "note: {}", note);
  const StudySettings& settings = study.facts.settings;
  if (!command.dry_run && holds_results_of(run.output, settings)) {
    say(run, "{} holds the results of this study already.", run.output);
    return;
  }
  OutputFolder output(run.output, run.force, cv_file_names(study.plan.methods));
  StudyRecords before = read_or_begin(command, settings);
  for (const std::string& note : before.notes) say(run, "note: {}", note);
  std::vector<Index> missing = missing_tasks(study.plan, before.records);
  if (command.dry_run) {
    say_plan(command, study, static_cast<Index>(missing.size()));
    return;
  }
  std::vector<std::string> ids;
  std::vector<double> costs;
  for (const CvTask& task : study.plan.tasks) {
    ids.push_back(task.id);
    costs.push_back(task.cost);
  }
  std::vector<Index> mine = tasks_of(shard, ids, costs);
  std::erase_if(mine, [&](Index t) { return !std::ranges::binary_search(missing, t); });
  if (before.records.empty())
    say(run, "{} samples, {}, {} methods: {}", study.facts.keys.rows(), plural(study.plan.outer.count(), "outer fold"),
        study.plan.methods.size(), plural(static_cast<Index>(mine.size()), "task"));
  else
    say(run, "{} of {} tasks are done already; going on", before.records.size(), study.plan.tasks.size());
  run_missing(command, study, before.records, mine, progress);
  progress.close();
  const StudyRecords after = read_journals(command.work, settings);
  missing = missing_tasks(study.plan, after.records);
  if (!missing.empty()) {
    say(run, "part {} is done; {} of other parts are not. The part that ends last writes {}.", command.shard,
        plural(static_cast<Index>(missing.size()), "task"), run.output);
    return;
  }
  write_results(command, study, after.records, output);
}

}  // namespace

void add_cv(CLI::App& program) {
  const auto command = std::make_shared<CvCommand>();
  CLI::App* const app = program.add_subcommand("cv", "Compare methods by nested cross-validation, resumable");
  command->app = app;
  add_input_flags(*app, command->input, Purpose::cv);
  add_flags(*app, "Study", command->options);
  allow_automatic_alpha(*app);
  app->add_option_function<std::string>(
         "--preset", [command](const std::string& word) { command->preset = from_word<Preset>(word, "preset"); },
         "advised, or paper: its grid, folds, resizing, solver and normalisation, unless other flags say otherwise")
      ->type_name(choices<Preset>())
      ->default_str("advised")
      ->group("Study");
  app->add_option("--shard", command->shard, "run part i of n: '2/8'; parts share --work")
      ->capture_default_str()
      ->group("Running");
  app->add_option("--work", command->work, "folder of the journal (default: OUTPUT.work)")
      ->type_name("DIR")
      ->group("Running");
  app->add_flag_callback(
         "--no-report", [command] { command->report = false; }, "write no report.html")
      ->group("Running");
  app->add_flag("--dry-run", command->dry_run, "say what would be done: fits, memory, time")->group("Running");
  add_run_flags(*app, command->run);
  app->callback([command] {
    begin_run(*command->app, command->run);
    apply_preset(*command);
    if (command->work.empty()) {
      std::string output = command->run.output;
      while (output.size() > 1 && output.ends_with('/')) output.pop_back();
      command->work = output + ".work";
    }
    if (!(command->options.tube >= 0 && std::isfinite(command->options.tube)))
      throw UsageError("--tube is a number from 0.");
    if (command->options.permutations < 0) throw UsageError("--permutations is a number from 0.");
    check_solver(command->options.solver);
    if (!(command->options.inner_gap >= 0 && command->options.inner_gap < 1))
      throw UsageError("--inner-gap is a number from 0 (every inner fit to --gap) to 1, such as 1e-2.");
    command->run.precision == Precision::f32 ? cv<float>(*command) : cv<double>(*command);
  });
}

}  // namespace sturm::cli
