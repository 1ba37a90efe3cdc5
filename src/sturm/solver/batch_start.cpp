// SPDX-License-Identifier: BSD-3-Clause
// How a problem begins: is its solution zero, and how large is rho?
#include <algorithm>
#include <cmath>
#include <limits>

#include "sturm/solver/batch_solver.h"
#include "sturm/solver/constants.h"
#include "sturm/solver/timer.h"

namespace sturm::batch {
namespace {

/// lambda with |X~' lambda (G + lambda)^-1 t| = share |X~'t|: the ridge penalty whose dual point is that much shorter.
template <class Real>
double ridge_for_share(const View<Real>& view, std::span<const double> t, double share) {
  const std::size_t n = t.size();
  std::vector<double> a(n);
  double whole = 0;
  for (std::size_t j = 0; j < n; ++j) {
    a[j] = std::sqrt(view.eigenvalues[j]) * dot(std::span(view.eigenvectors).subspan(j * n, n), t);
    whole += a[j] * a[j];
  }
  const double top = view.eigenvalues.back();
  double low = std::log(top) - 60, high = std::log(top) + 20;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2, lambda = std::exp(middle);
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double v = a[j] * lambda / (view.eigenvalues[j] + lambda);
      sum += v * v;
    }
    (sum < share * share * whole ? low : high) = middle;
  }
  return std::exp(low);
}

/// Of the loss's conjugate where the problem begins: the unit in which its rho is that of the square loss.
template <class Real>
double mean_curvature(const State<Real>& s) {
  std::vector<double> curvature;
  s.loss->curvature(s.labels(), s.newton.theta, curvature);
  const double sum = std::accumulate(curvature.begin(), curvature.end(), 0.0);
  return sum > 0 && std::isfinite(sum) ? sum / static_cast<double>(curvature.size()) : 1;
}

/// The factor for theta: c, or as much of the way to it as stays inside the domain of the conjugate.
template <class Real>
double scale_inside(const State<Real>& s, double c) {
  if (c <= 1) return c;
  std::vector<double> further = s.newton.theta;
  for (double& v : further) v *= c - 1;
  const double step = s.loss->longest_step(s.labels(), s.newton.theta, further);
  return step < 1 ? 1 + step * (c - 1) : c;
}

}  // namespace

/// A problem from nothing, in memory that may have been used before.
template <class Real>
State<Real>* BatchSolver<Real>::begin_slot(std::unique_ptr<State<Real>>& slot, Index problem,
                                           std::vector<linalg::ScaleJob<Real>>& clear) {
  if (!slot) slot = std::make_unique<State<Real>>();
  State<Real> state;
  const auto take = [&](linalg::Array<Real>& to, linalg::Array<Real>& from, Index size) {
    to = std::move(from);
    if (to.size() == size)
      clear.push_back({.to = to});
    else
      to = backend_.make<Real>(size);
  };
  for (auto array : {&NewtonPoint<Real>::z, &NewtonPoint<Real>::z_next, &NewtonPoint<Real>::w})
    take(state.newton.*array, slot->newton.*array, voxels_);
  take(state.at.a, slot->at.a, voxels_);
  take(state.at.best_w, slot->at.best_w, voxels_);
  if (batch_.problems[problem].trace) take(state.at.w_before, slot->at.w_before, voxels_);
  for (auto arrays : {&Iterates<Real>::b, &Iterates<Real>::q, &Iterates<Real>::best_split}) {
    (slot->at.*arrays).resize(terms_);
    (state.at.*arrays).resize(terms_);
    for (int k = 0; k < terms_; ++k) take((state.at.*arrays)[k], (slot->at.*arrays)[k], penalty_->size(k));
  }
  *slot = std::move(state);
  assign(*slot, problem);
  return slot.get();
}

template <class Real>
void BatchSolver<Real>::assign(State<Real>& s, Index problem) {
  s.index = problem;
  s.problem = &batch_.problems[problem];
  s.gamma = s.newton.gamma = s.problem->gamma;
  const double least = std::min(admm::negligible, admm::negligible_part_of_gap * options_.solver.gap);
  s.tau = s.problem->tau * penalty_->one_voxel() <= least * s.gamma ? 0 : s.problem->tau;
  s.newton.view = s.problem->view.get();
  s.newton.columns = batch_.device.columns(s.view());
  s.loss = s.newton.loss = &loss_of(*s.problem);
  s.newton.labels = labels_of(*s.problem);
  s.newton.a = s.at.a;
}

