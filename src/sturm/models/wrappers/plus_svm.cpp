// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/wrappers/plus_svm.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "sturm/models/kernel/svm.h"
#include "sturm/models/training_set.h"

namespace sturm {
namespace {

/// The place of each when sorted by size, the largest first and of equals the first.
std::vector<std::size_t> places_by_size(std::span<const double> size) {
  std::vector<std::pair<double, std::size_t>> sorted;
  sorted.reserve(size.size());
  for (std::size_t i = 0; i < size.size(); ++i) sorted.emplace_back(-std::abs(size[i]), i);
  std::ranges::sort(sorted);
  std::vector<std::size_t> out(size.size());
  for (std::size_t place = 0; place < sorted.size(); ++place) out[sorted[place].second] = place;
  return out;
}

/// The first percent of them, rising.
std::vector<std::size_t> first_percent(std::span<const std::size_t> places, double percent) {
  if (!(percent > 0 && percent <= 100))
    throw UsageError("`eta` is a number above 0 and up to 100, and is " + std::to_string(percent) + ".");
  // Rounding of the product must not add a voxel: 10 % of 50 is 5.
  const double share = std::ceil(percent * static_cast<double>(places.size()) / 100 - 1e-9);
  const auto last = static_cast<std::size_t>(std::max(1.0, share));
  std::vector<std::size_t> out;
  out.reserve(std::min(last, places.size()));
  for (std::size_t i = 0; i < places.size(); ++i)
    if (places[i] < last) out.push_back(i);
  return out;
}

template <class Real>
class PlusSvm : public Method<Real> {
 public:
  explicit PlusSvm(std::unique_ptr<Method<Real>> selector) : selector_(std::move(selector)) {}

  std::string name() const override { return selector_->name() + "+svm"; }
  std::string selects_with() const override { return selector_->name(); }
  double cost() const override { return selector_->cost(); }
  std::string title() const override { return selector_->title() + ", then a linear SVM on its voxels"; }
  std::string reference() const override { return selector_->reference(); }
  std::vector<Parameter> parameters() const override {
    std::vector<Parameter> out = selector_->parameters();
    out.push_back({"eta", "percent of the selected voxels that are kept, the largest ones", 100});
    out.push_back({"C", "weight of the errors", 1});
    return out;
  }
  std::vector<double> relative_setting(const FitData<Real>& data, const FitTask& task, double strength,
                                       double balance) const override {
    return selector_->relative_setting(data, task, strength, balance);
  }
  Index bytes(const Region& region, Index samples) const override {
    return selector_->bytes(region, samples) + Method<Real>::bytes(region, samples);
  }

  /// path: C is relative to 100 voxels of mean variance, since how many will be kept is not known.
  std::vector<std::vector<double>> grid(const FitData<Real>& data, const FitTask& task, GridKind kind) const override {
    std::vector<double> c = {1};
    if (kind == GridKind::path) {
      require_task(data, task);
      const TrainingSets<Real> study(data);
      const TrainingSet<Real>& set = study.of(task.weights);
      const VoxelSpace space = set.space();
      const std::vector<double> whole =
          grid_of_c(gram_of(study, space), set.weights(), kind, target_scale(set, task.y));
      const double share = static_cast<double>(space.voxels.size()) / 100;
      c = {whole[1] * share, whole[3] * share, whole[5] * share};
    }
    std::vector<std::vector<double>> out;
    const std::vector<std::vector<double>> ends = every_combination({{1, 5, 10, 50, 100}, c});
    for (const std::vector<double>& head : selector_->grid(data, task, kind))
      for (const std::vector<double>& end : ends) {
        out.push_back(head);
        out.back().insert(out.back().end(), end.begin(), end.end());
      }
    return out;
  }

  std::unique_ptr<Refiner<Real>> refiner(const FitData<Real>& data) const override {
    return std::make_unique<Second>(*this, data);
  }

