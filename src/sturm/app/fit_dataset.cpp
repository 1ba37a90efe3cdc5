// SPDX-License-Identifier: BSD-3-Clause
// A fit with a setting that is given, of samples that are in memory.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "sturm/app/fit_parts.h"
#include "sturm/app/trained_on.h"
#include "sturm/core/sentence.h"
#include "sturm/eval/folds.h"
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
  for (FitTask& task : tasks) {
    task.setting = setting;
    task.kept = true;
  }
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
std::vector<double> training_weights_of(const FitRequest& request, const Dataset<Real>& data) {
  return request.balanced ? balanced_weights(data.target.y, data.weights) : data.weights;
}

template <class Real>
MadeFit fit_dataset(const FitRequest& request, const Dataset<Real>& data, const std::optional<Space>& space,
                    const Confounds& confounds, Index memory, const ProgressCallback& progress) {
  const std::vector<double> weights = training_weights_of(request, data);
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
  MadeFit out{fit_method(request, rest, data.target, names, weights, memory, progress), {}, data.target, space};
  out.outcome.confounds = std::move(explained);
  out.saved = saved_model(out.outcome, data.target, request.model.normalize, data.design.region().mask(), space);
  out.saved.trained_on = names_of_content(out.saved, data.design, weights);
  return out;
}

#define STURM_INSTANTIATE(Real)                                                                                        \
  template std::vector<double> training_weights_of(const FitRequest&, const Dataset<Real>&);                           \
  template MadeFit fit_dataset(const FitRequest&, const Dataset<Real>&, const std::optional<Space>&, const Confounds&, \
                               Index, const ProgressCallback&);                                                        \
  template void learn_probabilities(const FitRequest&, const FitData<Real>&, const std::vector<FitTask>&,              \
                                    const Target&, const SampleNames&, const MethodOptions&, FitOutcome&);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
