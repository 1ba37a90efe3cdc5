// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/kernel/svm.h"

#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "sturm/models/kernel/svm_proof.h"
#include "sturm/models/linear/linear_fitted.h"

namespace sturm {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr double enough = 1e-6;  ///< a relative gap
constexpr int rounds = 4;        ///< of correction; one does, unless volumes are nearly combinations of a few

template <class Real>
class SvmMethod : public Method<Real> {
 public:
  std::string name() const override { return "svm"; }
  std::string title() const override { return "Linear support vector machine"; }
  std::string reference() const override {
    return "Cortes and Vapnik 1995, doi:10.1007/BF00994018; LIBSVM: Chang and Lin 2011, doi:10.1145/1961189.1961199";
  }
  std::vector<Parameter> parameters() const override { return {{"C", "weight of the errors", 1}}; }
  bool needs_intercept() const override { return true; }

  std::vector<std::vector<double>> grid(const FitData<Real>& data, const FitTask& task, GridKind kind) const override {
    return every_combination(
        {grid_of_c(gram_of_task(data, task), training_weights(data, task), kind, target_scale(data, task))});
  }

  void fit(const FitData<Real>& data, std::span<const FitTask> tasks, const MethodOptions& options,
           const typename Method<Real>::Take& take) const override {
    require_intercept(data.intercept, name());
    require_settings(*this, tasks);
    for_each_gram(
        data, tasks,
        [&](GramOfTasks group, std::span<const Index> members) {
          const SvmKernel kernel(std::move(group.gram), data.design.samples(),
                                 static_cast<Index>(group.space.voxels.size()) < data.design.samples());
          fit_side_by_side<Real>(members, options, take, [&](Index t) {
            return fit_linear_svm(data, group.space, group.samples, kernel, tasks[t], tasks[t].setting[0]);
          });
        },
        Digits::few);
  }
};

struct Proven {
  SvmSolution solution;
  WeightedSum sum;
  SvmProof proof;
};

/// Solved with the kernel, mapped, and held against the volumes: what the kernel has lost to rounding is what the map
/// says otherwise of the samples, and is made good. Where that leads nowhere the kernel is formed anew in double.
template <class Real>
Proven proven_svm(const FitData<Real>& data, const VoxelSpace& space, const SampleStatistics& samples,
                  const SvmKernel& kernel, const SvmProblem& problem) {
  const auto prove = [&](SvmSolution solution) {
    WeightedSum sum = weighted_sum(data.design, samples, space, solution.beta);
    Proven out{std::move(solution), std::move(sum), {}};
    SvmSolution& s = out.solution;
    if (s.status == Status::zero_solution)
      out.proof.intercept = s.intercept;
    else
      out.proof = prove_svm(problem, s.beta, out.sum.values, out.sum.square, enough);
    s.objective = out.proof.objective;
    s.dual = out.proof.dual;
    s.relative_gap = out.proof.relative_gap;
    return out;
  };
  const auto proven = [](const Proven& one) { return one.proof.relative_gap <= enough; };
  const auto better = [](const Proven& a, const Proven& b) { return a.proof.relative_gap < b.proof.relative_gap; };
  const auto correct = [&](const SvmKernel& with, Proven best) {
    for (int round = 0; round < rounds && !proven(best); ++round) {
      Proven next = prove(corrected(with, problem, best.solution, best.sum.values));
      if (!better(next, best)) break;
      best = std::move(next);
    }
    return best;
  };
  Proven out = correct(kernel, prove(solve_svm(kernel, problem)));
  if (!proven(out) && std::is_same_v<Real, float>) {
    const SvmKernel exact(gram(data.design, samples, space, Digits::twice), data.design.samples(), true);
    Proven again = correct(exact, prove(solve_svm(exact, problem)));
    if (better(again, out)) out = std::move(again);
  }
  out.solution.status = out.solution.status == Status::zero_solution ? Status::zero_solution
                        : proven(out)                                ? Status::converged
                                                                     : Status::iteration_limit;
  return out;
}

}  // namespace

std::vector<double> upper_bounds(std::vector<double> weights, double c) {
  if (!(c > 0 && std::isfinite(c))) throw UsageError("`C` is a number above 0, and is " + std::to_string(c) + ".");
  for (double& w : weights) w *= c;
  return weights;
}

