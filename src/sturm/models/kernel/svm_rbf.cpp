// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/kernel/svm_rbf.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "sturm/models/kernel/svm.h"
#include "sturm/models/model.h"

namespace sturm {
namespace {

/// Over all pairs of different samples, a pair as often as the weights of both say; 1 where all are the same. So a
/// sample of weight 2 is the same as two samples.
double median_distance(std::span<const double> squared, std::span<const double> weights) {
  const std::size_t m = weights.size();
  const double same = 1e-10 * *std::ranges::max_element(squared);  // but for the rounding of a Gram matrix
  std::vector<std::pair<double, double>> pairs;                    // squared distance and weight
  double total = 0;
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t i = 0; i < j; ++i) {
      const double weight = weights[i] * weights[j];
      if (!(weight > 0) || !(squared[i + j * m] > same)) continue;
      pairs.emplace_back(squared[i + j * m], weight);
      total += weight;
    }
  std::ranges::sort(pairs);
  double sum = 0;
  for (const auto& [distance, weight] : pairs)
    if ((sum += weight) > total / 2) return std::sqrt(distance);
  return 1;
}

template <class Real>
std::unique_ptr<FittedModel<Real>> fit_rbf(const TrainingSet<Real>& set, const VoxelSpace& space,
                                           std::span<const double> squared, const FitTask& task, bool given) {
  const auto start = std::chrono::steady_clock::now();
  const double c = task.setting[0], width = task.setting[1];
  if (!(width > 0 && std::isfinite(width)))
    throw UsageError("`width` is a number above 0, and is " + std::to_string(width) + ".");
  const SvmProblem problem = problem_of(set, task, c);
  RbfModel<Real> model{set.data().design, {}, {}, width * median_distance(squared, set.weights()), 0, space};
  std::vector<double> values(squared.size());
  std::ranges::transform(squared, values.begin(), [&](double d) { return gauss(d, model.sigma); });
  if (given)
    require_contrast(values, model.volumes.samples(), "width", width,
                     "1 is the median distance between samples: take 0.1 to 10.");
  const SvmKernel kernel(std::move(values), model.volumes.samples());
  const SvmSolution solution = solve_svm(kernel, problem);
  model.intercept = solution.intercept;
  for (Index i = 0; i < kernel.samples(); ++i) {
    if (solution.beta[i] == 0) continue;
    model.rows.push_back(i);
    model.coef.push_back(solution.beta[i]);
  }
  auto out = std::make_unique<FittedModel<Real>>(decision_values(kernel, solution), std::vector<double>(),
                                                 [model = std::move(model)](auto) { return Model<Real>(model); });
  out->report = svm_report(solution, problem);
  out->report.sparsity = out->report.sparsity_in_mask = std::numeric_limits<double>::quiet_NaN();
  out->report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

template <class Real>
class RbfMethod : public Method<Real> {
 public:
  std::string name() const override { return "svm-rbf"; }
  std::string title() const override { return "Support vector machine with a Gaussian kernel"; }
  std::string reference() const override {
    return "Boser, Guyon and Vapnik (1992), A training algorithm for optimal margin classifiers, COLT, "
           "doi:10.1145/130385.130401; Chang and Lin (2011), LIBSVM: a library for support vector machines, ACM "
           "Transactions on Intelligent Systems and Technology 2:27, doi:10.1145/1961189.1961199";
  }
  std::vector<Parameter> parameters() const override {
    return {{"C", "weight of the errors", 1}, {"width", "of the kernel, relative to the median distance", 1}};
  }
  bool needs_intercept() const override { return true; }

  /// The kernel is at most 1 whatever the volumes: C needs no scale but that of the targets.
  std::vector<std::vector<double>> grid(const FitData<Real>& data, const FitTask& task, GridKind kind) const override {
    const std::vector<double> widths = {0.25, 0.5, 1, 2, 4};
    if (kind == GridKind::paper) return every_combination({grid_of_c({}, {}, kind, 1), widths});
    require_task(data, task);
    const TrainingSets<Real> study(data);
    const double scale = target_scale(study.of(task.weights), task.y);
    return every_combination({{0.1 * scale, scale, 10 * scale, 100 * scale, 1000 * scale}, widths});
  }

  void fit(const FitData<Real>& data, std::span<const FitTask> tasks, const MethodOptions& options,
           const typename Method<Real>::Take& take) const override {
    require_intercept(data.intercept, name());
    require_tasks(*this, data, tasks);
    const TrainingSets<Real> study(data);
    for_each_gram(study, tasks, [&](const VoxelSpace& space, std::span<const double> gram, auto members) {
      const std::vector<double> squared = squared_distances(gram, data.design.samples());
      fit_side_by_side<Real>(members, options, take, [&](Index t) {
        return fit_rbf(study.of(tasks[t].weights), space, squared, tasks[t], options.given_setting);
      });
    });
  }
};

}  // namespace

template <class Real>
std::unique_ptr<Method<Real>> make_svm_rbf() {
  return std::make_unique<RbfMethod<Real>>();
}

template std::unique_ptr<Method<float>> make_svm_rbf();
template std::unique_ptr<Method<double>> make_svm_rbf();

}  // namespace sturm
