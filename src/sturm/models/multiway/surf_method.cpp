// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/multiway/surf_method.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "sturm/core/parallel.h"
#include "sturm/models/training_set.h"
#include "sturm/solver/stagewise.h"
#include "sturm/tensor/tsvd.h"

namespace sturm {
namespace {

template <class Real>
std::unique_ptr<FittedModel<Real>> fit_one(const TrainingSets<Real>& study, const FitTask& task) {
  const auto start = std::chrono::steady_clock::now();
  const TrainingSet<Real>& set = study.of(task.weights);
  const Design<Real>& x = study.design();
  const std::vector<double> y = counted_labels(task), scale = set.voxel_scale().inverse;
  const StagewiseOptions options{static_cast<Index>(task.setting[0]), task.setting[1], task.setting[2]};
  // A centred X does not see the mean of y, so that centring y too changes W not at all, only the units of the steps.
  const StagewiseFit fit = fit_stagewise(x, set.rows(), y, scale, options);
  std::vector<double> coef = coefficients(fit, x.region(), scale);
  const Index rank = tubal_rank(x.region().template spread<double>(coef), Transform::dft(x.shape().n3), 1e-6);
  auto out = set.model_of_scaled(std::move(coef), y);
  FitReport& report = out->report;
  report.tau = report.gamma = report.alpha = report.dual = report.relative_gap =
      std::numeric_limits<double>::quiet_NaN();
  report.objective = fit.loss;  // of y in units of its deviation: 1 is no fit
  report.iterations = fit.steps;
  report.status = fit.status;
  report.tubal_rank = rank;
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

template <class Real>
class Surf : public Method<Real> {
 public:
  std::string name() const override { return "surf"; }
  std::string title() const override { return "Boosted sparse terms of rank 1"; }
  std::string reference() const override {
    return "He, Chen, Xu, Zhou and Wang (2018), Boosted sparse and low-rank tensor regression, NeurIPS";
  }
  std::vector<Parameter> parameters() const override {
    return {{"rank", "terms at most, 4 unless told", 4},
            {"epsilon", "length of a step, in deviations of y over the largest deviation of a voxel", 0.1},
            {"lambda", "a term ends where its penalty has fallen to this part of the first; 0: the whole path", 0.1}};
  }

  std::vector<std::vector<double>> grid(const FitData<Real>&, const FitTask&, GridKind kind) const override {
    // SURF has no row in the paper's tables and so no grid of its own there: `paper` is a longer and finer path.
    const bool paper = kind == GridKind::paper;
    const std::vector<double> ranks = paper ? std::vector<double>{1, 2, 4, 8, 12} : std::vector<double>{1, 2, 4};
    const std::vector<double> lengths = paper ? std::vector<double>{0.1, 0.05, 0.01} : std::vector<double>{0.1, 0.03};
    const std::vector<double> lambdas =
        paper ? std::vector<double>{0.8, 0.6, 0.4, 0.2, 0.1, 0.05, 0} : std::vector<double>{0.6, 0.3, 0.1};
    std::vector<std::vector<double>> out;
    for (const double r : ranks)
      for (const double e : lengths)
        for (const double l : lambdas) out.push_back({r, e, l});
    return out;
  }

  void fit(const FitData<Real>& data, std::span<const FitTask> tasks, const MethodOptions& options,
           const typename Method<Real>::Take& take) const override {
    require_tasks(*this, data, tasks);
    for (const FitTask& task : tasks) {
      const double rank = task.setting[0];
      if (!(rank >= 1 && rank <= 1e6 && rank == std::floor(rank)))
        throw UsageError("`rank` must be a whole number from 1, and is " + std::to_string(rank));
    }
    const TrainingSets<Real> study(data);
    // A few at a time, so that whoever takes them need not hold all at once.
    constexpr std::size_t together = 16;
    const int total = static_cast<int>(tasks.size());
    for (std::size_t first = 0; first < tasks.size(); first += together) {
      const int done = static_cast<int>(first);
      if (options.progress && !options.progress({done, 1, total - done, total})) throw Interrupted();
      const std::size_t count = std::min(together, tasks.size() - first);
      std::vector<std::unique_ptr<FittedModel<Real>>> models(count);
      parallel_for(static_cast<Index>(count), [&](Index i, int) { models[i] = fit_one(study, tasks[first + i]); });
      for (std::size_t i = 0; i < count; ++i) take(static_cast<Index>(first + i), std::move(models[i]));
    }
  }
};

}  // namespace

template <class Real>
std::unique_ptr<Method<Real>> make_surf() {
  return std::make_unique<Surf<Real>>();
}

template std::unique_ptr<Method<float>> make_surf();
template std::unique_ptr<Method<double>> make_surf();

}  // namespace sturm
