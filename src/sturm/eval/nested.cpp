// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/nested.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>
#include <tuple>

#include "sturm/eval/final_models.h"
#include "sturm/eval/inner_scores.h"
#include "sturm/eval/settings.h"
#include "sturm/eval/stored_model.h"
#include "sturm/models/linear/pattern.h"
#include "sturm/models/model.h"
#include "sturm/models/wrappers/one_vs_rest.h"
#include "sturm/models/wrappers/platt.h"

namespace sturm {
namespace {

constexpr double no_score = std::numeric_limits<double>::quiet_NaN();

std::vector<double> at(std::span<const double> values, std::span<const Index> rows) {
  std::vector<double> out;
  out.reserve(rows.size());
  for (const Index row : rows) out.push_back(values[row]);
  return out;
}

std::vector<Index> counted(Index first, Index last) {
  std::vector<Index> out(last - first);
  std::iota(out.begin(), out.end(), first);
  return out;
}

/// The task without training samples of weight 0, which nothing is learnt from.
NestedTask that_count(NestedTask task, std::span<const double> weights) {
  if (!weights.empty()) std::erase_if(task.train, [&](Index row) { return weights[row] == 0; });
  return task;
}

/// An outer fold at work.
template <class Real>
class Nested {
 public:
  Nested(const NestedStudy<Real>& study, const Family<Real>& family, const NestedTask& task,
         const NestedProgress& progress)
      : study_(study),
        family_(family),
        task_(that_count(task, study.weights)),
        progress_(progress),
        inner_(parts(), study.options.score) {
    const NestedOptions& o = study.options;
    if (!study.weights.empty()) weights_ = at(study.weights, task_.train);
    SampleKeys keys = take(study.keys, task_.train);
    FoldChoice inner = o.inner;
    inner.at_most = inner.at_most || task.fewer_folds;
    for (const std::vector<double>& y : task_.labels) {
      labels_.push_back(at(y, task_.train));
      keys.y = labels_.back();
      folds_.push_back(task.inner ? among(*task.inner, task_.train)
                                  : make_folds(keys, inner, o.method.seed, task_.stream));
    }
    outcomes_.assign(family.size(), std::vector<NestedOutcome>(task_.labels.size()));
    method_options_ = o.method;
    method_options_.progress = [this](const FitProgress&) {
      const std::lock_guard lock(mutex_);
      return tell();
    };
    if (!study.confounds.empty()) confounds_ = rows_of(study.confounds, task_.train);
  }

  std::vector<std::vector<NestedOutcome>> run() {
    const NestedOptions& o = study_.options;
    const SolverOptions& solver = o.method.solver;
    // What goes on from the voxels of a fit changes by many samples with it: nearly all of its settings could be
    // chosen.
    const bool rough = family_.size() == 1 && family_[0]->has_gap() && solver.solver == SolverKind::certified &&
                       o.inner_gap > solver.gap;
    if (rough) method_options_.solver.gap = o.inner_gap;
    method_options_.keep_ends = rough;
    if (rough && o.method.memory > 0)  // the ends of the fits are kept beside them; what is chosen may not hang on it
      method_options_.memory = std::max(o.method.memory / 2, o.method.memory - most_bytes_of_ends);
    for (std::size_t r = 0; r < study_.resolutions.size(); ++r) score_grid(r);
    inner_.set_sparsity(outcomes_, folds_);
    method_options_.solver.gap = solver.gap;
    method_options_.keep_ends = false;
    while (rough && mark_contenders()) score_contenders();
    for (auto& of_method : outcomes_)
      for (NestedOutcome& outcome : of_method) decide(outcome);
    if (rough && looks_for_sparsest(0)) {  // the choice stands: what is chosen does not hang on whether this is asked
      fits_ahead_ = false;
      while (mark_sparsest()) score_contenders();
    }
    ends_.clear();
    for (std::size_t m = 0; m < family_.size(); ++m) find_sparsest(m);
    for (std::size_t r = 0; r < study_.resolutions.size(); ++r) fit_chosen(r);
    return std::move(outcomes_);
  }

