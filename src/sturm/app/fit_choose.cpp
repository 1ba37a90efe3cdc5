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
MadeFit choose_and_fit(const FitRequest& request, Events& events) {
  const auto start = std::chrono::steady_clock::now();
  CvStudy<Real> study = load_samples_to_choose_on<Real>(request.input, study_options(request), request.run, events);
  events.close();
  for (const std::string& note : study.notes) events.note(note);
  const NestedStudy<Real>& nested_study = study.nested;
  const Target& target = study.facts.target;
  NestedTask task{.labels = {nested_study.keys.y},
                  .stream = all_samples_stream(),
                  .keep_model = true,
                  .readable = Readable::looked_for};
  for (Index row = 0; row < nested_study.keys.rows(); ++row) task.train.push_back(row);
  const Method<Real>& method = find_method<Real>(request.method);
  events.stage("choosing a setting");
  const NestedProgress progress = [&](Index done, Index total) {
    events.advance(total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 0,
                   fmt::format("{} of {} fits", done, total));
    return !events.stop_asked();
  };
  NestedOutcome found = std::move(nested<Real>(nested_study, {&method}, task, progress).front().front());
  events.close();

  MadeFit out;
  FitOutcome& outcome = out.outcome;
  outcome = {request.method, {}, found.report, found.shape, {}};
  for (std::size_t part = 0; part < found.model->parts.size(); ++part)
    outcome.parts.push_back({found.parts[part], found.model->parts[part], {}, pattern_of(found, part)});
  outcome.confounds = found.model->confounds;
  const std::vector<double> setting = found.chosen().setting;
  note_setting(outcome, setting, target.classification() ? std::nullopt : std::optional(request.tube));
  outcome.choice =
      FitChoice{study.facts.score, found.choice.mean, std::ssize(found.chosen().scores), std::ssize(found.grid)};
  const Resolution<Real>& resolution = nested_study.resolutions[found.resolution];
  const Space* const space = study.spaces[found.resolution] ? &*study.spaces[found.resolution] : nullptr;
  if (space != nullptr) out.space = *space;
  const SampleNames names{study.facts.participants, "participant_id"};
  if (request.probabilities) {
    const FitData<Real> data = nested_study.data(method, resolution.volumes(nested_study.counted_samples(), {}));
    const std::vector<double> weights =
        request.balanced ? balanced_weights(target.y, nested_study.weights) : nested_study.weights;
    learn_probabilities(request, data, tasks_of(target, weights, setting), target, names, nested_study.options.method,
                        outcome);
  }
  outcome.report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  out.target = target;
  out.saved = saved_model(outcome, target, request.model.normalize, found.mask, out.space);
  const Design<Real> raw = resolution.volumes(nested_study.counted_samples(), {});
  out.saved.trained_on = names_of_content(out.saved, raw, nested_study.weights);
  out.about = std::move(study.data);
  out.about.hashes = hashes_of(names, target, resolution.design);
  out.background = mean_volume(resolution.design, out.space);
  outcome.grid = table_of(grid_rows("all", kept(request.method, std::move(found), true, false)), {});
  return out;
}

template MadeFit choose_and_fit<float>(const FitRequest&, Events&);
template MadeFit choose_and_fit<double>(const FitRequest&, Events&);

}  // namespace sturm
