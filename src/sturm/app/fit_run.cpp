// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/fit_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "sturm/app/coverage_facts.h"
#include "sturm/app/data_facts.h"
#include "sturm/app/fit_parts.h"
#include "sturm/app/trained_on.h"
#include "sturm/core/memory.h"
#include "sturm/core/parallel.h"
#include "sturm/core/sentence.h"
#include "sturm/core/table.h"
#include "sturm/eval/confounds.h"
#include "sturm/eval/folds.h"
#include "sturm/imaging/content_hash.h"
#include "sturm/models/linear/pattern.h"
#include "sturm/models/registry.h"
#include "sturm/models/wrappers/one_vs_rest.h"
#include "sturm/models/wrappers/platt.h"

namespace sturm {
namespace {

/// Five folds to learn probabilities on, or as many as the rarest class allows; samples of one name stay together.
std::vector<int> probability_folds(const Target& target, const SampleNames& names, std::uint64_t seed) {
  SampleKeys keys;
  std::map<double, std::set<std::string>> members;
  for (std::size_t m = 0; m < target.y.size(); ++m) {
    keys.ids.push_back(fmt::format("{:09}", m));
    if (!names.ids.empty()) keys.groups.push_back(names.ids[m]);
    keys.y.push_back(target.y[m]);
    members[keys.y.back()].insert(names.ids.empty() ? keys.ids.back() : names.ids[m]);
  }
  keys.classification = true;
  std::size_t least = 5;
  for (const auto& [label, found] : members) least = std::min(least, found.size());
  if (least < 2)
    throw Error("`probabilities` are learnt from samples left out, and there is a class with one sample, or one " +
                std::string(names.ids.empty() ? "row" : names.column) + ", alone; leave the option out.");
  return make_folds(keys, {FoldKind::count, static_cast<int>(least), "", "probabilities"}, seed).of;
}

template <class Real>
FitOutcome fit_method(const FitRequest& request, const Design<Real>& design, const Target& target,
                      const SampleNames& names, const std::vector<double>& weights, Index memory,
                      const ProgressCallback& progress) {
  const auto start = std::chrono::steady_clock::now();
  const Method<Real>& method = find_method<Real>(request.method);
  const FitOptions& o = request.model;
  const FitData<Real> study{backend_of(request.run),
                            design,
                            {},
                            o.normalize,
                            o.intercept,
                            o.alpha,
                            target.classification() ? std::nullopt : std::optional(request.tube)};
  std::vector<FitTask> tasks = tasks_of(target, weights, request.setting);
  std::vector<double> setting = request.setting;
  if (!setting.empty() && std::isnan(setting.front())) {
    std::vector<std::vector<double>> each;
    each.reserve(tasks.size());
    for (const FitTask& task : tasks) each.push_back(method.relative_setting(study, task, o.strength, o.balance));
    std::ranges::copy(largest_of(each), setting.begin());
  }
  for (FitTask& task : tasks) task.setting = setting;
  if (request.proof && !setting.empty() && std::ranges::all_of(setting, [](double value) { return value == 0; }))
    throw UsageError("`proof` needs a penalty above 0: without any, nothing bounds the objective but 0.");
  FitOutcome out{request.method, {}, {}, design.shape(), std::vector<FittedPart>(tasks.size())};
  MethodOptions options{o.solver, memory, request.run.seed, progress};
  options.keep_proofs = request.proof;
  options.given_setting = true;
  method.fit(study, tasks, options, [&](Index t, const std::unique_ptr<FittedModel<Real>>& model) {
    FittedPart& part = out.parts[t];
    part.report = model->report;
    part.saved.model = standing_alone(model->model());
    part.proof = model->proof;
    if (model->model().has_map()) part.pattern = forward_pattern(model->model().map(), design, weights);
  });
  options.keep_proofs = false;
  for (const FittedPart& part : out.parts)
    if (request.proof && !std::isfinite(part.report.objective + part.report.dual))
      throw Error(
          "the objective is larger than any number at this setting, so that there is no `proof`; choose one nearer to "
          "1.");
  if (request.probabilities) learn_probabilities(request, study, tasks, target, names, options, out);
  std::vector<FitReport> reports;
  for (const FittedPart& part : out.parts) reports.push_back(part.report);
  out.report = target.names.empty() ? reports.front() : merged_report(reports);
  note_setting(out, setting, study.tube);
  out.report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

/// Where volumes have values, whether that gives the target away, and which stand out: what is said of the latter.
template <class Real>
std::vector<std::string> judge_volumes(const Input<Real>& input, std::uint64_t seed, DataFacts& about, Events& events) {
  const Dataset<Real>& data = input.data;
  SampleKeys keys;
  std::vector<std::string> names = data.paths;
  for (Index m = 0; m < data.design.samples(); ++m) {
    keys.ids.push_back(fmt::format("{:09}", m));
    if (data.paths.empty()) names.push_back(data.ids.empty() ? fmt::format("sample {}", m) : data.ids[m]);
  }
  if (std::ranges::find(data.ids, std::string()) == data.ids.end()) keys.groups = data.ids;
  keys.y = data.target.y;
  keys.classification = data.target.classification();
  keys.several = static_cast<Index>(data.target.names.size());
  for (Index c = 0; c < keys.several; ++c) keys.class_names[static_cast<double>(c)] = data.target.names[c];
  std::vector<std::uint8_t> mask = input.space ? input.space->mask : data.design.region().mask();
  const CoverageFacts& found =
      about.coverage.emplace(coverage_facts(*input.coverage, mask, keys, data.target.column, seed));
  if (found.leak)
    events.warn("WARNING: " + found.sentence);
  else
    events.detail(found.sentence);
  std::vector<std::string> outliers = describe_outliers(levels_of(data.design), names);
  for (const std::string& outlier : outliers) events.warn("warning: " + outlier);
  return outliers;
}

/// With the setting that the user gave.
template <class Real>
MadeFit fit_as_given(const FitRequest& request, Events& events) {
  LoadPlan plan{.purpose = Purpose::fit, .memory = memory_budget(request.run)};
  plan.on_top = [&](const Region& region, Index samples) {
    return find_method<Real>(request.method).bytes(region, samples);
  };
  MadeFit out;
  TableFacts table_facts;
  Confounds confounds;
  plan.read_target = [&](const Table& table) {
    Target target = read_target(table, {request.input.target, request.input.positive, request.input.classes});
    CvOptions named;
    named.confounds = request.confounds;
    table_facts = describe_table(table, target, request.input, &named);
    confounds = read_confounds(table, split(request.confounds, ','), rows_with(table, target.column), target.column);
    return target;
  };
  events.stage("reading " + request.input.name());
  plan.progress = [&](Index done, Index total) { events.count(done, total); };
  plan.whole = [&](const std::function<void()>& work) { do_whole(events, work); };
  Input<Real> input = load_input<Real>(request.input, plan);
  const Dataset<Real>& data = input.data;
  events.close();
  for (const std::string& note : input.notes) events.note(note);
  note_skipped(input.skipped, table_facts.data);
  const std::vector<std::string> odd = odd_samples(data, table_facts.lines);
  table_facts.data.warnings.insert(table_facts.data.warnings.end(), odd.begin(), odd.end());
  tell(table_facts, events);
  out.about = std::move(table_facts.data);
  const std::vector<std::string> outliers = judge_volumes(input, request.run.seed, out.about, events);
  input.coverage.reset();
  for (const std::vector<std::string>& more : {table_facts.notes, input.notes, outliers})
    out.about.warnings.insert(out.about.warnings.end(), more.begin(), more.end());
  events.detail(fmt::format("{}: {} of {}, {}; {}, up to {} of memory", request.input.name(),
                            plural(data.design.samples(), "sample"), to_string(data.design.shape()),
                            data.target.classification() ? "a classification" : "a regression",
                            plural(threads(), "thread"), format_bytes(plan.memory)));

  events.stage("preparing");
  const std::vector<double> weights = request.balanced ? balanced_weights(data.target.y, data.weights) : data.weights;
  const ProgressCallback report = [&](const FitProgress& now) { return events.report(now); };
  ConfoundModel explained;
  if (!confounds.empty()) {  // samples of weight 0 teach nothing here either
    std::vector<Index> counted;
    for (Index m = 0; m < data.design.samples(); ++m)
      if (weights.empty() || weights[m] > 0) counted.push_back(m);
    explained = fit_confounds(data.design, confounds, counted);
  }
  const Design<Real> rest =
      confounds.empty() ? data.design : without_confounds(data.design, confounds, explained, data.design.region());
  const SampleNames names{data.ids, data.id_column};
  out.outcome = fit_method(request, rest, data.target, names, weights, plan.memory, report);
  out.outcome.confounds = std::move(explained);
  out.space = input.space;
  out.target = data.target;
  out.saved = saved_model(out.outcome, data.target, request.model.normalize, data.design.region().mask(), input.space);
  out.saved.trained_on = names_of_content(out.saved, data.design, weights);
  out.about.facts = volume_facts(request.input, input.space, data.design.samples(), {data.design.shape()});
  out.about.space = space_facts(request.input, input.space);
  out.about.facts.push_back({"coverage", out.about.coverage->sentence});
  out.about.hashes = hashes_of(names, data.target, data.design);
  out.background = mean_volume(data.design, input.space);
  if (request.proof) out.proof = proof_samples(data, weights);
  return out;
}

}  // namespace

void note_setting(FitOutcome& outcome, const std::vector<double>& setting, std::optional<double> tube) {
  const Method<double>& method = find_method<double>(outcome.method);
  const std::vector<Parameter> parameters = method.parameters();
  for (std::size_t p = 0; p < parameters.size(); ++p) outcome.parameters.emplace_back(parameters[p].name, setting[p]);
  if (tube && method.has_parameter("C")) outcome.parameters.emplace_back("tube", *tube);
  const auto value_of = [&](const char* name) {
    for (const auto& [known, value] : outcome.parameters)
      if (known == name) return value;
    return std::numeric_limits<double>::quiet_NaN();
  };
  outcome.report.tau = value_of("tau");
  outcome.report.gamma = value_of("gamma");
}

std::vector<FitTask> tasks_of(const Target& target, const std::vector<double>& weights,
                              const std::vector<double>& setting) {
  const auto classes = static_cast<int>(target.names.size());
  std::vector<FitTask> tasks;
  for (int c = 0; c < std::max(1, classes); ++c)
    tasks.push_back({classes > 0 ? against_rest(target.y, c) : target.y, weights, setting});
  return tasks;
}

template <class Real>
void learn_probabilities(const FitRequest& request, const FitData<Real>& data, const std::vector<FitTask>& tasks,
                         const Target& target, const SampleNames& names, const MethodOptions& options,
                         FitOutcome& outcome) {
  const std::vector<int> fold = probability_folds(target, names, request.run.seed);
  for (std::size_t t = 0; t < tasks.size(); ++t)
    outcome.parts[t].saved.sigmoid =
        fit_sigmoid_on_folds(find_method<Real>(request.method), data, tasks[t], fold, options);
}

template <class Real>
std::vector<Fact> hashes_of(const SampleNames& names, const Target& target, const Design<Real>& design) {
  ContentHash table, volumes;
  for (const std::string& id : names.ids) table.add(id);
  for (const std::string& label : target.actual) table.add(label);
  volumes.add(design.x().data(), design.x().size() * sizeof(Real));
  return {{"hash of the table", table.text()}, {"hash of the volumes", volumes.text()}};
}

std::vector<std::string> fit_file_names() {
  std::vector<std::string> out = fit_files;
  out.insert(out.end(), report_files.begin(), report_files.end());
  return out;
}

template <class Real>
FitDone run_fit(const FitRequest& request, OutputFolder& output, Events& events) {
  if (request.probabilities && !request.confounds.empty())
    throw UsageError(
        "`probabilities` are learnt on folds that share one set of volumes, and `confounds` would be taken out of each "
        "fold anew: leave one of them out.");
  if (request.proof && (request.choosing.choose || !request.confounds.empty()))
    throw UsageError(option_name("proof") +
                     " is of a setting that is given and of the volumes as they are read: leave out " +
                     option_name(request.choosing.choose ? "choose" : "confounds") + ".");
  if (request.proof) require_proof_kind(request.method);
  MadeFit made = request.choosing.choose ? choose_and_fit<Real>(request, events) : fit_as_given<Real>(request, events);
  FitDone out{std::move(made.outcome), {}, {}};
  events.enter(Phase::writing);  // until here nothing is on disk
  out.facts = fit_facts(out.outcome, made.target, request.model, to_word(request.run.precision), made.space);
  made.about.command = request.command;
  out.files = write_fit(output.draft(), out.outcome, made.saved, out.facts, made.space);
  if (made.proof)
    out.files.push_back(
        write_proof_file(output.draft(), output.target(), out.outcome, *made.proof,
                         {request.input, {}, request.run.precision, request.model.intercept, request.balanced}));
  made.saved = {};  // the report reads what it shows from the files, and needs the room
  for (FittedPart& part : out.outcome.parts) part.pattern.reset();
  publish(output, {made.about, *made.background, planted_truth(request.input), request.report}, out.files, events);
  events.close();
  return out;
}

#define STURM_INSTANTIATE(Real)                                                                            \
  template FitDone run_fit<Real>(const FitRequest&, OutputFolder&, Events&);                               \
  template void learn_probabilities(const FitRequest&, const FitData<Real>&, const std::vector<FitTask>&,  \
                                    const Target&, const SampleNames&, const MethodOptions&, FitOutcome&); \
  template std::vector<Fact> hashes_of(const SampleNames&, const Target&, const Design<Real>&);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