 private:
  using Model = std::unique_ptr<FittedModel<Real>>;

  FitData<Real> data(const Design<Real>& design) const { return study_.data(*family_.front(), design); }

  /// The settings of the grids at one size, and where they stand in the outcomes.
  struct Size {
    std::vector<std::vector<std::vector<std::vector<double>>>> grids;  ///< by method and labels
    std::vector<std::vector<std::size_t>> offset;                      ///< where they begin in the outcome's grid
    std::vector<std::vector<std::uint8_t>> wanted;  ///< by labels: settings of the first method that are fitted next
    std::vector<std::vector<std::uint8_t>> exact;   ///< those fitted to the gap that was asked for
  };

  /// The scores of every setting of every method at one size, in all inner folds.
  void score_grid(std::size_t r) {
    const Resolution<Real>& resolution = study_.resolutions[r];
    const Design<Real> raw = resolution.volumes(task_.train, task_.train);
    const Design<Real> design =
        confounds_.empty() ? raw : without_confounds(raw, confounds_, counted(0, raw.samples()));
    Size& size = sizes_.emplace_back();
    size.grids.resize(family_.size());
    size.offset.resize(family_.size());
    for (std::size_t m = 0; m < family_.size(); ++m)
      for (std::size_t l = 0; l < labels_.size(); ++l) {
        size.grids[m].push_back(grid_of(*family_[m], data(design), l));
        std::vector<GridPoint>& points = outcomes_[m][l].grid;
        size.offset[m].push_back(points.size());
        const std::vector<double> none(folds_[l].count(), no_score);
        for (const std::vector<double>& setting : size.grids[m][l])
          points.push_back({resolution.resize, setting, none, 0, none});
      }
    for (const auto& grid : size.grids[0]) {
      size.wanted.emplace_back(grid.size(), 1);
      size.exact.emplace_back(grid.size(), 0);
    }
    fit_wanted(size, raw, design);
  }

  /// The same again for those that mark_contenders() has marked.
  void score_contenders() {
    for (std::size_t r = 0; r < sizes_.size(); ++r) {
      const auto any = [](const auto& of) { return std::ranges::find(of, 1) != of.end(); };
      if (std::ranges::none_of(sizes_[r].wanted, any)) continue;
      const Design<Real> raw = study_.resolutions[r].volumes(task_.train, task_.train);
      fit_wanted(sizes_[r], raw, raw);
    }
    inner_.set_sparsity(outcomes_, folds_);
  }

  /// A score within one sample of the best, or a hundredth where scores are not counted in samples, may change places
  /// with it when fits become exact.
  double margin() const {
    const Score kind = study_.options.score;
    const bool counted = kind == Score::accuracy || kind == Score::balanced_accuracy;
    return counted ? 1.0 / static_cast<double>(task_.train.size()) : 0.01;
  }

  /// Marks the settings that could still be chosen and whose fits are not exact; false where there are none.
  bool mark_contenders() {
    ahead_.resize(labels_.size());
    std::vector<std::vector<Index>> positions;
    for (std::size_t l = 0; l < labels_.size(); ++l) {
      const std::vector<Candidate> candidates = candidates_of(outcomes_[0][l].grid, &GridPoint::sparsity);
      positions.push_back(could_be_chosen(candidates, margin(), study_.options.choice));
      ahead_[l].guess = choose(candidates, study_.options.choice).chosen;
    }
    return mark(positions);
  }
  /// The same for what could be the sparsest within one standard error.
  bool mark_sparsest() {
    const NestedOutcome& outcome = outcomes_[0][0];
    std::vector<std::vector<Index>> positions(labels_.size());
    positions[0] =
        could_be_sparsest(candidates_of(outcome.grid, &GridPoint::sparsity_in_mask), outcome.choice.chosen, margin());
    return mark(positions);
  }
  bool mark(const std::vector<std::vector<Index>>& positions) {
    bool any = false;
    for (Size& size : sizes_)
      for (std::vector<std::uint8_t>& wanted : size.wanted) std::ranges::fill(wanted, 0);
    for (std::size_t l = 0; l < labels_.size(); ++l)
      for (const Index position : positions[l]) {
        const auto [size, s] = place_of(l, position);
        if (size->exact[l][s]) continue;
        size->wanted[l][s] = size->exact[l][s] = 1;
        any = true;
      }
    return any;
  }

