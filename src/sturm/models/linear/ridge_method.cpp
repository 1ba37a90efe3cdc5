// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/linear/ridge_method.h"

#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

#include "sturm/models/linear/linear_settings.h"
#include "sturm/models/training_set.h"
#include "sturm/solver/lasso_problem.h"

namespace sturm {
namespace {

template <class Real>
class RidgeMethod : public Method<Real> {
 public:
  std::string name() const override { return "ridge"; }
  std::string title() const override { return "Ridge"; }
  std::string reference() const override {
    return "Hoerl and Kennard (1970), Ridge regression: biased estimation for nonorthogonal problems, Technometrics "
           "12:55-67";
  }
  ProofKind proof_kind() const override { return ProofKind::squares; }
  std::vector<Parameter> parameters() const override {
    return {{"l2", "weight of half the squared norm", std::numeric_limits<double>::quiet_NaN(), true}};
  }

  /// `path`: 1e-5 to 10 times the largest eigenvalue of alpha X~X~', two values a decade.
  std::vector<std::vector<double>> grid(const FitData<Real>& data, const FitTask& task, GridKind kind) const override {
    std::vector<double> values = paper_values();
    if (kind == GridKind::path) {
      require_task(data, task);
      const double largest = largest_curvature(data, task);
      values.clear();
      for (int i = 0; i <= 12; ++i) values.push_back(largest * std::pow(10.0, 1 - i / 2.0));
    }
    std::vector<std::vector<double>> out;
    out.reserve(values.size());
    for (const double l2 : values) out.push_back({l2});
    return out;
  }

  /// No l2 makes the coefficients zero: strength is relative to the curvature of the loss where it is largest.
  std::vector<double> relative_setting(const FitData<Real>& data, const FitTask& task, double strength,
                                       double /*balance*/) const override {
    require_task(data, task);
    return {strength * largest_curvature(data, task)};
  }

  void fit(const FitData<Real>& data, std::span<const FitTask> tasks, const MethodOptions& options,
           const typename Method<Real>::Take& take) const override {
    require_tasks(*this, data, tasks);
    const TrainingSets<Real> study(data);
    const double alpha = loss_weight(data.alpha, data.design.shape());
    std::mutex one_at_a_time;
    for_each_set<Real>(study, tasks, options.memory, [&](const TrainingSet<Real>& set, auto members, int) {
      const View<Real> view(set.design(), set.rows(), set.scale(), {}, set.gram());
      for (const Index t : members) {
        auto model = solve(set, view, tasks[t], alpha, options);
        const std::lock_guard lock(one_at_a_time);
        take(t, std::move(model));
      }
    });
  }

 private:
  /// The largest eigenvalue of alpha X~X~'.
  static double largest_curvature(const FitData<Real>& data, const FitTask& task) {
    const TrainingSets<Real> study(data);
    const TrainingSet<Real>& set = study.of(task.weights);
    const View<Real> view(set.design(), set.rows(), set.scale(), {}, set.gram());
    return loss_weight(data.alpha, data.design.shape()) * view.eigenvalues.back();
  }

  static std::unique_ptr<FittedModel<Real>> solve(const TrainingSet<Real>& set, const View<Real>& view,
                                                  const FitTask& task, double alpha, const MethodOptions& options) {
    const auto start = std::chrono::steady_clock::now();
    const std::vector<double> labels = counted_labels(task), y = set.labels(labels);
    const double l2 = task.setting[0] / alpha;
    // In the eigenbasis of X~X~': w = X~'c with c = y / (e + l2), and theta = y - X~ w = l2 c, or what X~ cannot reach.
    // Eigenvalues that are rounding count as 0; without a penalty w is then the solution of least norm.
    const std::size_t n = y.size();
    const double floor = 1e-12 * view.eigenvalues.back();
    std::vector<double> c(n), theta = y;
    for (std::size_t j = 0; j < n; ++j) {
      const double e = view.eigenvalues[j];
      if (!(e > floor)) continue;
      const double* vector = view.eigenvectors.data() + j * n;
      const double part = std::inner_product(vector, vector + n, y.begin(), 0.0);
      for (std::size_t m = 0; m < n; ++m) {
        c[m] += part / (e + l2) * vector[m];
        theta[m] -= part * e / (e + l2) * vector[m];
      }
    }
    const Tensor w = exact_adjoint(set.design(), view, c);
    LassoSolution s;
    for (Index v = 0; v < set.design().voxels(); ++v)
      if (w.data()[v] != 0) {
        s.voxels.push_back(v);
        s.values.push_back(w.data()[v]);
      }
    s.theta = theta;
    const LassoView<Real> plain(set.design(), set.rows(), set.scale());
    const double none = 0;
    std::vector<double> scales;
    Certificate proof = certify_enet<Real>(plain, y, l2, {&none, 1}, {&s, 1}, &scales).front();
    // Without a penalty only theta orthogonal to every voxel is feasible: up to rounding, this one is.
    if (l2 == 0)
      proof.dual = std::min(proof.primal, std::inner_product(theta.begin(), theta.end(), theta.begin(), 0.0) / 2);

    auto out = set.model(s.voxels, s.values, labels);
    FitReport& r = out->report;
    r.alpha = alpha;
    r.objective = proof.primal * alpha;
    r.dual = proof.dual * alpha;
    r.relative_gap = proof.gap();
    r.iterations = 1;
    r.status = r.relative_gap > options.solver.gap ? Status::iteration_limit
               : s.voxels.empty()                  ? Status::zero_solution
                                                   : Status::converged;
    if (options.keep_proofs) out->proof = set.proof(s.theta, alpha * scales.front());
    r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return out;
  }
};

}  // namespace

template <class Real>
std::unique_ptr<Method<Real>> make_ridge() {
  return std::make_unique<RidgeMethod<Real>>();
}

template std::unique_ptr<Method<float>> make_ridge();
template std::unique_ptr<Method<double>> make_ridge();

}  // namespace sturm
