// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/solver/batch.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sturm/core/parallel.h"
#include "sturm/solver/batch_solver.h"
#include "sturm/solver/constants.h"
#include "sturm/solver/least_squares.h"
#include "sturm/solver/timer.h"

namespace sturm {

SolveStats& SolveStats::operator+=(const SolveStats& other) {
  prox += other.prox;
  products += other.products;
  elementwise += other.elementwise;
  newton += other.newton;
  certificate += other.certificate;
  total += other.total;
  product_flops += other.product_flops;
  return *this;
}

namespace batch {

/// One pass over X of the W-step; those that are done with it go through the other steps to the next.
template <class Real>
void BatchSolver<Real>::iterate(const List& list) {
  const List ready = w_step(list);
  b_step(ready);
  List due = ready;
  std::erase_if(due, [this](const State<Real>* s) {
    return s->when.iteration < s->when.next_check && s->when.iteration < iteration_limit_;
  });
  check(due);
  List on = ready;
  std::erase_if(on, [](const State<Real>* s) { return s->done; });
  update_rho(on);
  begin_w_step(on);
}

template <class Real>
void BatchSolver<Real>::begin_w_step(const List& list) {
  std::vector<linalg::ScaleJob<Real>> before;
  for (State<Real>* s : list) {
    ++s->when.iteration;
    const int k = s->when.iteration;
    s->tolerance = std::min(k == 1 ? 0.3 : k == 2 ? 0.1 : 0.03, 0.3 * s->when.gap);
    if (s->tau == 0) s->tolerance = std::min(s->tolerance, sizeof(Real) == 4 ? 1e-5 : 1e-6);
    s->newton.moves = false;
    s->newton.due = true;
    s->newton_steps = 0;
    if (s->problem->trace) before.push_back({.from = s->newton.w, .to = s->at.w_before});
  }
  ops_.scale(before);
}

template <class Real>
typename BatchSolver<Real>::List BatchSolver<Real>::w_step(const List& list) {
  typename Newton<Real>::List points, open;
  List ready;
  if (list.empty()) return ready;
  for (State<Real>* s : list) points.push_back(&s->newton);
  newton_.advance(points);
  const Timer timer(stats_.newton);
  for (State<Real>* s : list) {
    NewtonPoint<Real>& p = s->newton;
    if (p.due) continue;
    const double residual = p.residual();
    s->newton_converged =
        p.exact || residual <= s->tolerance * norm(p.theta) || residual <= newton::floor<Real> * s->theta_size;
    if (s->newton_converged || s->newton_steps == newton::step_limit) {
      ready.push_back(s);
    } else {
      ++s->newton_steps;
      open.push_back(&p);
    }
  }
  newton_.find_directions(open);
  return ready;
}

template <class Real>
void BatchSolver<Real>::b_step(const List& list) {
  const double nu = options_.solver.relaxation;
  List low_rank;
  std::vector<linalg::ScaleJob<Real>> plain;
  for (State<Real>* s : list) {
    if (s->tau > 0)
      low_rank.push_back(s);
    else
      plain.push_back({.from = s->newton.w, .to = s->at.a});  // nothing pulls B away from W
  }
  ops_.scale(plain);
  for (const List& chunk : chunks(low_rank)) {
    reserve(chunk.size());
    {
      const Timer timer(stats_.elementwise);
      for (int k = 0; k < terms_; ++k) {
        std::vector<linalg::RelaxJob<Real>> jobs;
        for (std::size_t i = 0; i < chunk.size(); ++i)
          jobs.push_back({chunk[i]->newton.w, places_[k].get(), chunk[i]->at.b[k], chunk[i]->at.q[k], copy(k, i)});
        ops_.relax(jobs, nu);
      }
    }
    const std::vector<TermResult> found = prox_of_copies(
        chunk, [this](const State<Real>& s) { return terms_ * s.tau / s.rho(); },
        admm::prox_accuracy * options_.solver.gap);
    const Timer timer(stats_.elementwise);
    std::vector<std::array<double, 4>> sums(chunk.size());
    for (int k = 0; k < terms_; ++k) {
      std::vector<linalg::AcceptJob<Real>> jobs;
      for (std::size_t i = 0; i < chunk.size(); ++i) {
        Iterates<Real>& at = chunk[i]->at;
        jobs.push_back({.w = chunk[i]->newton.w, .place = places_[k].get(), .b = at.b[k], .q = at.q[k]});
        jobs.back().next = copy(k, i);
        jobs.back().a = at.a;
        jobs.back().share = 1.0 / terms_;
        jobs.back().add = k > 0;
      }
      ops_.accept(jobs, nu);
      for (std::size_t i = 0; i < chunk.size(); ++i)
        for (int j = 0; j < 4; ++j) sums[i][j] += jobs[i].sums[j];
    }
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      Iterates<Real>& at = chunk[i]->at;
      at.b_value = found[i].value;
      at.b_rank = found[i].rank;
      at.w_minus_b = std::sqrt(sums[i][0]);
      at.b_change = std::sqrt(sums[i][1]);
      at.b_norm = std::sqrt(sums[i][2]);
      at.q_norm = std::sqrt(sums[i][3]);
    }
  }
  note_changes(list);
}

/// |W - W before| / |W| of those that ask for a trace.
template <class Real>
void BatchSolver<Real>::note_changes(const List& list) {
  List traced;
  std::vector<linalg::CompareJob<Real>> jobs;
  for (State<Real>* s : list) {
    if (!s->problem->trace) continue;
    traced.push_back(s);
    jobs.push_back({.v = s->newton.w, .b = s->at.w_before});
  }
  ops_.compare(jobs);
  for (std::size_t i = 0; i < traced.size(); ++i) {
    const double size = traced[i]->newton.w_norm2;
    traced[i]->at.w_change = size > 0 ? std::sqrt(jobs[i].away / size) : std::sqrt(jobs[i].away);
  }
}

/// Keeps the relative primal residual |W - B| and the dual one |B - B before| of one size.
template <class Real>
double BatchSolver<Real>::rho_factor(State<Real>& s) const {
  Schedule& when = s.when;
  const int k = when.iteration;
  if (s.tau == 0) return k % 3 == 0 ? 1.0 / 3 : 1.0;  // proximal point on the lasso
  if (!s.newton_converged && s.newton.residual() > 0.1 * norm(s.newton.theta)) {
    when.next_rho = std::max(when.next_rho, k + 2);
    return admm::harder;  // the inner problem is too hard: more proximal weight
  }
  if (when.new_rho > 0) {
    const double factor = when.new_rho / s.rho();
    when.new_rho = 0;
    when.next_rho = k + std::max(40, k / 4);
    return factor;
  }
  if (k < when.next_rho) return 1;
  when.next_rho = k + (k < 10 ? 2 : k < 30 ? 5 : k < 60 ? 10 : k < 200 ? 20 : k / 4);
  const Iterates<Real>& at = s.at;
  const double largest = std::max(std::sqrt(terms_ * s.newton.w_norm2), at.b_norm);
  const double primal = largest > 0 ? at.w_minus_b / largest : 0, dual = at.q_norm > 0 ? at.b_change / at.q_norm : 0;
  double factor = 1;
  if (primal > 0 && dual > 0)
    factor = std::clamp(admm::balance * std::sqrt(primal / dual), 1 / admm::most_balance, admm::most_balance);
  return factor >= 1 / admm::balance && factor <= admm::balance ? 1 : factor;
}

template <class Real>
void BatchSolver<Real>::update_rho(const List& list) {
  const Timer timer(stats_.elementwise);
  std::vector<linalg::ScaleJob<Real>> scaled;
  List changed;
  for (State<Real>* s : list) {
    const double factor = rho_factor(*s);
    if (factor == 1) continue;
    s->newton.rho *= factor;
    if (s->tau == 0) continue;  // Q is 0
    changed.push_back(s);
    for (auto& q : s->at.q) scaled.push_back({.from = q, .to = q, .times = 1 / factor});
  }
  ops_.scale(scaled);
  set_a(changed);
}

template <class Real>
void BatchSolver<Real>::set_a(const List& list) {
  for (int k = 0; k < terms_; ++k)
    for (const bool of_q : {false, true}) {
      std::vector<linalg::GatherJob<Real>> jobs;
      for (State<Real>* s : list) {
        const double share = 1.0 / terms_;
        jobs.push_back(
            {of_q ? s->at.q[k] : s->at.b[k], places_[k].get(), s->at.a, of_q ? -share : share, k > 0 || of_q});
      }
      ops_.gather(jobs);
    }
}

template <class Real>
void BatchSolver<Real>::finish(State<Real>& s) {
  Solution<Real> out{BasicTensor<Real>(x_.region().column_shape()), empty_copies<Real>(*penalty_), s.at.best_theta};
  backend_.download(s.at.best_w.whole(), out.w.flat());
  for (int k = 0; k < terms_; ++k) backend_.download(s.at.best_split[k].whole(), out.split[k].flat());
  out.iterations = s.when.iteration;
  out.tubal_rank = s.tau > 0 || s.problem->tau == 0 ? s.at.b_rank : -1;
  out.passes = s.newton.passes;
  out.objective = s.proof.primal;
  out.dual = s.proof.dual;
  out.gap = s.proof.gap();
  out.rho = s.rho();
  out.trace = std::move(s.trace);
  const bool zero = std::ranges::all_of(out.w.flat(), [](Real v) { return v == 0; });
  if (zero) out.tubal_rank = 0;
  out.status = !(out.gap <= options_.solver.gap) ? Status::iteration_limit
               : zero                            ? Status::zero_solution
                                                 : Status::converged;
  s.done = true;
  batch_.finish(s.index, std::move(out));
}

template void BatchSolver<float>::iterate(const List&);
template void BatchSolver<double>::iterate(const List&);
template void BatchSolver<float>::finish(State<float>&);
template void BatchSolver<double>::finish(State<double>&);
template void BatchSolver<float>::set_a(const List&);
template void BatchSolver<double>::set_a(const List&);
template void BatchSolver<float>::begin_w_step(const List&);
template void BatchSolver<double>::begin_w_step(const List&);

}  // namespace batch