  /// The size at which a setting of the first method stands, and its number there.
  std::pair<Size*, std::size_t> place_of(std::size_t l, Index position) {
    std::size_t r = 0;
    while (r + 1 < sizes_.size() && static_cast<std::size_t>(position) >= sizes_[r + 1].offset[0][l]) ++r;
    return {&sizes_[r], position - sizes_[r].offset[0][l]};
  }

  struct FoldOf {
    std::size_t label = 0;
    int fold = 0;
  };
  struct Place {
    static constexpr int all = -1;
    int fold = 0;                         ///< that is left out; all: none
    std::size_t label = 0, position = 0;  ///< in the outcome's grid
    int part = 0;
  };

  /// While the contenders are fitted, the model of the setting that would be chosen now is fitted beside them: on many
  /// cores it would be alone afterwards, and few threads can share one fit.
  void add_model_ahead(const Size& size, std::vector<FitTask>& tasks, std::vector<Place>& places) {
    for (std::size_t l = 0; l < ahead_.size(); ++l) {
      Ahead& ahead = ahead_[l];
      const auto [own, s] = place_of(l, ahead.guess);
      if (own != &size || ahead.guess == ahead.position) continue;
      ahead = {.guess = ahead.guess, .position = ahead.guess, .models = {}};
      ahead.models.resize(parts());
      for (int part = 0; part < parts(); ++part) {
        tasks.push_back(
            {labels_of(l, part), all_weights(l), size.grids[0][l][s], nullptr, true, labels_.size() * parts() == 1});
        places.push_back({Place::all, l, static_cast<std::size_t>(ahead.guess), part});
      }
    }
  }

  /// Fits the settings that are wanted, in all inner folds. `raw` has its confounds, `design` is without them.
  void fit_wanted(const Size& size, const Design<Real>& raw, const Design<Real>& design) {
    // One design for all folds, unless each takes its own confounds out.
    if (confounds_.empty()) {
      std::vector<FoldOf> all;
      for (std::size_t l = 0; l < labels_.size(); ++l)
        for (int fold = 0; fold < folds_[l].count(); ++fold) all.push_back({l, fold});
      fit_folds(size, data(design), all, fits_ahead_);
      return;
    }
    for (std::size_t l = 0; l < labels_.size(); ++l)
      for (int fold = 0; fold < folds_[l].count(); ++fold) {
        const Design<Real> own = without_confounds(raw, confounds_, folds_[l].train(fold));
        const FoldOf one{l, fold};
        fit_folds(size, data(own), {&one, 1}, false);
      }
  }

  /// How many models answer together: one a class where there are several.
  int parts() const { return static_cast<int>(std::max<Index>(1, study_.keys.several)); }
  std::vector<double> labels_of(std::size_t l, int part) const {
    return study_.keys.several > 0 ? against_rest(labels_[l], part) : labels_[l];
  }

  /// Of the training samples in the training set of some of them; empty: all 1.
  std::vector<double> weights_of(std::size_t l, std::span<const Index> rows) const {
    std::vector<double> out(task_.train.size());
    for (const Index row : rows) out[row] = weights_.empty() ? 1 : weights_[row];
    return study_.options.balanced ? balanced_weights(labels_[l], out) : out;
  }
  std::vector<double> all_weights(std::size_t l) const {
    if (weights_.empty() && !study_.options.balanced) return {};
    return weights_of(l, counted(0, std::ssize(task_.train)));
  }

  std::vector<std::vector<double>> grid_of(const Method<Real>& method, const FitData<Real>& data, std::size_t l) const {
    std::vector<FitTask> classes;
    classes.reserve(parts());
    for (int part = 0; part < parts(); ++part) classes.push_back({labels_of(l, part), all_weights(l), {}});
    return settings_of(method, data, classes, study_.options);
  }