template <class Real>
double target_scale(const FitData<Real>& data, const FitTask& task) {
  if (!data.tube) return 1;
  const std::vector<double> weights = training_weights(data, task);
  double total = 0, mean = 0, variance = 0;
  for (const double w : weights) total += w;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (weights[i] > 0) mean += weights[i] / total * task.y[i];
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (weights[i] > 0) variance += weights[i] / total * (task.y[i] - mean) * (task.y[i] - mean);
  return variance > 0 ? std::sqrt(variance) : 1;
}

template <class Real>
SvmProblem problem_of(const FitData<Real>& data, const FitTask& task, double c) {
  const std::vector<double> upper = upper_bounds(training_weights(data, task), c);
  return data.tube ? tube_problem(task.y, upper, *data.tube * target_scale(data, task)) : class_problem(task.y, upper);
}

FitReport svm_report(const SvmSolution& solution, const SvmProblem& problem) {
  FitReport out;
  out.tau = out.gamma = out.alpha = none;
  out.objective = solution.objective;
  out.dual = solution.dual;
  out.relative_gap = solution.relative_gap;
  out.iterations = solution.iterations;
  out.status = solution.status;
  out.intercept = solution.intercept;
  Index last = -1;  // the terms of a sample are neighbours
  for (const SvmTerm& term : problem.terms) out.samples += std::exchange(last, term.row) != term.row;
  return out;
}

std::vector<double> grid_of_c(const GramOfTasks& kernel, std::span<const double> weights, GridKind kind, double scale) {
  if (kind == GridKind::paper) return {1e-3, 5e-3, 1e-2, 5e-2, 0.1, 0.5, 1, 5, 10, 50, 100, 500, 1000};
  // mean_i |z_i - mean|^2 = mean_i K_ii - mean_ij K_ij
  const auto m = static_cast<Index>(weights.size());
  double diagonal = 0, all = 0, count = 0;
  for (Index j = 0; j < m; ++j) {
    if (!(weights[j] > 0)) continue;
    ++count;
    diagonal += kernel.gram[j + j * m];
    for (Index i = 0; i < m; ++i)
      if (weights[i] > 0) all += kernel.gram[i + j * m];
  }
  const double spread = count > 0 ? diagonal / count - all / (count * count) : 0;
  std::vector<double> out;
  for (const double c : {1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e3}) out.push_back((spread > 0 ? c / spread : c) * scale);
  return out;
}

void require_intercept(bool intercept, const std::string& method) {
  if (!intercept) throw UsageError("`no-intercept` does not go with " + method + ", whose planes always have one.");
}

template <class Real>
std::unique_ptr<FittedModel<Real>> fit_linear_svm(const FitData<Real>& data, const VoxelSpace& space,
                                                  const SampleStatistics& samples, const SvmKernel& kernel,
                                                  const FitTask& task, double c) {
  const auto start = std::chrono::steady_clock::now();
  const SvmProblem problem = problem_of(data, task, c);
  Proven found = proven_svm(data, space, samples, kernel, problem);
  const double scale = found.proof.scale, b = found.proof.intercept;
  std::vector<double> values = std::move(found.sum.values);
  for (double& value : values) value = scale * value + b;
  if (scale != 1)
    for (double& w : found.sum.coef) w *= scale;
  FitReport report = svm_report(found.solution, problem);
  report.intercept = b - scale * found.sum.of_reference;
  set_sparsity(report, data.design.region(), found.sum.coef);
  auto out = std::make_unique<LinearFitted<Real>>(data.design.region(), std::move(found.sum.coef), report.intercept,
                                                  data.normalize, std::move(values));
  out->report = std::move(report);
  out->report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

template <class Real>
std::unique_ptr<Method<Real>> make_svm() {
  return std::make_unique<SvmMethod<Real>>();
}

#define STURM_INSTANTIATE(Real)                                                 \
  template std::unique_ptr<Method<Real>> make_svm();                            \
  template double target_scale(const FitData<Real>&, const FitTask&);           \
  template SvmProblem problem_of(const FitData<Real>&, const FitTask&, double); \
  template std::unique_ptr<FittedModel<Real>> fit_linear_svm(                   \
      const FitData<Real>&, const VoxelSpace&, const SampleStatistics&, const SvmKernel&, const FitTask&, double);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
