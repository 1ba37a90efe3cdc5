// SPDX-License-Identifier: BSD-3-Clause
// A fit whose setting is chosen by cross-validation: the model of all samples of sturm cv, by the same code.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "sturm/app/cv_study.h"
#include "sturm/app/data_facts.h"
#include "sturm/app/fit_parts.h"
#include "sturm/app/trained_on.h"
#include "sturm/models/registry.h"
#include "sturm/models/wrappers/platt.h"
#include "sturm/results/rows.h"
#include "sturm/study/cv_tables.h"

namespace sturm {
namespace {

/// The same in the words of a study.
CvOptions study_options(const FitRequest& request) {
  const ChooseOptions& how = request.choosing;
  CvOptions out;
  out.methods = request.method;
  out.folds.inner = how.inner;
  out.grid = how.grid;
  out.score = how.score;
  out.choice = how.choice;
  out.resize = fmt::format("{}", request.input.resize);
  out.top = how.top;
  out.balanced = request.balanced;
  out.groups = how.groups;
  out.confounds = request.confounds;
  out.normalize = request.model.normalize;
  out.intercept = request.model.intercept;
  out.alpha = request.model.alpha;
  out.tube = request.tube;
  out.inner_gap = how.inner_gap;
  out.solver = request.model.solver;
  return out;
}

/// The forward pattern of one of several classes, or of the only part.
std::optional<Tensor> pattern_of(const NestedOutcome& found, std::size_t part) {
  if (found.pattern.empty()) return {};
  Tensor out(found.shape);
  const auto voxels = static_cast<std::size_t>(found.shape.size());
  std::ranges::copy(std::span(found.pattern).subspan(part * voxels, voxels), out.data());
  return out;
}

}  // namespace

template <class Real>
ChosenFit choose_setting(const FitRequest& request, const NestedStudy<Real>& study, const Target& target,
                         const SampleNames& names, std::span<const std::optional<Space>> spaces,
                         const std::optional<Folds>& folds, Events& events) {
  const auto start = std::chrono::steady_clock::now();
  NestedTask task{.labels = {study.keys.y},
                  .stream = all_samples_stream(),
                  .inner = folds,
                  .keep_model = true,
                  .readable = Readable::looked_for};
  for (Index row = 0; row < study.keys.rows(); ++row) task.train.push_back(row);
  const Method<Real>& method = find_method<Real>(request.method);
  events.stage("choosing a setting");
  const NestedProgress progress = [&](Index done, Index total) {
    events.advance(total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 0,
                   fmt::format("{} of {} fits", done, total));
    return !events.stop_asked();
  };
  ChosenFit out{{}, std::move(nested<Real>(study, {&method}, task, progress).front().front())};
  events.close();
  const NestedOutcome& found = out.found;
  FitOutcome& outcome = out.made.outcome;
  outcome = {request.method, {}, found.report, found.shape, {}};
  for (std::size_t part = 0; part < found.model->parts.size(); ++part)
    outcome.parts.push_back({found.parts[part], found.model->parts[part], {}, pattern_of(found, part)});
  outcome.confounds = found.model->confounds;
  const std::vector<double> setting = found.chosen().setting;
  note_setting(outcome, setting, target.classification() ? std::nullopt : std::optional(request.tube));
  outcome.choice =
      FitChoice{study.options.score, found.choice.mean, std::ssize(found.chosen().scores), std::ssize(found.grid)};
  const Resolution<Real>& resolution = study.resolutions[found.resolution];
  if (!spaces.empty()) out.made.space = spaces[found.resolution];
  const Design<Real> raw = resolution.volumes(study.counted_samples(), {});
  if (request.probabilities) {
    const std::vector<double> weights = request.balanced ? balanced_weights(target.y, study.weights) : study.weights;
    learn_probabilities(request, study.data(method, raw), tasks_of(target, weights, setting), target, names,
                        study.options.method, outcome);
  }
  outcome.report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  out.made.target = target;
  out.made.saved = saved_model(outcome, target, request.model.normalize, found.mask, out.made.space);
  out.made.saved.trained_on = names_of_content(out.made.saved, raw, study.weights);
  return out;
}

template <class Real>
NestedStudy<Real> study_to_choose_on(const FitRequest& request, const Dataset<Real>& data, const Confounds& confounds,
                                     Index memory) {
  const CvOptions options = study_options(request);
  NestedStudy<Real> out;
  out.resolutions.push_back({1, data.design});
  out.keys = keys_of(data.target);
  for (Index row = 0; row < data.design.samples(); ++row) out.keys.ids.push_back(fmt::format("{:09}", row));
  out.keys.groups = data.ids;
  out.keys.group_column = data.id_column;
  check(out.keys);
  out.confounds = confounds;
  out.weights = data.weights;
  out.backend = &backend_of(request.run);
  out.options = nested_options_of(options, out.keys.classification);
  out.options.method = {options.solver, std::max<Index>(memory, 1), request.run.seed, {}};
  return out;
}

template <class Real>
MadeFit choose_and_fit(const FitRequest& request, Events& events) {
  CvStudy<Real> study = load_samples_to_choose_on<Real>(request.input, study_options(request), request.run, events);
  events.close();
  for (const std::string& note : study.notes) events.note(note);
  const SampleNames names{study.facts.participants, "participant_id"};
  ChosenFit chosen = choose_setting(request, study.nested, study.facts.target, names, study.spaces, {}, events);
  MadeFit& out = chosen.made;
  const Resolution<Real>& resolution = study.nested.resolutions[chosen.found.resolution];
  out.about = std::move(study.data);
  out.about.hashes = hashes_of(names, study.facts.target, resolution.design);
  out.background = mean_volume(resolution.design, out.space);
  out.outcome.grid = table_of(grid_rows("all", kept(request.method, std::move(chosen.found), true, false)), {});
  return std::move(out);
}

#define STURM_INSTANTIATE(Real)                                                                                     \
  template ChosenFit choose_setting(const FitRequest&, const NestedStudy<Real>&, const Target&, const SampleNames&, \
                                    std::span<const std::optional<Space>>, const std::optional<Folds>&, Events&);   \
  template NestedStudy<Real> study_to_choose_on(const FitRequest&, const Dataset<Real>&, const Confounds&, Index);  \
  template MadeFit choose_and_fit<Real>(const FitRequest&, Events&);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