  /// The tasks of a method in some folds, and what they stand for. A training set of one class teaches nothing.
  void make_tasks(const Size& size, std::size_t m, std::span<const FoldOf> folds, std::vector<FitTask>& tasks,
                  std::vector<Place>& places) {
    for (const auto& [l, fold] : folds) {
      const std::vector<Index> train = folds_[l].train(fold);
      const std::vector<double> weights = weights_of(l, train);
      if (study_.keys.classification && classes_of(at(labels_[l], train)).size() < 2) continue;
      for (std::size_t s = 0; s < size.grids[m][l].size(); ++s) {
        if (m == 0 && !size.wanted[l][s]) continue;
        for (int part = 0; part < parts(); ++part) {
          tasks.push_back({labels_of(l, part), weights, size.grids[m][l][s]});
          places.push_back({fold, l, size.offset[m][l] + s, part});
          if (const auto end = ends_.find({l, size.offset[m][l] + s, fold, part}); end != ends_.end())
            tasks.back().from = end->second;
        }
      }
    }
  }

  void fit_folds(const Size& size, const FitData<Real>& data, std::span<const FoldOf> folds, bool ahead) {
    std::vector<FitTask> tasks;
    std::vector<Place> places;
    make_tasks(size, 0, folds, tasks, places);
    if (ahead) add_model_ahead(size, tasks, places);
    done_ = 0;
    total_ = static_cast<Index>(tasks.size());
    if (family_.size() == 1) {
      family_[0]->fit(data, tasks, method_options_, [&](Index t, Model model) {
        if (places[t].fold == Place::all)
          keep(places[t], std::move(model));
        else
          note(0, places[t], *model);
      });
      return;
    }
    // The second method goes on from each model of the first: its settings begin with those of the first.
    std::vector<FitTask> later;
    std::vector<Place> later_places;
    make_tasks(size, 1, folds, later, later_places);
    std::map<std::tuple<int, std::size_t, int, std::vector<double>>, std::vector<std::size_t>> followers;
    const auto head = static_cast<std::ptrdiff_t>(family_[0]->parameters().size());
    for (std::size_t t = 0; t < later.size(); ++t)
      followers[{later_places[t].fold,
                 later_places[t].label,
                 later_places[t].part,
                 {later[t].setting.begin(), later[t].setting.begin() + head}}]
          .push_back(t);
    const auto refiner = family_[1]->refiner(data);
    family_[0]->fit(data, tasks, method_options_, [&](Index t, const Model& model) {
      note(0, places[t], *model);
      const Place& place = places[t];
      const std::vector<std::size_t>& mine = followers.at({place.fold, place.label, place.part, tasks[t].setting});
      std::vector<FitTask> group;
      group.reserve(mine.size());
      for (const std::size_t f : mine) group.push_back(later[f]);
      refiner->fit(group, *model, [&](Index f, const Model& refined) { note(1, later_places[mine[f]], *refined); });
    });
  }

  bool tell() const { return !progress_ || progress_(done_, total_); }

  void keep(const Place& place, Model model) {
    const std::lock_guard lock(mutex_);
    ahead_[place.label].models[place.part] = std::move(model);
    ++done_;
    if (!tell()) throw Interrupted();
  }

  /// What a fitted model is worth on the samples that it was not fitted on.
  void note(std::size_t m, const Place& place, const FittedModel<Real>& model) {
    const std::size_t position = place.position;
    const std::vector<Index> test = folds_[place.label].test(place.fold);
    const std::vector<double> values = at(model.decision_values(), test);
    const std::lock_guard lock(mutex_);
    inner_.note({m, place.label, position, place.fold, place.part}, values, model.report,
                at(labels_[place.label], test), outcomes_[m][place.label].grid[position]);
    // A pure function of the task: all of a size are kept, or none.
    if (model.end && total_ * model.end->bytes() <= most_bytes_of_ends)
      ends_[{place.label, position, place.fold, place.part}] = model.end;
    done_ += m == 0;
    if (!tell()) throw Interrupted();
  }

