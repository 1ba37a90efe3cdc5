// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/penalised_method.h"

#include <chrono>
#include <cmath>
#include <limits>

#include "sturm/models/linear_fitted.h"
#include "sturm/models/linear_fold.h"
#include "sturm/models/preparation.h"
#include "sturm/solver/batch.h"
#include "sturm/solver/paper.h"
#include "sturm/solver/zero_point.h"

namespace sturm {
namespace {

/// The data of a call as the solver sees them.
template <class Real>
class Folds {
 public:
  explicit Folds(const FitData<Real>& data)
      : data_(data),
        centre_(data.intercept || data.normalize == Normalize::voxel),
        raw_(prepared(data.design, data.mask, data.normalize)),
        // Which volume is taken away changes nothing but rounding: one for all tasks, so that they share one design.
        x_(centre_ ? less_common_part(raw_, RowMap(std::vector<double>(raw_.samples(), 1.0), false), data.mask)
                   : raw_) {}

  /// The fold of a task; tasks with the same weights have the same.
  std::size_t fold_of(const FitTask& task) {
    std::vector<double> weights = task.weights;
    if (weights.empty()) weights.assign(raw_.samples(), 1.0);
    for (std::size_t i = 0; i < folds_.size(); ++i)
      if (std::ranges::equal(folds_[i].rows.weights(), weights)) return i;
    Fold<Real> next(raw_, x_, std::move(weights), centre_, data_.mask, data_.normalize, folds_);
    folds_.push_back(std::move(next));
    return folds_.size() - 1;
  }

  std::vector<double> labels(const FitTask& task, std::size_t fold) const {
    const RowMap& rows = folds_[fold].rows;
    const std::vector<double> y = counted_labels(task);
    if (data_.intercept) return mapped_labels(rows, y);
    return RowMap({rows.weights().begin(), rows.weights().end()}, false).apply(y);
  }

  std::unique_ptr<FittedModel<Real>> model(const Solution<Real>& solution, const FitTask& task, std::size_t fold,
                                           FitReport report) const {
    std::vector<double> fitted;
    for (const double w : folds_[fold].rows.weights()) report.samples += w > 0;
    SturmFit fit = folded_back(solution, raw_, folds_[fold], counted_labels(task), data_.mask, data_.intercept,
                               data_.normalize, std::move(report), &fitted);
    auto out = std::make_unique<LinearFitted<Real>>(std::move(fit.model), std::move(fitted));
    out->report = std::move(fit.report);
    return out;
  }

  const Design<Real>& x() const { return x_; }
  const std::shared_ptr<const View<Real>>& view(std::size_t fold) const { return folds_[fold].view; }

 private:
  const FitData<Real>& data_;
  bool centre_;
  Design<Real> raw_, x_;
  std::vector<Fold<Real>> folds_;
};

}  // namespace

template <class Real>
std::vector<Parameter> PenalisedMethod<Real>::parameters() const {
  constexpr double told = std::numeric_limits<double>::quiet_NaN();
  return {{"tau", "weight of the low-rank penalty", told, true}, {"gamma", "weight of the l1 norm", told, true}};
}

template <class Real>
double PenalisedMethod<Real>::alpha(const FitData<Real>& data) const {
  const Shape& shape = data.design.shape();
  return data.alpha == 0 ? automatic_alpha(shape) : loss_weight(data.alpha, shape);
}

template <class Real>
std::vector<double> PenalisedMethod<Real>::relative_setting(const FitData<Real>& data, const FitTask& task,
                                                            double strength, double balance) const {
  if (!(strength > 0 && std::isfinite(strength)))
    throw UsageError("--strength must be positive, and is " + std::to_string(strength));
  require_task(data, {task.y, task.weights, {}}, {});
  Folds<Real> folds(data);
  const std::size_t fold = folds.fold_of(task);
  const ZeroPoint zero =
      zero_point(folds.x(), *folds.view(fold), folds.labels(task, fold), balance, 1e-3, penalty(data.design.shape()));
  const double c = strength * zero.scale() * alpha(data);
  return {c * balance * zero.tau_alone, c * (1 - balance) * zero.gamma_alone};
}

template <class Real>
Index PenalisedMethod<Real>::bytes(const Shape& shape, Index samples) const {
  return bytes_per_fit<Real>(shape, samples, penalty(shape)->terms());
}

template <class Real>
std::vector<std::vector<double>> PenalisedMethod<Real>::grid(const FitData<Real>& data, const FitTask& task,
                                                             GridKind kind) const {
  std::vector<std::vector<double>> out;
  if (kind == GridKind::paper) {
    for (const double tau : paper_values())
      for (const double gamma : paper_values()) out.push_back({tau, gamma});
    return out;
  }
  require_task(data, {task.y, task.weights, {}}, {});
  Folds<Real> folds(data);
  const std::size_t fold = folds.fold_of(task);
  const std::vector<double> y = folds.labels(task, fold);
  const PenaltyPointer shared = penalty(data.design.shape());
  for (const double balance : path_balances) {
    const ZeroPoint zero = zero_point(folds.x(), *folds.view(fold), y, balance, 1e-2, shared);
    for (const double strength : path_strengths) {
      const double c = strength * zero.scale() * alpha(data);
      out.push_back({c * balance * zero.tau_alone, c * (1 - balance) * zero.gamma_alone});
    }
  }
  return out;
}

template <class Real>
void PenalisedMethod<Real>::fit(const FitData<Real>& data, std::span<const FitTask> tasks, const MethodOptions& options,
                                const typename Method<Real>::Take& take) const {
  const auto start = std::chrono::steady_clock::now();
  if (!(options.solver.gap > 0))
    throw UsageError("--gap must be positive, and is " + std::to_string(options.solver.gap));
  const double alpha = this->alpha(data);
  const PenaltyPointer shared = penalty(data.design.shape());
  Folds<Real> folds(data);
  std::vector<std::size_t> fold;
  std::vector<Problem<Real>> problems;
  for (const FitTask& task : tasks) {
    require_task(data, task, parameters());
    fold.push_back(folds.fold_of(task));
    problems.push_back({folds.view(fold.back()), folds.labels(task, fold.back()), task.setting[0] / alpha,
                        task.setting[1] / alpha, shared});
  }
  BatchOptions<Real> batch{options.solver, options.memory, tasks.size() == 1, options.progress};
  batch.take = [&](Index i, const Solution<Real>& solution) {
    FitReport report;
    report.tau = tasks[i].setting[0];
    report.gamma = tasks[i].setting[1];
    report.alpha = alpha;
    auto model = folds.model(solution, tasks[i], fold[i], std::move(report));
    model->report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    take(i, std::move(model));
  };
  if (options.solver.solver == SolverKind::certified) {
    solve_batch<Real>(folds.x(), problems, batch);
    return;
  }
  batch.solver.rho /= alpha;
  for (std::size_t i = 0; i < problems.size(); ++i)
    batch.take(static_cast<Index>(i), solve_paper(folds.x(), problems[i], batch));
}

template class PenalisedMethod<float>;
template class PenalisedMethod<double>;

}  // namespace sturm