template <class Real>
bool BatchSolver<Real>::admit() {
  List fresh, further, again;
  std::vector<linalg::ScaleJob<Real>> clear;
  const auto from_nothing = [&](std::unique_ptr<State<Real>>& slot, Index problem) {
    State<Real>* s = begin_slot(slot, problem, clear);
    (s->problem->from ? again : fresh).push_back(s);
  };
  for (auto& slot : slots_) {
    if (!slot->done) continue;
    Index next = batch_.after(slot->index);
    if (next >= 0 && slot->when.iteration > 0) {
      assign(*slot, next);
      further.push_back(slot.get());
      continue;
    }
    if (next < 0) next = batch_.take_first();
    if (next >= 0) {
      from_nothing(slot, next);
    } else {
      slot.reset();
      batch_.give_slot_back();
    }
  }
  std::erase(slots_, nullptr);
  for (Index more = batch_.fair_share() - std::ssize(slots_); more > 0 && batch_.take_slot(); --more) {
    const Index next = batch_.take_first();
    if (next < 0) {
      batch_.give_slot_back();
      break;
    }
    from_nothing(slots_.emplace_back(), next);
  }
  ops_.scale(clear);
  if (!fresh.empty()) start(fresh);
  if (!again.empty()) resume(again);
  if (!further.empty()) go_on(further);
  return std::ranges::any_of(fresh, &State<Real>::done);
}

/// Penalties times c: near interpolation W stays, and theta, rho Q and the clipping grow by c. So W, B, Q and Z / rho
/// are kept, and the first W-step begins at the W of the problem before.
template <class Real>
void BatchSolver<Real>::go_on(const List& list) {
  std::vector<linalg::ScaleJob<Real>> jobs;
  for (State<Real>* s : list) {
    const Problem<Real>& before = batch_.problems[s->problem->after];
    const double c = s->tau > 0 ? s->tau / before.tau : s->gamma / before.gamma;
    s->when = {};
    s->when.target = options_.solver.gap * aim<Real>;
    s->newton.rho *= c;
    s->newton.passes = 0;
    const double t = scale_inside(*s, c);
    for (double& v : s->newton.theta) v *= t;
    jobs.push_back({.from = s->newton.z, .to = s->newton.z, .times = t});
    s->at.best_theta = s->newton.theta;
    s->at.best_primal = s->zero_objective;
    s->at.best_dual = 0;
    jobs.push_back({.to = s->at.best_w});
    for (auto& split : s->at.best_split) jobs.push_back({.to = split});
    s->proven = s->done = false;
    s->trace.clear();
    if (s->problem->trace && s->at.w_before.size() == 0) s->at.w_before = backend_.make<Real>(voxels_);
  }
  ops_.scale(jobs);
  begin_w_step(list);
}

/// W, theta and the split are those of the solution; B = W, and K Q_k / rho is the split.
template <class Real>
void BatchSolver<Real>::resume(const List& list) {
  std::vector<linalg::SweepJob<Real>> sweep;
  std::vector<linalg::ScaleJob<Real>> scaled;
  std::vector<Real> u;
  u.reserve(list.size() * samples_);
  for (State<Real>* s : list) {
    const Solution<Real>& from = *s->problem->from;
    begin(*s, from.theta);
    s->when.gap = from.gap;
    s->newton.rho = from.rho;
    backend_.upload<Real>(from.w.flat(), s->newton.w);
    for (int k = 0; k < terms_ && s->tau > 0; ++k) {
      backend_.upload<Real>(from.split[k].flat(), s->at.q[k]);
      scaled.push_back({.from = s->at.q[k], .to = s->at.q[k], .times = terms_ / from.rho});
    }
    if (s->tau == 0) scaled.push_back({.from = s->newton.w, .to = s->at.a});
    for (const double v : s->view().rows.adjoint(from.theta)) u.push_back(static_cast<Real>(v));
    sweep.push_back({.u = u.data() + u.size() - samples_, .z_next = s->newton.z, .scale = s->newton.columns.scale});
  }
  ops_.scale(scaled);
  for (int k = 0; k < terms_; ++k) {
    std::vector<linalg::SpreadJob<Real>> jobs;
    for (State<Real>* s : list)
      if (s->tau > 0) jobs.push_back({s->newton.w, places_[k].get(), s->at.b[k], 1});
    ops_.spread(jobs);
  }
  List low_rank = list;
  std::erase_if(low_rank, [](const State<Real>* s) { return s->tau == 0; });
  set_a(low_rank);
  {
    const Timer timer(stats_.products);
    ops_.sweep(samples_, batch_.device.x(), sweep);
  }
  begin_w_step(list);
}