  std::size_t resolution_of(const GridPoint& point) const {
    std::size_t r = 0;
    while (study_.resolutions[r].resize != point.resize) ++r;
    return r;
  }

  void decide(NestedOutcome& outcome) const {
    outcome.choice = choose(candidates_of(outcome.grid, &GridPoint::sparsity), study_.options.choice);
    outcome.resolution = resolution_of(outcome.chosen());
    outcome.trained = std::ssize(task_.train);
  }

  bool looks_for_sparsest(std::size_t m) const {
    return task_.readable != Readable::not_asked && family_[m]->has_sparse_path() &&
           !study_.options.choice.one_standard_error;
  }
  void find_sparsest(std::size_t m) {
    if (task_.readable == Readable::not_asked || !family_[m]->has_sparse_path()) return;
    NestedOutcome& outcome = outcomes_[m][0];
    const Index chosen = outcome.choice.chosen;
    Sparsest found{chosen, outcome.choice.mean, outcome.choice.best, outcome.choice.standard_error};
    if (looks_for_sparsest(m))
      found = sparsest_near_best(candidates_of(outcome.grid, &GridPoint::sparsity_in_mask), chosen);
    outcome.readable = {found, resolution_of(outcome.grid[found.position]), {}, {}, {}};
    outcome.readable->shape = study_.resolutions[outcome.readable->resolution].design.shape();
  }
  /// The setting of the readable model where it is another one than that of the model.
  const ReadableOutcome* other_readable(std::size_t m, std::size_t r) const {
    const NestedOutcome& outcome = outcomes_[m][0];
    if (task_.readable != Readable::fitted || !outcome.readable || outcome.readable->resolution != r) return nullptr;
    return outcome.readable->sparsest.position == outcome.choice.chosen ? nullptr : &*outcome.readable;
  }

  /// The models of all outcomes that chose one size.
  void fit_chosen(std::size_t r) {
    const auto chose = [&](const NestedOutcome& o) { return o.resolution == r; };
    bool any = false;
    for (std::size_t m = 0; m < family_.size(); ++m)
      any = any || std::ranges::any_of(outcomes_[m], chose) || other_readable(m, r) != nullptr;
    if (!any) return;
    const TaskVolumes<Real> volumes = volumes_of(study_, task_, r);
    for (std::size_t m = 0; m < family_.size(); ++m) {
      std::vector<FitTask> tasks;
      std::vector<std::pair<std::size_t, int>> whose;  // label and part
      std::vector<std::vector<FitReport>> reports(labels_.size(), std::vector<FitReport>(parts()));
      std::vector<SavedPart> kept(task_.keep_model ? parts() : 0);
      const auto take = [&](std::size_t l, int part, const Model& model) {
        std::vector<double> values;
        if (!task_.test.empty()) values = model->decision_values(volumes.unseen);
        const bool keeps = l == 0 && task_.keep_model, has_map = model->model().has_map();
        const Tensor pattern =
            keeps && has_map ? forward_pattern(model->model().map(), volumes.train, all_weights(l)) : Tensor(Shape{});
        const std::lock_guard lock(mutex_);
        NestedOutcome& outcome = outcomes_[m][l];
        reports[l][part] = model->report;
        outcome.shape = study_.resolutions[r].design.shape();
        outcome.mask = volumes.region.mask();
        if (!task_.test.empty()) {
          outcome.decision.resize(values.size() * parts());
          for (std::size_t i = 0; i < values.size(); ++i) outcome.decision[i * parts() + part] = values[i];
        }
        if (keeps) kept[part].model = with_short_coefficients(standing_alone(model->model()));
        if (has_map) put_map(model->model().map().coef.flat(), part, parts(), outcome.coef);
        if (keeps && has_map) put_map(pattern.flat(), part, parts(), outcome.pattern);
      };
      for (std::size_t l = 0; l < labels_.size(); ++l)
        for (int part = 0; part < parts() && chose(outcomes_[m][l]); ++part) {
          if (l < ahead_.size() && ahead_[l].position == outcomes_[m][l].choice.chosen) {
            take(l, part, ahead_[l].models[part]);
            continue;
          }
          tasks.push_back({labels_of(l, part), all_weights(l), outcomes_[m][l].chosen().setting, nullptr, true});
          whose.emplace_back(l, part);
        }
      if (!tasks.empty())
        family_[m]->fit(data(volumes.train), tasks, method_options_,
                        [&](Index t, const Model& model) { take(whose[t].first, whose[t].second, model); });
      for (std::size_t l = 0; l < labels_.size(); ++l) {
        if (!chose(outcomes_[m][l])) continue;
        outcomes_[m][l].report = report_of(reports[l]);
        outcomes_[m][l].parts = std::move(reports[l]);
      }
      if (task_.keep_model && chose(outcomes_[m][0]))
        keep_model(study_, task_, *family_[m], std::move(kept), volumes, outcomes_[m][0]);
      if (other_readable(m, r) != nullptr) fit_readable(m, volumes);
    }
  }