template <class Real>
Index bytes_per_problem(const Penalty& penalty, Index samples) {
  // Of the columns a, z, z_next, w, the best w, two for checks, and signs; of the copies B, Q, the best split, what the
  // prox works on and its scratch; and Gram matrices.
  const auto real = static_cast<Index>(sizeof(Real));
  Index copies = 0;
  for (int k = 0; k < penalty.terms(); ++k) copies += penalty.size(k);
  return checked_product(7 * real + 1, penalty.region().size()) + checked_product(5 * real, copies) +
         checked_product(samples, samples) * (real + 2 * static_cast<Index>(sizeof(double)));
}

namespace {

template <class Real>
void require_paths(std::span<const Problem<Real>> problems) {
  const auto wrong = [](const char* what) { throw std::logic_error(what); };
  std::vector<std::uint8_t> taken(problems.size());
  for (const Problem<Real>& p : problems) {
    if (p.from && (p.after >= 0 || !(p.from->rho > 0))) wrong("a problem begins at one place, where rho is known");
    if (p.after < 0) continue;
    if (p.after >= std::ssize(problems) || taken[p.after]++) wrong("no two problems come after the same one");
    const Problem<Real>& before = problems[p.after];
    const double a = p.tau * before.gamma, b = p.gamma * before.tau;
    if (p.view != before.view || p.y != before.y || p.loss != before.loss || std::abs(a - b) > 1e-6 * std::max(a, b) ||
        !(before.tau + before.gamma > 0))
      wrong("a problem comes after one of the same view, y, loss and proportion of penalties");
    Index steps = 0;
    for (Index i = p.after; i >= 0 && steps <= std::ssize(problems); ++steps) i = problems[i].after;
    if (steps > std::ssize(problems)) wrong("no problem comes after itself");
  }
}

}  // namespace

