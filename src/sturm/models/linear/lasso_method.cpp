// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/linear/lasso_method.h"

#include <chrono>
#include <cmath>
#include <limits>
#include <map>

#include "sturm/models/linear/linear_settings.h"
#include "sturm/models/training_set.h"
#include "sturm/solver/lasso_path.h"

namespace sturm {
namespace {

/// Tasks that differ in gamma alone.
struct PathTasks {
  double l2 = 0;
  std::vector<double> y;
  std::vector<Index> tasks;
  std::vector<double> gammas;
};

/// Both methods: a lasso is an elastic net whose l2 is 0 and not a parameter.
template <class Real>
class LassoMethod : public Method<Real> {
 public:
  explicit LassoMethod(bool net) : net_(net) {}

  std::string name() const override { return net_ ? "enet" : "lasso"; }
  double cost() const override { return net_ ? 75 : 7; }
  std::string title() const override { return net_ ? "Elastic net" : "Lasso"; }
  std::string reference() const override {
    return net_ ? "Zou and Hastie (2005), Regularization and variable selection via the elastic net, Journal of the "
                  "Royal "
                  "Statistical Society B 67:301-320"
                : "Tibshirani (1996), Regression shrinkage and selection via the lasso, Journal of the Royal "
                  "Statistical Society B 58:267-288";
  }
  bool has_sparse_path() const override { return true; }
  ProofKind proof_kind() const override { return ProofKind::squares; }
  std::vector<Parameter> parameters() const override {
    std::vector<Parameter> out{{"gamma", "weight of the l1 norm", std::numeric_limits<double>::quiet_NaN(), true}};
    if (net_) out.push_back({"l2", "weight of half the squared norm"});
    return out;
  }

  std::vector<std::vector<double>> grid(const FitData<Real>& data, const FitTask& task, GridKind kind) const override {
    std::vector<double> gammas = paper_values(), squares = paper_values();
    if (kind == GridKind::path) {
      require_task(data, task);
      const TrainingSets<Real> study(data);
      const TrainingSet<Real>& set = study.of(task.weights);
      const double alpha = loss_weight(data.alpha, data.design.shape());
      gammas = below_zero_point(alpha * zero_point(set, task));
      if (net_) squares = beside_loss(View<Real>(set.design(), set.rows(), set.scale(), {}, set.gram()), alpha);
    }
    if (!net_) squares = {0};
    std::vector<std::vector<double>> out;
    for (const double l2 : squares)
      for (const double gamma : gammas) {
        out.push_back({gamma});
        if (net_) out.back().push_back(l2);
      }
    return out;
  }

  std::vector<double> relative_setting(const FitData<Real>& data, const FitTask& task, double strength,
                                       double /*balance*/) const override {
    require_task(data, task);
    const TrainingSets<Real> study(data);
    return {strength * loss_weight(data.alpha, data.design.shape()) * zero_point(study.of(task.weights), task)};
  }

  void fit(const FitData<Real>& data, std::span<const FitTask> tasks, const MethodOptions& options,
           const typename Method<Real>::Take& take) const override {
    if (!(options.solver.gap > 0))
      throw UsageError("`gap` must be positive, and is " + std::to_string(options.solver.gap));
    require_tasks(*this, data, tasks);
    const TrainingSets<Real> study(data);
    std::mutex one_at_a_time;
    for_each_set<Real>(study, tasks, options.memory, [&](const TrainingSet<Real>& set, auto members, int worker) {
      for (const PathTasks& path : paths(tasks, members)) {
        // The progress callback is for the caller's thread alone.
        auto models = solve(data, set, path, options, worker == 0);
        const std::lock_guard lock(one_at_a_time);
        for (std::size_t i = 0; i < models.size(); ++i) take(path.tasks[i], std::move(models[i]));
      }
    });
  }