  FitReport report_of(std::span<const FitReport> parts) const {
    return parts.size() == 1 ? parts.front() : merged_report(parts);
  }

  void fit_readable(std::size_t m, const TaskVolumes<Real>& volumes) {
    ReadableOutcome& readable = *outcomes_[m][0].readable;
    std::vector<FitTask> tasks;
    tasks.reserve(parts());
    for (int part = 0; part < parts(); ++part)
      tasks.push_back({labels_of(0, part), all_weights(0), outcomes_[m][0].grid[readable.sparsest.position].setting});
    std::vector<FitReport> reports(parts());
    family_[m]->fit(data(volumes.train), tasks, method_options_, [&](Index t, const Model& model) {
      const std::lock_guard lock(mutex_);
      reports[t] = model->report;
      put_map(model->model().map().coef.flat(), static_cast<int>(t), parts(), readable.coef);
    });
    readable.report = report_of(reports);
  }

  const NestedStudy<Real>& study_;
  const Family<Real>& family_;
  const NestedTask task_;  ///< with the training samples that count
  const NestedProgress& progress_;
  std::vector<Folds> folds_;                 ///< of the training samples, by labels: folds are balanced by them
  Confounds confounds_;                      ///< of the training samples
  std::vector<double> weights_;              ///< of the training samples; empty: all 1
  std::vector<std::vector<double>> labels_;  ///< of the training samples
  MethodOptions method_options_;
  std::vector<std::vector<NestedOutcome>> outcomes_;
  std::vector<Size> sizes_;  ///< by resolution
  InnerScores inner_;
  /// Where inexact fits ended, by labels, position, fold and part: those that could be chosen go on from there.
  std::map<std::tuple<std::size_t, std::size_t, int, int>, std::shared_ptr<const FitEnd>> ends_;
  /// A model of all training samples that was fitted before the choice was made.
  struct Ahead {
    Index guess = -1;           ///< position of the setting that would be chosen now
    Index position = -1;        ///< that of the model; -1: none
    std::vector<Model> models;  ///< by class
  };
  std::vector<Ahead> ahead_;  ///< by labels; empty where nothing is chosen in two steps
  bool fits_ahead_ = true;
  Index done_ = 0, total_ = 0;
  std::mutex mutex_;  ///< of all that models are noted in: they come from several threads
};

}  // namespace

template <class Real>
std::vector<std::vector<NestedOutcome>> nested(const NestedStudy<Real>& study, const Family<Real>& family,
                                               const NestedTask& task, const NestedProgress& progress) {
  return Nested<Real>(study, family, task, progress).run();
}

template std::vector<std::vector<NestedOutcome>> nested(const NestedStudy<float>&, const Family<float>&,
                                                        const NestedTask&, const NestedProgress&);
template std::vector<std::vector<NestedOutcome>> nested(const NestedStudy<double>&, const Family<double>&,
                                                        const NestedTask&, const NestedProgress&);

}  // namespace sturm