/// A fresh problem at a dual point.
template <class Real>
void BatchSolver<Real>::begin(State<Real>& s, const std::vector<double>& theta) const {
  s.when.target = options_.solver.gap * aim<Real>;
  s.newton.theta = s.at.best_theta = theta;
  s.newton.xw.assign(samples_, 0);
  s.theta_size = norm(s.loss->dual_point_at_zero(s.labels()));
  s.at.best_primal = s.zero_objective = s.loss->value_at_zero(s.labels());
}

/// V = X~'theta with theta the dual point of W = 0: y, for the square loss. hi and lo bracket the scale at which V
/// leaves the set of all G1 + G2: W = 0 below it. How much of V the low-rank part would take there decides how the work
/// is shared between the two blocks.
template <class Real>
void BatchSolver<Real>::start(const List& list) {
  std::vector<linalg::SweepJob<Real>> jobs;
  std::vector<Real> u;
  u.reserve(list.size() * samples_);
  for (State<Real>* s : list) {
    begin(*s, s->loss->dual_point_at_zero(s->labels()));
    for (const double v : s->view().rows.adjoint(s->newton.theta)) u.push_back(static_cast<Real>(v));
    jobs.push_back({.u = u.data() + u.size() - samples_, .z_next = s->newton.z, .scale = s->newton.columns.scale});
  }
  {
    const Timer timer(stats_.products);
    ops_.sweep(samples_, batch_.device.x(), jobs);
  }
  const Timer timer(stats_.certificate);
  std::vector<linalg::SizeJob<Real>> sizes;
  for (State<Real>* s : list) sizes.push_back({.a = s->newton.z});
  ops_.measure_sizes(sizes);
  // spectral: the dual norm of V, or with several terms what V shared out among them in the best proportion shows.
  struct Found {
    double spectral = 0, value = 0, hi = 0, lo = 0, share = 1;
    std::vector<double> duals;  ///< by term
  };
  std::map<const State<Real>*, Found> found;
  const auto z_of = [](const State<Real>& s, std::size_t) { return s.newton.z.whole(); };
  List low_rank;
  for (State<Real>* s : list)
    if (s->tau > 0) low_rank.push_back(s);
  for (const List& chunk : chunks(low_rank)) {
    spread(chunk, z_of);
    std::vector<std::vector<TermResult>> by_term;
    const std::vector<TermResult> all = norms_of_copies(chunk, &by_term);
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      Found& f = found[chunk[i]];
      double inverse = 0;
      for (int k = 0; k < terms_; ++k) {
        f.duals.push_back(by_term[k][i].dual);
        inverse += 1 / by_term[k][i].dual;
      }
      f.spectral = terms_ == 1 ? all[i].dual : 1 / inverse;
      f.value = all[i].value;
    }
  }
  List mixed;
  for (std::size_t i = 0; i < list.size(); ++i) {
    State<Real>& s = *list[i];
    Found& f = found[&s];
    const double top = sizes[i].most;
    if (s.tau > 0 && s.gamma > 0) {
      f.hi = 1 / (s.gamma / top + s.tau / f.spectral);
      f.lo = top / (s.gamma + s.tau * penalty_->one_voxel());
      if (top > 0) mixed.push_back(&s);
    } else if (s.gamma > 0) {
      f.hi = f.lo = top / s.gamma;
      f.share = 0;
    } else {
      f.hi = f.lo = s.tau > 0 ? f.spectral / s.tau : std::numeric_limits<double>::infinity();
      if (terms_ > 1 && f.value > 0) f.lo = sizes[i].square / (s.tau * f.value);  // W = V
    }
    if (top == 0) f.hi = f.lo = 0;  // theta is orthogonal to every voxel
  }
  for (const List& chunk : chunks(mixed)) {
    const auto scale = [&](std::size_t i) { return 1 / std::sqrt(found[chunk[i]].lo * found[chunk[i]].hi); };
    spread(chunk, z_of, scale);
    const std::vector<TermResult> b = prox_of_copies(
        chunk, [this](const State<Real>& s) { return terms_ * s.tau; }, 0);
    std::vector<linalg::CompareJob<Real>> compare;
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      for (int k = 0; k < terms_; ++k) {
        linalg::GatherJob<Real> job{copy(k, i), places_[k].get(), columns(0, i), 1.0 / terms_, k > 0};
        ops_.gather({&job, 1});
      }
      compare.push_back({.v = chunk[i]->newton.z, .b = columns(0, i), .times = scale(i)});
    }
    ops_.compare(compare);
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      const State<Real>& s = *chunk[i];
      Found& f = found[&s];
      const double c = 1 / scale(i);
      linalg::SizeJob<Real> v{.a = s.newton.z};
      ops_.measure_sizes({&v, 1});
      f.share = std::min(1.0, std::sqrt(compare[i].away) / (std::sqrt(v.square) / c));
      if (terms_ == 1 && b[i].value > 0 && x_.region().whole())  // B is a point to bound with where it may be W
        f.lo = std::max(f.lo, c * compare[i].inner / (s.tau * b[i].value + s.gamma * compare[i].l1));
    }
  }
  List zero;
  std::vector<linalg::SpreadJob<Real>> splits;
  for (State<Real>* s : list) {
    const Found& f = found[s];
    if (!std::isfinite(f.hi)) continue;
    // theta is feasible when it is divided by hi; the split that shows it: G2 = V (tau/spec) / (gamma/max +
    // tau/spec), and likewise for each of several terms.
    s->at.best_dual = s->loss->best_dual_at_zero(s->labels(), f.hi > 0 ? std::min(1.0, 1 / f.hi) : 1.0);
    const bool beyond_numbers = f.spectral > 0 && std::isinf(s->tau / f.spectral);  // then hi is 0
    for (int k = 0; k < terms_ && s->tau > 0 && (f.hi > 0 || beyond_numbers); ++k) {
      const double portion = s->gamma == 0 && terms_ == 1 ? 1
                             : beyond_numbers             ? f.spectral / f.duals[k]
                                                          : s->tau / f.duals[k] * f.hi;
      splits.push_back({s->newton.z, places_[k].get(), s->at.best_split[k], portion});
    }
    s->when.gap = s->at.best_primal > 0 ? (s->at.best_primal - s->at.best_dual) / s->at.best_primal : 0;
    if (s->when.gap <= s->when.target) zero.push_back(s);
  }
  ops_.spread(splits);
  prove(zero);
  List on;
  std::vector<linalg::ScaleJob<Real>> shorter;
  for (State<Real>* s : list) {
    if (s->proven) {
      finish(*s);
      continue;
    }
    const Found& f = found[s];
    const double c = std::isfinite(f.hi) ? std::max(1.0, std::sqrt(f.lo * f.hi)) : 1e8;
    s->newton.rho = 2 * ridge_for_share(s->view(), s->newton.theta, std::min(1 / c, 0.9)) *
                    std::max(std::pow(f.share, 1.3), 1e-3) / mean_curvature(*s);
    s->when.gap = 1;
    for (double& v : s->newton.theta) v /= c;
    shorter.push_back({.from = s->newton.z, .to = s->newton.z, .times = 1 / c});
    on.push_back(s);
  }
  ops_.scale(shorter);
  begin_w_step(on);
}

template bool BatchSolver<float>::admit();
template bool BatchSolver<double>::admit();
template void BatchSolver<float>::go_on(const List&);
template void BatchSolver<double>::go_on(const List&);
template void BatchSolver<float>::resume(const List&);
template void BatchSolver<double>::resume(const List&);
template void BatchSolver<float>::begin(State<float>&, const std::vector<double>&) const;
template void BatchSolver<double>::begin(State<double>&, const std::vector<double>&) const;
template void BatchSolver<float>::start(const List&);
template void BatchSolver<double>::start(const List&);

}  // namespace sturm::batch
