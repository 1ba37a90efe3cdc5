// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/linear/penalised_method.h"

#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>

#include "sturm/core/parallel.h"
#include "sturm/models/linear/linear_settings.h"
#include "sturm/models/training_set.h"
#include "sturm/solver/batch.h"
#include "sturm/solver/certificate.h"
#include "sturm/solver/paper.h"
#include "sturm/solver/zero_point.h"
#include "sturm/tensor/tsvd.h"

namespace sturm {
namespace {

/// The sets of some tasks. Their views are made side by side, after that of the first: it has the Gram matrix that the
/// others may share.
template <class Real>
std::vector<const TrainingSet<Real>*> sets_of(const TrainingSets<Real>& study, std::span<const FitTask> tasks) {
  std::vector<const TrainingSet<Real>*> out, distinct;
  for (const FitTask& task : tasks) {
    out.push_back(&study.of(task.weights));
    // Tasks of one set follow each other.
    if (std::ranges::find(distinct.rbegin(), distinct.rend(), out.back()) == distinct.rend())
      distinct.push_back(out.back());
  }
  distinct.front()->view();
  parallel_for(std::ssize(distinct) - 1, [&](Index i, int) { distinct[i + 1]->view(); });
  return out;
}

/// A solution on the scale of the raw volumes.
template <class Real>
std::unique_ptr<FittedModel<Real>> model_of(const Solution<Real>& solution, const TrainingSet<Real>& set,
                                            const FitTask& task, double alpha) {
  auto out = set.model(solution.w, counted_labels(task));
  FitReport& r = out->report;
  r.tau = task.setting[0];
  r.gamma = task.setting[1];
  r.alpha = alpha;
  r.objective = solution.objective * alpha;
  r.dual = solution.dual * alpha;
  r.relative_gap = solution.gap;
  r.iterations = solution.iterations;
  const bool zero = std::ranges::all_of(solution.w.flat(), [](Real v) { return v == 0; });
  r.status = solution.status == Status::converged && zero ? Status::zero_solution : solution.status;
  // Without a low-rank penalty no copy of W is low-rank, and W itself is counted.
  const Region& region = set.data().design.region();
  const std::vector<double> on_scale(solution.w.flat().begin(), solution.w.flat().end());
  r.tubal_rank = r.tau > 0 && solution.tubal_rank >= 0
                     ? solution.tubal_rank
                     : tubal_rank(region.spread<double>(on_scale), Transform::dft(region.box().n3), 1e-6);
  r.trace = solution.trace;
  for (TraceRow& row : r.trace) row.objective *= alpha;
  return out;
}

/// In the units of the samples, and with the split in the box.
template <class Real>
std::shared_ptr<const ProofPoint> proof_of(const Solution<Real>& solution, const Problem<Real>& problem,
                                           const TrainingSet<Real>& set, double alpha) {
  FeasiblePoint found;
  certify(set.design(), problem, solution.w, solution.theta, solution.split, &found);
  for (std::size_t k = 0; k < found.split.size(); ++k)
    found.split[k] = problem.penalty->in_box(static_cast<int>(k), found.split[k]);
  return set.proof(found.theta, alpha, std::move(found.split));
}

template <class Real>
struct SolverEnd : FitEnd {
  explicit SolverEnd(Solution<Real> s) : solution(std::move(s)) {}
  Index bytes() const override {
    Index numbers = std::ssize(solution.w.flat());
    for (const auto& part : solution.split) numbers += std::ssize(part.flat());
    return numbers * static_cast<Index>(sizeof(Real)) + std::ssize(solution.theta) * Index{sizeof(double)};
  }
  Solution<Real> solution;
};

template <class Real>
std::shared_ptr<const Solution<Real>> solution_of(const std::shared_ptr<const FitEnd>& end) {
  if (!end) return nullptr;
  const auto own = std::dynamic_pointer_cast<const SolverEnd<Real>>(end);
  if (!own) throw std::logic_error("a fit goes on from the end of another method's");
  return {own, &own->solution};
}

/// Fits of one fold and one y whose penalties are in one proportion follow each other, the strongest first: each begins
/// where the one before ended. Under weak penalties W hardly changes any more, and from nothing these take longest.
/// Those that have an end of their own to go on from go in pairs: the second is found sooner after the first, and
/// longer rows would leave threads without work.
template <class Real>
void make_paths(std::vector<Problem<Real>>& problems) {
  std::map<std::pair<const void*, std::vector<double>>, std::vector<Index>> groups;
  for (Index i = 0; i < std::ssize(problems); ++i)
    if (problems[i].tau > 0) groups[{problems[i].view.get(), problems[i].y}].push_back(i);
  for (auto& [key, group] : groups) {
    std::ranges::stable_sort(group, std::greater{}, [&](Index i) { return problems[i].tau; });
    std::vector<Index> ends;
    for (const Index i : group) {
      const Problem<Real>& p = problems[i];
      const auto end = std::ranges::find_if(ends, [&](Index e) {
        const double a = p.tau * problems[e].gamma, b = p.gamma * problems[e].tau;
        return std::abs(a - b) <= 1e-9 * std::max(a, b);
      });
      if (end == ends.end()) {
        ends.push_back(i);
      } else {
        if (!problems[i].from || problems[*end].from) {
          problems[i].after = *end;
          problems[i].from = nullptr;
        }
        *end = i;
      }
    }
  }
}

}  // namespace

template <class Real>
std::vector<Parameter> PenalisedMethod<Real>::parameters() const {
  constexpr double told = std::numeric_limits<double>::quiet_NaN();
  return {{"tau", "weight of the low-rank penalty", told, true}, {"gamma", "weight of the l1 norm", told, true}};
}

template <class Real>
double PenalisedMethod<Real>::alpha(const FitData<Real>& data) const {
  const Shape& shape = data.design.shape();
  return data.alpha == 0 ? kind_.automatic_alpha(shape) : loss_weight(data.alpha, shape);
}

template <class Real>
std::vector<double> PenalisedMethod<Real>::relative_setting(const FitData<Real>& data, const FitTask& task,
                                                            double strength, double balance) const {
  if (!(strength > 0 && std::isfinite(strength)))
    throw UsageError("`strength` must be positive, and is " + std::to_string(strength));
  require_task(data, task);
  const TrainingSets<Real> study(data, CommonPart::of_all);
  const TrainingSet<Real>& set = study.of(task.weights);
  const ZeroPoint zero = zero_point(set.design(), *set.view(), set.labels(counted_labels(task)), balance, data.backend,
                                    1e-3, kind_.penalty(data.design.region()));
  const double c = strength * zero.scale() * alpha(data);
  return {c * balance * zero.tau_alone, c * (1 - balance) * zero.gamma_alone};
}

template <class Real>
Index bytes_per_fit(const Penalty& penalty, Index samples) {
  // W, Z, the splits and their transforms in double; the solution
  Index copies = 0;
  for (int k = 0; k < penalty.terms(); ++k) copies += penalty.size(k);
  const auto wide = static_cast<Index>(sizeof(double)), real = static_cast<Index>(sizeof(Real));
  return bytes_per_problem<Real>(penalty, samples) + checked_product(3 * wide + real, penalty.region().size()) +
         checked_product(2 * wide + real, copies) + 2 * checked_product(samples, samples) * wide;
}

template <class Real>
Index PenalisedMethod<Real>::bytes(const Region& region, Index samples) const {
  return bytes_per_fit<Real>(*kind_.penalty(region), samples);
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
  require_task(data, task);
  const TrainingSets<Real> study(data, CommonPart::of_all);
  const TrainingSet<Real>& set = study.of(task.weights);
  const View<Real>& view = *set.view();
  const std::vector<double> y = set.labels(counted_labels(task));
  const PenaltyPointer shared = kind_.penalty(data.design.region());
  std::array<ZeroPoint, path_balances.size()> zeros;
  side_by_side(std::ssize(path_balances), [&](Index i) {
    zeros[i] = zero_point(set.design(), view, y, path_balances[i], data.backend, 1e-2, shared);
  });
  for (std::size_t i = 0; i < path_balances.size(); ++i)
    for (const double strength : path_strengths) {
      const double c = strength * zeros[i].scale() * alpha(data), balance = path_balances[i];
      out.push_back({c * balance * zeros[i].tau_alone, c * (1 - balance) * zeros[i].gamma_alone});
    }
  return out;
}

template <class Real>
void PenalisedMethod<Real>::fit(const FitData<Real>& data, std::span<const FitTask> tasks, const MethodOptions& options,
                                const typename Method<Real>::Take& take) const {
  const auto start = std::chrono::steady_clock::now();
  if (!(options.solver.gap > 0))
    throw UsageError("`gap` must be positive, and is " + std::to_string(options.solver.gap));
  const double alpha = this->alpha(data);
  const PenaltyPointer shared = kind_.penalty(data.design.region());
  require_tasks(*this, data, tasks);
  if (tasks.empty()) return;
  const TrainingSets<Real> study(data, CommonPart::of_all);
  const std::vector<const TrainingSet<Real>*> sets = sets_of(study, tasks);
  std::vector<Problem<Real>> problems;
  for (std::size_t t = 0; t < tasks.size(); ++t)
    problems.push_back({sets[t]->view(), sets[t]->labels(counted_labels(tasks[t])), tasks[t].setting[0] / alpha,
                        tasks[t].setting[1] / alpha, shared, -1, solution_of<Real>(tasks[t].from),
                        tasks[t].trace || tasks.size() == 1});
  make_paths(problems);
  BatchOptions<Real> batch{data.backend, options.solver, options.memory, options.progress};
  batch.take = [&](Index i, Solution<Real> solution) {
    auto model = model_of(solution, *sets[i], tasks[i], alpha);
    if (options.keep_proofs) model->proof = proof_of(solution, problems[i], *sets[i], alpha);
    if (options.keep_ends && solution.rho > 0 && solution.status == Status::converged)
      model->end = std::make_shared<SolverEnd<Real>>(std::move(solution));
    model->report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    take(i, std::move(model));
  };
  if (options.solver.solver == SolverKind::certified) {
    solve_batch<Real>(study.shared_design(), problems, batch);
    return;
  }
  batch.solver.rho /= alpha;
  for (std::size_t i = 0; i < problems.size(); ++i)
    batch.take(static_cast<Index>(i), solve_paper(study.shared_design(), problems[i], batch));
}

template Index bytes_per_fit<float>(const Penalty&, Index);
template Index bytes_per_fit<double>(const Penalty&, Index);
template class PenalisedMethod<float>;
template class PenalisedMethod<double>;

}  // namespace sturm
