// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/fit_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <set>

#include "sturm/app/coverage_facts.h"
#include "sturm/app/data_facts.h"
#include "sturm/app/proof_files.h"
#include "sturm/core/memory.h"
#include "sturm/core/parallel.h"
#include "sturm/core/table.h"
#include "sturm/eval/folds.h"
#include "sturm/imaging/content_hash.h"
#include "sturm/models/model.h"
#include "sturm/models/registry.h"
#include "sturm/models/wrappers/one_vs_rest.h"
#include "sturm/models/wrappers/platt.h"

namespace sturm {
namespace {

/// A target of two numbers is more often a class than a measure.
void hint_at_classes(const Target& target, Events& events) {
  const std::set<std::string> values(target.actual.begin(), target.actual.end());
  if (!target.classification() && values.size() == 2)
    events.note(fmt::format("{} holds two values and is fitted as a regression; classify with `positive {}`",
                            target.column, *values.rbegin()));
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
    throw Error("`probabilities` are learnt from samples left out, and there is a class with one sample, or one " +
                std::string(data.ids.empty() ? "row" : data.id_column) + ", alone; leave the option out.");
  return make_folds(keys, {FoldKind::count, static_cast<int>(least), "", "probabilities"}, seed).of;
}

template <class Real>
FitOutcome fit_method(const FitRequest& request, const Dataset<Real>& data, const std::vector<double>& weights,
                      Index memory, const ProgressCallback& progress) {
  const auto start = std::chrono::steady_clock::now();
  const Method<Real>& method = find_method<Real>(request.method);
  const FitOptions& o = request.model;
  const FitData<Real> study{backend_of(request.run),
                            data.design,
                            {},
                            o.normalize,
                            o.intercept,
                            o.alpha,
                            data.target.classification() ? std::nullopt : std::optional(request.tube)};
  // One task, or one a class against the rest, all with the same setting.
  const auto classes = static_cast<int>(data.target.names.size());
  std::vector<FitTask> tasks;
  for (int c = 0; c < std::max(1, classes); ++c)
    tasks.push_back({classes > 0 ? against_rest(data.target.y, c) : data.target.y, weights, request.setting});
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
  FitOutcome out{request.method, {}, {}, data.design.shape(), std::vector<FittedPart>(tasks.size())};
  MethodOptions how{o.solver, memory, request.run.seed, progress};
  how.keep_proofs = request.proof;
  how.given_setting = true;
  method.fit(study, tasks, how, [&](Index t, const std::unique_ptr<FittedModel<Real>>& model) {
    FittedPart& part = out.parts[t];
    part.report = model->report;
    part.saved.model = standing_alone(model->model());
    part.proof = model->proof;
  });
  if (request.probabilities) {
    const std::vector<int> fold = probability_folds(data, request.run.seed);
    for (std::size_t t = 0; t < tasks.size(); ++t)
      out.parts[t].saved.sigmoid =
          fit_sigmoid_on_folds(method, study, tasks[t], fold, {o.solver, memory, request.run.seed, progress});
  }
  std::vector<FitReport> reports;
  for (const FittedPart& part : out.parts) reports.push_back(part.report);
  out.report = classes > 0 ? merged_report(reports) : reports.front();
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

template <class Real>
std::vector<Fact> hashes_of(const Dataset<Real>& data) {
  ContentHash table, volumes;
  for (const std::string& id : data.ids) table.add(id);
  for (const std::string& label : data.target.actual) table.add(label);
  volumes.add(data.design.x().data(), data.design.x().size() * sizeof(Real));
  return {{"hash of the table", table.text()}, {"hash of the volumes", volumes.text()}};
}

}  // namespace

std::vector<std::string> fit_file_names() {
  std::vector<std::string> out = fit_files;
  out.insert(out.end(), report_files.begin(), report_files.end());
  return out;
}

template <class Real>
FitDone run_fit(const FitRequest& request, OutputFolder& output, Events& events) {
  if (request.proof) require_proof_kind(request.method);
  LoadPlan plan{.purpose = Purpose::fit, .memory = memory_budget(request.run)};
  plan.on_top = [&](const Region& region, Index samples) {
    return find_method<Real>(request.method).bytes(region, samples);
  };
  DataFacts about;
  plan.read_target = [&](const Table& table) {
    Target target = read_target(table, {request.input.target, request.input.positive, request.input.classes});
    about = describe_table(table, target, request.input).data;
    return target;
  };
  events.stage("reading " + request.input.name());
  plan.progress = [&](Index done, Index total) { events.count(done, total); };
  plan.whole = [&](const std::function<void()>& work) { do_whole(events, work); };
  auto loaded = std::make_unique<const Input<Real>>(load_input<Real>(request.input, plan));
  const Input<Real>& input = *loaded;
  const Dataset<Real>& data = input.data;
  events.close();
  for (const std::string& note : input.notes) events.note(note);
  const std::vector<std::string> outliers = judge_volumes(input, request.run.seed, about, events);
  hint_at_classes(data.target, events);
  events.detail(fmt::format("{}: {} of {}, {}; {}, up to {} of memory", request.input.name(),
                            plural(data.design.samples(), "sample"), to_string(data.design.shape()),
                            data.target.classification() ? "a classification" : "a regression",
                            plural(threads(), "thread"), format_bytes(plan.memory)));

  events.stage("preparing");
  const std::vector<double> weights = request.balanced ? balanced_weights(data.target.y, data.weights) : data.weights;
  const ProgressCallback report = [&](const FitProgress& now) { return events.report(now); };
  FitDone out{fit_method(request, data, weights, plan.memory, report), {}, {}};
  events.enter(Phase::writing);  // until here nothing is on disk
  out.facts = fit_facts(out.outcome, data.target, request.model, to_word(request.run.precision), input.space);
  about.command = request.command;
  about.facts = volume_facts(request.input, input.space, data.design.samples(), {data.design.shape()});
  about.facts.push_back({"coverage", about.coverage->sentence});
  about.hashes = hashes_of(data);
  for (const std::string& note : input.notes) about.warnings.push_back(note);
  about.warnings.insert(about.warnings.end(), outliers.begin(), outliers.end());
  const BrainMap background = mean_volume(data.design, input.space);
  const std::vector<std::uint8_t> mask = data.design.region().mask();
  const Target target = data.target;
  const std::optional<Space> space = input.space;
  std::optional<ProofSamples> samples;
  if (request.proof) samples = proof_samples(data, weights);
  loaded.reset();  // what follows needs no volumes beside it
  out.files = write_fit(output.draft(), out.outcome, target, request.model, mask, out.facts, space);
  if (samples)
    out.files.push_back(
        write_proof_file(output.draft(), output.target(), out.outcome, *samples,
                         {request.input, {}, request.run.precision, request.model.intercept, request.balanced}));
  publish(output, {about, background, planted_truth(request.input), request.report}, out.files, events);
  events.close();
  return out;
}

template FitDone run_fit<float>(const FitRequest&, OutputFolder&, Events&);
template FitDone run_fit<double>(const FitRequest&, OutputFolder&, Events&);

}  // namespace sturm