 private:
  /// Of the loss without its weight.
  static double zero_point(const TrainingSet<Real>& set, const FitTask& task) {
    const LassoView<Real> view(set.design(), set.rows(), set.scale());
    return lasso_zero_point<Real>(view, set.labels(counted_labels(task)));
  }
  /// 25 values from 0.9 to 0.009 of the point where w becomes zero.
  static std::vector<double> below_zero_point(double zero) {
    std::vector<double> out;
    out.reserve(25);
    for (int i = 0; i < 25; ++i) out.push_back(0.9 * zero * std::pow(10.0, -i / 12.0));
    return out;
  }
  /// From l2 that hardly matters to l2 that is most of the curvature: shares of the largest eigenvalue of X~X~'.
  static std::vector<double> beside_loss(const View<Real>& view, double alpha) {
    std::vector<double> out;
    for (const double share : {1e-3, 1e-2, 1e-1, 1.0}) out.push_back(share * alpha * view.eigenvalues.back());
    return out;
  }

  std::vector<PathTasks> paths(std::span<const FitTask> tasks, std::span<const Index> group) const {
    std::map<std::pair<double, std::vector<double>>, PathTasks> out;
    for (const Index t : group) {
      const double l2 = net_ ? tasks[t].setting[1] : 0;
      const std::vector<double> y = counted_labels(tasks[t]);
      PathTasks& path = out[{l2, y}];
      path.l2 = l2;
      path.y = y;
      path.tasks.push_back(t);
      path.gammas.push_back(tasks[t].setting[0]);
    }
    std::vector<PathTasks> list;
    list.reserve(out.size());
    for (auto& [key, path] : out) list.push_back(std::move(path));
    return list;
  }

  std::vector<std::unique_ptr<FittedModel<Real>>> solve(const FitData<Real>& data, const TrainingSet<Real>& set,
                                                        const PathTasks& path, const MethodOptions& options,
                                                        bool progress) const {
    const auto start = std::chrono::steady_clock::now();
    const double alpha = loss_weight(data.alpha, data.design.shape());
    const LassoView<Real> view(set.design(), set.rows(), set.scale());
    LassoOptions how{data.backend};
    how.gap = options.solver.gap;
    how.iterations = options.solver.iterations;
    how.raw_gram = [&set] { return set.gram(); };
    if (progress) how.progress = options.progress;
    std::vector<double> gammas = path.gammas;
    for (double& gamma : gammas) gamma /= alpha;
    const std::vector<double> y = set.labels(path.y);
    const std::vector<LassoSolution> solutions = solve_lasso_path<Real>(view, y, path.l2 / alpha, gammas, how);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::vector<double> scales;
    if (options.keep_proofs) certify_enet<Real>(view, y, path.l2 / alpha, gammas, solutions, &scales);
    std::vector<std::unique_ptr<FittedModel<Real>>> out;
    for (std::size_t i = 0; i < solutions.size(); ++i) {
      const LassoSolution& s = solutions[i];
      out.push_back(set.model(s.voxels, s.values, path.y));
      FitReport& r = out.back()->report;
      r.gamma = path.gammas[i];
      r.alpha = alpha;
      r.objective = s.objective * alpha;
      r.dual = s.dual * alpha;
      r.relative_gap = s.gap;
      r.iterations = s.iterations;
      r.status = s.status;
      r.seconds = seconds / static_cast<double>(solutions.size());
      if (options.keep_proofs) out.back()->proof = set.proof(s.theta, alpha * scales[i]);
    }
    return out;
  }

  bool net_;
};

}  // namespace

template <class Real>
std::unique_ptr<Method<Real>> make_lasso() {
  return std::make_unique<LassoMethod<Real>>(false);
}
template <class Real>
std::unique_ptr<Method<Real>> make_enet() {
  return std::make_unique<LassoMethod<Real>>(true);
}

template std::unique_ptr<Method<float>> make_lasso();
template std::unique_ptr<Method<double>> make_lasso();
template std::unique_ptr<Method<float>> make_enet();
template std::unique_ptr<Method<double>> make_enet();

}  // namespace sturm