  void fit(const FitData<Real>& data, std::span<const FitTask> tasks, const MethodOptions& options,
           const typename Method<Real>::Take& take) const override {
    require_tasks(*this, data, tasks);
    using Key = std::tuple<std::vector<double>, std::vector<double>, std::vector<double>>;
    std::map<Key, std::vector<Index>> groups;
    for (std::size_t t = 0; t < tasks.size(); ++t)
      groups[{counted_labels(tasks[t]), tasks[t].weights, {tasks[t].setting.begin(), tasks[t].setting.end() - 2}}]
          .push_back(static_cast<Index>(t));
    std::vector<FitTask> selections;
    std::vector<std::vector<Index>> members;
    for (auto& [key, list] : groups) {
      selections.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key)});
      members.push_back(std::move(list));
    }
    const TrainingSets<Real> study(data);
    selector_->fit(data, selections, options, [&](Index s, std::unique_ptr<FittedModel<Real>> model) {
      fit_on_selected(study, tasks, members[s], *model, take);
    });
  }

 private:
  class Second : public Refiner<Real> {
   public:
    Second(const PlusSvm& method, const FitData<Real>& data) : method_(method), study_(data) {}
    void fit(std::span<const FitTask> tasks, const FittedModel<Real>& selection,
             const typename Method<Real>::Take& take) const override {
      std::vector<Index> all(tasks.size());
      std::iota(all.begin(), all.end(), Index{0});
      method_.fit_on_selected(study_, tasks, all, selection, take);
    }

   private:
    const PlusSvm& method_;
    TrainingSets<Real> study_;
  };

  /// Every task that shares one selection.
  void fit_on_selected(const TrainingSets<Real>& study, std::span<const FitTask> tasks, std::span<const Index> members,
                       const FittedModel<Real>& selection, const typename Method<Real>::Take& take) const {
    const FitData<Real>& data = study.data();
    const std::span<const double> coef = selection.columns();
    if (coef.empty()) throw Error(selector_->name() + " has no coefficients to choose voxels by.");
    std::vector<Index> selected;
    for (std::size_t v = 0; v < coef.size(); ++v)
      if (coef[v] != 0) selected.push_back(static_cast<Index>(v));
    if (selected.empty()) {
      for (const Index t : members) {
        auto same = fitted_map<Real>(data.design.region(), std::vector<double>(coef.size()), selection.report.intercept,
                                     data.normalize, selection.decision_values());
        same->report = selection.report;
        take(t, std::move(same));
      }
      return;
    }
    const VoxelSpace space = study.of(tasks[members.front()].weights).space(std::move(selected));
    // On the scale on which the method saw the voxels: coef = scale W.
    std::vector<double> sizes;
    for (std::size_t k = 0; k < space.voxels.size(); ++k) sizes.push_back(coef[space.voxels[k]] / space.scale_of(k));
    std::map<double, std::vector<Index>> by_eta;
    for (const Index t : members) by_eta[*(tasks[t].setting.end() - 2)].push_back(t);
    const std::vector<std::size_t> places = places_by_size(sizes);
    for (const auto& [eta, list] : by_eta) {
      const VoxelSpace kept = restricted(space, first_percent(places, eta));
      const SvmKernel kernel(gram_of(study, kept), data.design.samples(),
                             static_cast<Index>(kept.voxels.size()) < data.design.samples());
      fit_side_by_side<Real>(list, {}, take, [&](Index t) {
        auto model = fit_linear_svm(study, kept, kernel, tasks[t], tasks[t].setting.back());
        const FitReport& first = selection.report;
        FitReport& report = model->report;
        report.tau = first.tau;
        report.gamma = first.gamma;
        report.alpha = first.alpha;
        report.iterations = first.iterations;
        report.trace = first.trace;
        report.seconds += first.seconds;
        if (first.status == Status::iteration_limit) report.status = first.status;
        return model;
      });
    }
  }

  std::unique_ptr<Method<Real>> selector_;
};

}  // namespace

template <class Real>
std::unique_ptr<Method<Real>> make_plus_svm(std::unique_ptr<Method<Real>> selector) {
  return std::make_unique<PlusSvm<Real>>(std::move(selector));
}
template std::unique_ptr<Method<float>> make_plus_svm(std::unique_ptr<Method<float>>);
template std::unique_ptr<Method<double>> make_plus_svm(std::unique_ptr<Method<double>>);

}  // namespace sturm