template <class Real>
std::vector<Solution<Real>> solve_batch(const Design<Real>& x, std::span<const Problem<Real>> problems,
                                        const BatchOptions<Real>& options, SolveStats* stats) {
  for (const Problem<Real>& p : problems)
    if (!(p.tau >= 0 && p.gamma >= 0 && std::isfinite(p.tau) && std::isfinite(p.gamma)))
      throw Error("tau and gamma must be finite and not negative, and are " + std::to_string(p.tau) + " and " +
                  std::to_string(p.gamma));
  for (const Problem<Real>& p : problems)
    if (p.penalty != problems.front().penalty) throw Error("the problems of one batch must share one penalty");
  for (const Problem<Real>& p : problems) require_loss(loss_of(p), p.view->rows, labels_of(p));
  require_paths(problems);
  const PenaltyPointer penalty = problems.empty() ? nullptr : penalty_of(problems.front(), x.region());
  std::vector<Solution<Real>> out;
  std::function<void(Index, Solution<Real>)> take = options.take;
  if (!take) {
    out.resize(problems.size());
    take = [&out](Index i, Solution<Real> solution) { out[i] = std::move(solution); };
  }
  // Without any penalty there is nothing to iterate: the least squares solution of least norm.
  std::vector<Problem<Real>> penalised;
  std::vector<Index> places, place_of(problems.size(), -1);
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (problems[i].tau == 0 && problems[i].gamma == 0) {
      take(static_cast<Index>(i), least_squares(x, problems[i], options.solver.gap));
    } else {
      penalised.push_back(problems[i]);
      penalised.back().penalty = penalty;
      place_of[i] = std::ssize(places);
      places.push_back(static_cast<Index>(i));
    }
  }
  for (Problem<Real>& p : penalised)
    if (p.after >= 0) p.after = place_of[p.after];
  BatchOptions<Real> inner = options;
  inner.take = [&](Index i, Solution<Real> solution) { take(places[i], std::move(solution)); };
  if (penalised.empty()) return out;
  batch::Batch<Real> batch(x, penalised, inner);
  // So many lanes to begin with; they divide later on.
  batch.lanes = batch.splits ? std::clamp<Index>(batch.slots, 1, free_threads()) : 1;
  std::vector<SolveStats> found(batch.lanes);
  side_by_side(std::ssize(found), [&](Index lane) { batch::BatchSolver<Real>(batch, found[lane]).run(); });
  if (stats) {
    for (const SolveStats& s : found) *stats += s;
    stats->slots = batch.slots;
  }
  return out;
}

#define STURM_INSTANTIATE(Real)                                                                         \
  template Index bytes_per_problem<Real>(const Penalty&, Index);                                        \
  template std::vector<Solution<Real>> solve_batch(const Design<Real>&, std::span<const Problem<Real>>, \
                                                   const BatchOptions<Real>&, SolveStats*);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
