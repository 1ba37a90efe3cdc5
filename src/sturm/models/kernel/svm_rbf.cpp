// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/kernel/svm_rbf.h"

#include <chrono>
#include <cmath>
#include <limits>

#include "sturm/models/kernel/svm.h"

namespace sturm {
namespace {

double gauss(double squared_distance, double sigma) { return std::exp(-squared_distance / (2 * sigma * sigma)); }

template <class Real>
class FittedRbf : public FittedModel<Real> {
 public:
  FittedRbf(RbfModel<Real> model, std::vector<double> values) : model_(std::move(model)), values_(std::move(values)) {}
  std::vector<double> decision_values() const override { return values_; }
  std::vector<double> decision_values(const Design<Real>& x) const override {
    return sturm::decision_values(model_, x);
  }
  const RbfModel<Real>* rbf() const override { return &model_; }

 private:
  RbfModel<Real> model_;
  std::vector<double> values_;
};

/// Over all pairs of samples that count; 1 where they are all the same.
double median_distance(std::span<const double> squared, std::span<const double> weights) {
  const std::size_t m = weights.size();
  std::vector<double> pairs;
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t i = 0; i < j; ++i)
      if (weights[i] > 0 && weights[j] > 0) pairs.push_back(squared[i + j * m]);
  if (pairs.empty()) return 1;
  const auto middle = pairs.begin() + static_cast<std::ptrdiff_t>(pairs.size() / 2);
  std::ranges::nth_element(pairs, middle);
  return *middle > 0 ? std::sqrt(*middle) : 1;
}

template <class Real>
std::unique_ptr<FittedModel<Real>> fit_rbf(const FitData<Real>& data, const VoxelSpace& space,
                                           std::span<const double> squared, const FitTask& task) {
  const auto start = std::chrono::steady_clock::now();
  const double c = task.setting[0], width = task.setting[1];
  if (!(width > 0 && std::isfinite(width)))
    throw UsageError("`width` is a number above 0, and is " + std::to_string(width) + ".");
  const std::vector<double> weights = training_weights(data, task);
  const SvmProblem problem = problem_of(data, task, c);
  RbfModel<Real> model{data.design, {}, {}, width * median_distance(squared, weights), 0, space};
  std::vector<double> values(squared.size());
  std::ranges::transform(squared, values.begin(), [&](double d) { return gauss(d, model.sigma); });
  const SvmKernel kernel(std::move(values), data.design.samples());
  const SvmSolution solution = solve_svm(kernel, problem);
  model.intercept = solution.intercept;
  for (Index i = 0; i < kernel.samples(); ++i) {
    if (solution.beta[i] == 0) continue;
    model.rows.push_back(i);
    model.coef.push_back(solution.beta[i]);
  }
  auto out = std::make_unique<FittedRbf<Real>>(std::move(model), decision_values(kernel, solution));
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
    return "Boser, Guyon and Vapnik 1992, doi:10.1145/130385.130401; LIBSVM: Chang and Lin 2011, "
           "doi:10.1145/1961189.1961199";
  }
  std::vector<Parameter> parameters() const override {
    return {{"C", "weight of the errors", 1}, {"width", "of the kernel, relative to the median distance", 1}};
  }
  bool needs_intercept() const override { return true; }

  /// The kernel is at most 1 whatever the volumes: C needs no scale but that of the targets.
  std::vector<std::vector<double>> grid(const FitData<Real>& data, const FitTask& task, GridKind kind) const override {
    const std::vector<double> widths = {0.25, 0.5, 1, 2, 4};
    if (kind == GridKind::paper) return every_combination({grid_of_c({}, {}, kind, 1), widths});
    const double scale = target_scale(data, task);
    return every_combination({{0.1 * scale, scale, 10 * scale, 100 * scale, 1000 * scale}, widths});
  }

  void fit(const FitData<Real>& data, std::span<const FitTask> tasks, const MethodOptions& options,
           const typename Method<Real>::Take& take) const override {
    require_intercept(data.intercept, name());
    require_settings(*this, tasks);
    for_each_gram(data, tasks, [&](const GramOfTasks& group, std::span<const Index> members) {
      const std::vector<double> squared = squared_distances(group.gram, data.design.samples());
      fit_side_by_side<Real>(members, options, take,
                             [&](Index t) { return fit_rbf(data, group.space, squared, tasks[t]); });
    });
  }
};

}  // namespace

template <class Real>
std::vector<double> decision_values(const RbfModel<Real>& model, const Design<Real>& x) {
  std::vector<double> out(x.samples(), model.intercept);
  if (model.rows.empty()) return out;
  const std::vector<double> squared = squared_distances(x, model.volumes, model.rows, model.space);
  for (std::size_t k = 0; k < model.rows.size(); ++k)
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] += model.coef[k] * gauss(squared[i + k * out.size()], model.sigma);
  return out;
}

template <class Real>
std::unique_ptr<Method<Real>> make_svm_rbf() {
  return std::make_unique<RbfMethod<Real>>();
}

#define STURM_INSTANTIATE(Real)                                                             \
  template std::vector<double> decision_values(const RbfModel<Real>&, const Design<Real>&); \
  template std::unique_ptr<Method<Real>> make_svm_rbf();
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
