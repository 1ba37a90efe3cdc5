// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/kernel/svm.h"

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "sturm/core/sentence.h"
#include "sturm/models/kernel/svm_proof.h"

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
    return "Cortes and Vapnik (1995), Support-vector networks, Machine Learning 20:273-297, doi:10.1007/BF00994018; "
           "Chang and Lin (2011), LIBSVM: a library for support vector machines, ACM Transactions on Intelligent "
           "Systems and Technology 2:27, doi:10.1145/1961189.1961199";
  }
  std::vector<Parameter> parameters() const override { return {{"C", "weight of the errors", 1}}; }
  bool needs_intercept() const override { return true; }
  ProofKind proof_kind() const override { return ProofKind::margin; }

  std::vector<std::vector<double>> grid(const FitData<Real>& data, const FitTask& task, GridKind kind) const override {
    if (kind == GridKind::paper) return every_combination({grid_of_c({}, {}, kind, 1)});
    require_task(data, task);
    const TrainingSets<Real> study(data);
    const TrainingSet<Real>& set = study.of(task.weights);
    return every_combination({grid_of_c(gram_of(study, set.space()), set.weights(), kind, target_scale(set, task.y))});
  }

  void fit(const FitData<Real>& data, std::span<const FitTask> tasks, const MethodOptions& options,
           const typename Method<Real>::Take& take) const override {
    require_intercept(data.intercept, name());
    require_tasks(*this, data, tasks);
    const TrainingSets<Real> study(data);
    for_each_gram(
        study, tasks,
        [&](const VoxelSpace& space, std::vector<double> gram, std::span<const Index> members) {
          const SvmKernel kernel(std::move(gram), data.design.samples(),
                                 static_cast<Index>(space.voxels.size()) < data.design.samples());
          fit_side_by_side<Real>(members, options, take, [&](Index t) {
            return fit_linear_svm(study, space, kernel, tasks[t], tasks[t].setting[0], options.keep_proofs);
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
Proven proven_svm(const TrainingSets<Real>& study, const VoxelSpace& space, const SvmKernel& kernel,
                  const SvmProblem& problem) {
  const Design<Real>& x = study.data().design;
  const auto prove = [&](SvmSolution solution) {
    WeightedSum sum = weighted_sum(x, study.samples(), space, solution.beta);
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
    const SvmKernel exact(gram_of(study, space, Digits::twice), x.samples(), true);
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
double target_scale(const TrainingSet<Real>& set, std::span<const double> y) {
  return set.data().tube ? set.deviation(y) : 1;
}

template <class Real>
SvmProblem problem_of(const TrainingSet<Real>& set, const FitTask& task, double c) {
  const std::vector<double> upper = upper_bounds({set.weights().begin(), set.weights().end()}, c);
  const auto& tube = set.data().tube;
  SvmProblem out = tube ? tube_problem(task.y, upper, *tube * target_scale(set, std::span<const double>(task.y)))
                        : class_problem(task.y, upper);
  out.last_digits = task.kept;
  return out;
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

std::vector<double> grid_of_c(std::span<const double> gram, std::span<const double> weights, GridKind kind,
                              double scale) {
  if (kind == GridKind::paper) return {1e-3, 5e-3, 1e-2, 5e-2, 0.1, 0.5, 1, 5, 10, 50, 100, 500, 1000};
  // mean_i |z_i - mean|^2 = mean_i K_ii - mean_ij K_ij
  const auto m = static_cast<Index>(weights.size());
  double diagonal = 0, all = 0, count = 0;
  for (Index j = 0; j < m; ++j) {
    if (!(weights[j] > 0)) continue;
    ++count;
    diagonal += gram[j + j * m];
    for (Index i = 0; i < m; ++i)
      if (weights[i] > 0) all += gram[i + j * m];
  }
  const double spread = count > 0 ? diagonal / count - all / (count * count) : 0;
  std::vector<double> out;
  for (const double c : {1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e3}) out.push_back((spread > 0 ? c / spread : c) * scale);
  return out;
}

void require_contrast(std::span<const double> kernel, Index samples, const std::string& option, double value,
                      const std::string& way_out) {
  constexpr double last_digits = 1e-14;
  const auto at = [&](Index i, Index j) { return kernel[i + j * samples]; };
  bool unlike = true, alike = true, finite = true;
  for (Index i = 0; i < samples; ++i)
    for (Index j = 0; j <= i; ++j) {
      finite = finite && std::isfinite(at(i, j));
      if (i == j) continue;
      const double size = std::sqrt(at(i, i) * at(j, j));
      unlike = unlike && at(i, j) <= last_digits * size;
      alike = alike && std::abs(at(i, j) - size) <= last_digits * size;
    }
  if (samples < 2 || (finite && !unlike && !alike)) return;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g", value);
  throw UsageError(option_name(option, text.data()) + " makes every two samples " +
                   (!alike || !finite ? "wholly unlike each other (the kernel is 0 but for each sample with itself)"
                                      : "wholly alike (the kernel is the same for all)") +
                   ", so that nothing can be learnt; " + way_out);
}

void require_intercept(bool intercept, const std::string& method) {
  if (!intercept) throw UsageError("`no-intercept` does not go with " + method + ", whose planes always have one.");
}

template <class Real>
std::unique_ptr<FittedModel<Real>> fit_linear_svm(const TrainingSets<Real>& study, const VoxelSpace& space,
                                                  const SvmKernel& kernel, const FitTask& task, double c,
                                                  bool keep_proof) {
  const auto start = std::chrono::steady_clock::now();
  const SvmProblem problem = problem_of(study.of(task.weights), task, c);
  Proven found = proven_svm(study, space, kernel, problem);
  const double scale = found.proof.scale, b = found.proof.intercept;
  std::vector<double> values = std::move(found.sum.values);
  for (double& value : values) value = scale * value + b;
  if (scale != 1)
    for (double& w : found.sum.coef) w *= scale;
  const double intercept = b - scale * found.sum.of_reference;
  auto out = fitted_map<Real>(study.data().design.region(), std::move(found.sum.coef), intercept,
                              study.data().normalize, std::move(values));
  FitReport report = svm_report(found.solution, problem);
  report.intercept = intercept;
  report.sparsity = out->report.sparsity;
  report.sparsity_in_mask = out->report.sparsity_in_mask;
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  out->report = std::move(report);
  if (keep_proof) {
    auto proof = std::make_shared<ProofPoint>(ProofPoint{found.solution.beta, {}, {}});
    if (!space.scale.empty()) proof->scale.resize(study.data().design.voxels());
    for (std::size_t k = 0; k < space.scale.size(); ++k) proof->scale[space.voxels[k]] = space.scale[k];
    out->proof = std::move(proof);
  }
  return out;
}

template <class Real>
std::unique_ptr<Method<Real>> make_svm() {
  return std::make_unique<SvmMethod<Real>>();
}

#define STURM_INSTANTIATE(Real)                                                                            \
  template std::unique_ptr<Method<Real>> make_svm();                                                       \
  template double target_scale(const TrainingSet<Real>&, std::span<const double>);                         \
  template SvmProblem problem_of(const TrainingSet<Real>&, const FitTask&, double);                        \
  template std::unique_ptr<FittedModel<Real>> fit_linear_svm(const TrainingSets<Real>&, const VoxelSpace&, \
                                                             const SvmKernel&, const FitTask&, double, bool);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
