// SPDX-License-Identifier: BSD-3-Clause
// How the gap of a problem under way is found: the best dual point and the best primal point so far.
#include <algorithm>
#include <cmath>

#include "sturm/core/larger.h"
#include "sturm/core/parallel.h"
#include "sturm/solver/batch_solver.h"
#include "sturm/solver/constants.h"
#include "sturm/solver/timer.h"

namespace sturm::batch {

template <class Real>
std::vector<typename BatchSolver<Real>::List> BatchSolver<Real>::chunks(const List& list) const {
  std::vector<List> out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i % admm::copies_at_once == 0) out.emplace_back();
    out.back().push_back(list[i]);
  }
  return out;
}

template <class Real>
void BatchSolver<Real>::reserve(std::size_t count) {
  if (count <= reserved_) return;
  reserved_ = count;
  copies_.clear();
  spare_.clear();
  for (int k = 0; k < terms_; ++k) {
    copies_.push_back(backend_.make<Real>(static_cast<Index>(count) * penalty_->size(k)));
    spare_.push_back(backend_.make<Real>(static_cast<Index>(count) * penalty_->size(k)));
  }
  for (auto& columns : columns_) columns = backend_.make<Real>(static_cast<Index>(count) * voxels_);
}

namespace {

/// Of each problem over its terms: values summed, the largest dual norm and rank.
std::vector<TermResult> over_terms(const std::vector<std::vector<TermResult>>& by_term, std::size_t count) {
  std::vector<TermResult> out(count);
  for (const auto& of_term : by_term)
    for (std::size_t i = 0; i < count; ++i) {
      out[i].value += of_term[i].value;
      out[i].dual = larger(out[i].dual, of_term[i].dual);
      out[i].rank = std::max(out[i].rank, of_term[i].rank);
    }
  return out;
}

}  // namespace

template <class Real>
std::vector<TermResult> BatchSolver<Real>::prox_of_copies(const List& chunk,
                                                          const std::function<double(const State<Real>&)>& mu,
                                                          double accuracy,
                                                          std::vector<std::vector<TermResult>>* by_term) {
  const Timer timer(stats_.prox);
  std::vector<double> mus;
  for (const State<Real>* s : chunk) mus.push_back(mu(*s));
  std::vector<std::vector<TermResult>> found;
  for (int k = 0; k < terms_; ++k) {
    const Index numbers = static_cast<Index>(chunk.size()) * penalty_->size(k);
    found.push_back(penalty_->prox(ops_, k, copies_[k].part(0, numbers), mus, spare_[k].part(0, numbers), accuracy));
  }
  if (by_term) *by_term = found;
  return over_terms(found, chunk.size());
}

template <class Real>
std::vector<TermResult> BatchSolver<Real>::norms_of_copies(const List& chunk,
                                                           std::vector<std::vector<TermResult>>* by_term) {
  const Timer timer(stats_.prox);
  std::vector<std::vector<TermResult>> found;
  for (int k = 0; k < terms_; ++k) {
    const Index numbers = static_cast<Index>(chunk.size()) * penalty_->size(k);
    const linalg::Part<const Real> copies = copies_[k].part(0, numbers);
    found.push_back(penalty_->norms(ops_, k, copies, spare_[k].part(0, numbers)));
  }
  if (by_term) *by_term = found;
  return over_terms(found, chunk.size());
}

template <class Real>
void BatchSolver<Real>::spread(const List& chunk,
                               const std::function<linalg::Part<const Real>(const State<Real>&, std::size_t)>& what,
                               const std::function<double(std::size_t)>& times) {
  const Timer timer(stats_.elementwise);
  reserve(chunk.size());
  for (int k = 0; k < terms_; ++k) {
    std::vector<linalg::SpreadJob<Real>> jobs;
    for (std::size_t i = 0; i < chunk.size(); ++i)
      jobs.push_back({what(*chunk[i], i), places_[k].get(), copy(k, i), times ? times(i) : 1});
    ops_.spread(jobs);
  }
}

template <class Real>
std::vector<linalg::Part<const Real>> BatchSolver<Real>::means(const List& chunk, Member arrays, int which) {
  reserve(chunk.size());
  std::vector<linalg::Part<const Real>> out;
  const bool themselves = terms_ == 1 && x_.region().whole();
  for (std::size_t i = 0; i < chunk.size(); ++i)
    out.push_back(themselves ? linalg::Part<const Real>((chunk[i]->at.*arrays)[0].whole()) : columns(which, i));
  for (int k = 0; k < terms_ && !themselves; ++k) {
    std::vector<linalg::GatherJob<Real>> jobs;
    for (std::size_t i = 0; i < chunk.size(); ++i)
      jobs.push_back({(chunk[i]->at.*arrays)[k], places_[k].get(), columns(which, i), 1.0 / terms_, k > 0});
    ops_.gather(jobs);
  }
  return out;
}

template <class Real>
std::vector<std::vector<double>> BatchSolver<Real>::products(const List& chunk,
                                                             std::span<const linalg::Part<const Real>> w) {
  std::vector<linalg::SweepJob<Real>> jobs;
  std::vector<double> found(chunk.size() * samples_);
  for (std::size_t i = 0; i < chunk.size(); ++i) {
    jobs.push_back({.point = w[i], .xw = found.data() + i * samples_, .scale = chunk[i]->newton.columns.scale});
    jobs.back().expected = chunk[i]->newton.nonzeros;
  }
  ops_.sweep(samples_, batch_.device.x(), jobs);
  std::vector<std::vector<double>> out;
  for (std::size_t i = 0; i < chunk.size(); ++i)
    out.push_back(chunk[i]->view().rows.apply({found.data() + i * samples_, static_cast<std::size_t>(samples_)}));
  return out;
}

template <class Real>
void BatchSolver<Real>::split_copies(const List& chunk, std::span<const linalg::Part<const Real>> q, bool into_spare) {
  const Timer timer(stats_.elementwise);
  for (int k = 0; k < terms_; ++k) {
    std::vector<linalg::SplitJob<Real>> jobs;
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      const State<Real>& s = *chunk[i];
      jobs.push_back({.z = s.newton.z,
                      .q = q[i],
                      .q_term = s.at.q[k],
                      .place = places_[k].get(),
                      .mask = s.newton.columns.mask,
                      .rho = s.rho(),
                      .gamma = s.gamma,
                      .terms = terms_,
                      .out = into_spare ? spare(k, i) : copy(k, i)});
    }
    ops_.split(jobs);
  }
}

template <class Real>
void BatchSolver<Real>::check(const List& list) {
  if (list.empty()) return;
  improve_dual(list);
  improve_primal(list);
  List close;
  const auto refresh = [](State<Real>& s) {
    const double base = std::max(s.at.best_primal, 1e-12 * s.zero_objective);
    s.when.gap = base > 0 ? std::max((s.at.best_primal - s.at.best_dual) / base, 0.0) : 0;
  };
  for (State<Real>* s : list) {
    refresh(*s);
    const double gap = s->when.gap, target = s->when.target;
    if (s->tau > 0 && s->gamma > 0 && gap > target && gap <= admm::polish_within * target) close.push_back(s);
  }
  try_polished(close);
  List there;
  for (State<Real>* s : list) {
    refresh(*s);
    if (s->problem->trace) s->trace.push_back({s->when.iteration, s->at.best_primal, s->when.gap, s->at.w_change});
    if (s->when.gap <= s->when.target || s->when.iteration >= iteration_limit_) there.push_back(s);
  }
  prove(there);
  for (State<Real>* s : list) {
    if (s->proven || s->when.iteration >= iteration_limit_)
      finish(*s);
    else
      schedule(*s);
  }
}

/// theta with three splits of Z = X~'theta: G2 = rho Q, and the two halves of one round of alternating projections.
/// With several terms the projections take what is beyond gamma in equal parts.
template <class Real>
void BatchSolver<Real>::improve_dual(const List& list) {
  List plain, spectral_only, mixed;
  for (State<Real>* s : list) (s->tau == 0 ? plain : s->gamma == 0 ? spectral_only : mixed).push_back(s);
  const auto beyond = [&](const List& chunk, auto g, bool of_q) {
    std::vector<linalg::ExcessJob<Real>> jobs;
    for (std::size_t i = 0; i < chunk.size(); ++i)
      jobs.push_back({chunk[i]->newton.z, g(i), chunk[i]->newton.columns.mask,
                      of_q ? (chunk[i]->tau > 0 ? chunk[i]->rho() : 0.0) : 1.0});
    ops_.measure_excess(jobs);
    std::vector<double> out;
    for (std::size_t i = 0; i < chunk.size(); ++i) out.push_back(jobs[i].most / chunk[i]->gamma);
    return out;
  };
  // Keeps the split in copies or spare arrays, or rho/K Q, of those whose theta is the best so far with it.
  enum class From { nothing, q, copies, spare };
  const auto offer = [&](const List& chunk, const std::vector<double>& excess, From where) {
    std::vector<linalg::ScaleJob<Real>> jobs;
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      State<Real>& s = *chunk[i];
      if (!offer_dual(s, excess[i])) continue;
      for (int k = 0; k < terms_; ++k) {
        if (where == From::nothing)
          jobs.push_back({.to = s.at.best_split[k]});
        else if (where == From::q)
          jobs.push_back({.from = s.at.q[k], .to = s.at.best_split[k], .times = s.rho() / terms_});
        else
          jobs.push_back({.from = where == From::copies ? copy(k, i) : spare(k, i), .to = s.at.best_split[k]});
      }
    }
    ops_.scale(jobs);
  };
  for (const List& chunk : chunks(plain))
    offer(chunk,
          beyond(
              chunk, [&](std::size_t i) { return linalg::Part<const Real>(chunk[i]->newton.z); }, true),
          From::nothing);
  for (const List& chunk : chunks(spectral_only)) {  // no l1 part: G2 = Z inside the mask, and whatever suits outside
    const auto q = means(chunk, &Iterates<Real>::q, 0);
    split_copies(chunk, q, false);
    std::vector<double> excess;
    const std::vector<TermResult> found = norms_of_copies(chunk);
    for (std::size_t i = 0; i < chunk.size(); ++i) excess.push_back(found[i].dual / chunk[i]->tau);
    offer(chunk, excess, From::copies);
  }
  for (const List& chunk : chunks(mixed)) {
    const auto q = means(chunk, &Iterates<Real>::q, 0);
    offer(chunk,
          beyond(
              chunk, [&](std::size_t i) { return q[i]; }, true),
          From::q);
    split_copies(chunk, q, false);  // Z - G1, with G1 = Z - rho Q clipped (free outside the mask)
    const std::vector<TermResult> found = prox_of_copies(
        chunk, [](const State<Real>& s) { return s.tau; }, 0);
    std::vector<double> excess;
    for (std::size_t i = 0; i < chunk.size(); ++i) excess.push_back(found[i].dual / chunk[i]->tau);
    split_copies(chunk, q, true);
    offer(chunk, excess, From::spare);
    // What the prox has taken away: the projection on the ball of tau.
    std::vector<linalg::ScaleJob<Real>> less;
    for (std::size_t i = 0; i < chunk.size(); ++i)
      for (int k = 0; k < terms_; ++k)
        less.push_back({.from = copy(k, i), .to = spare(k, i), .times = -1, .add = true});
    ops_.scale(less);
    for (int k = 0; k < terms_; ++k) {
      std::vector<linalg::GatherJob<Real>> sum;
      for (std::size_t i = 0; i < chunk.size(); ++i)
        sum.push_back({spare(k, i), places_[k].get(), columns(1, i), 1, k > 0});
      ops_.gather(sum);
    }
    offer(chunk,
          beyond(
              chunk, [&](std::size_t i) { return linalg::Part<const Real>(columns(1, i)); }, false),
          From::spare);
  }
}

/// theta divided by max(1, excess) is feasible with a split; true where that is the best so far.
template <class Real>
bool BatchSolver<Real>::offer_dual(State<Real>& s, double excess) {
  if (!std::isfinite(excess)) return false;
  const std::vector<double>& theta = s.newton.theta;
  const double value = s.loss->best_dual(s.labels(), theta, 1 / std::max(1.0, excess));
  if (!(value > s.at.best_dual)) return false;
  s.at.best_dual = value;
  s.at.best_theta = theta;
  return true;
}

template <class Real>
bool BatchSolver<Real>::offer_primal(State<Real>& s, std::span<const double> xw, double penalty) {
  const double value = s.loss->value(s.labels(), xw) + penalty;
  if (!(value < s.at.best_primal)) return false;
  s.at.best_primal = value;
  return true;
}

/// W; without an l1 norm there are no zeros to keep, and B, whose norm is known, is the better point.
template <class Real>
void BatchSolver<Real>::improve_primal(const List& list) {
  List by_w, by_b;
  for (State<Real>* s : list) {
    const bool free = x_.region().whole() && s->view().mask.empty();
    (s->tau > 0 && s->gamma == 0 && free ? by_b : by_w).push_back(s);
  }
  const auto keep = [&](const List& chunk, auto point, auto xw, auto penalty) {
    std::vector<linalg::ScaleJob<Real>> jobs;
    for (std::size_t i = 0; i < chunk.size(); ++i)
      if (offer_primal(*chunk[i], xw(i), penalty(i))) jobs.push_back({.from = point(i), .to = chunk[i]->at.best_w});
    ops_.scale(jobs);
  };
  for (const List& chunk : chunks(by_w)) {
    std::vector<linalg::SizeJob<Real>> sizes;
    for (State<Real>* s : chunk) sizes.push_back({.a = s->newton.w});
    ops_.measure_sizes(sizes);
    std::vector<TermResult> norms(chunk.size());
    if (std::ranges::any_of(chunk, [](const State<Real>* s) { return s->tau > 0; })) {
      spread(chunk, [](const State<Real>& s, std::size_t) { return s.newton.w.whole(); });
      norms = norms_of_copies(chunk);
    }
    keep(
        chunk, [&](std::size_t i) { return linalg::Part<const Real>(chunk[i]->newton.w); },
        [&](std::size_t i) { return std::span<const double>(chunk[i]->newton.xw); },
        [&](std::size_t i) { return chunk[i]->tau * norms[i].value + chunk[i]->gamma * sizes[i].l1; });
  }
  for (const List& chunk : chunks(by_b)) {
    const auto b = means(chunk, &Iterates<Real>::b, 0);
    if (terms_ > 1) {  // the copies differ, and no prox gave the norm of their mean
      spread(chunk, [&](const State<Real>&, std::size_t i) { return b[i]; });
      const std::vector<TermResult> norms = norms_of_copies(chunk);
      for (std::size_t i = 0; i < chunk.size(); ++i) chunk[i]->at.b_value = norms[i].value;
    }
    const auto xb = products(chunk, b);
    keep(
        chunk, [&](std::size_t i) { return b[i]; }, [&](std::size_t i) { return std::span<const double>(xb[i]); },
        [&](std::size_t i) { return chunk[i]->tau * chunk[i]->at.b_value; });
  }
}

template <class Real>
void BatchSolver<Real>::try_polished(const List& list) {
  for (const List& chunk : chunks(list)) {
    const auto q = means(chunk, &Iterates<Real>::q, 0);
    std::vector<linalg::PolishJob<Real>> jobs;
    std::vector<linalg::Part<const Real>> point;
    std::vector<linalg::SizeJob<Real>> sizes;
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      const State<Real>& s = *chunk[i];
      point.push_back(columns(1, i));
      jobs.push_back({s.newton.z, s.at.a, q[i], s.newton.columns.mask, s.rho(), s.gamma, columns(1, i)});
      sizes.push_back({.a = point.back()});
    }
    ops_.polish(jobs);
    ops_.measure_sizes(sizes);
    const auto xw = products(chunk, point);
    spread(chunk, [&](const State<Real>&, std::size_t i) { return point[i]; });
    const std::vector<TermResult> norms = norms_of_copies(chunk);
    std::vector<linalg::ScaleJob<Real>> kept;
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      State<Real>& s = *chunk[i];
      if (offer_primal(s, xw[i], s.tau * norms[i].value + s.gamma * sizes[i].l1))
        kept.push_back({.from = point[i], .to = s.at.best_w});
    }
    ops_.scale(kept);
  }
}

/// The next check: a little before the gap, falling as it did, would meet the target.
template <class Real>
void BatchSolver<Real>::schedule(State<Real>& s) const {
  Schedule& when = s.when;
  const int k = when.iteration;
  int step = k == 3 ? 2 : 5;
  if (when.gap > 0 && when.gap < when.last_gap && k > 3) {
    const double left = std::log(when.gap / when.target) / std::log(when.last_gap / when.gap) * (k - when.last_check);
    const double least = k < 10 ? 2 : 3;
    step = static_cast<int>(std::clamp(std::ceil(0.6 * left), least, static_cast<double>(std::max(5, k / 8 + 2))));
  }
  // Balanced residuals can both creep: then another rho is tried, larger and smaller in turn, and judged by how fast
  // the gap falls.
  if (when.last_gap > 0 && k - when.last_check >= 20) {
    const double rate = std::log(when.last_gap / when.gap) / (k - when.last_check);
    if (when.old_rho > 0) {
      if (rate <= when.old_rate) {
        when.new_rho = when.old_rho;
        when.trial_wait *= 2;
      }
      when.old_rho = 0;
      when.next_trial = k + when.trial_wait;
    } else if (k >= when.next_trial && when.gap > admm::creeping * when.last_gap) {
      when.old_rho = s.rho();
      when.old_rate = rate;
      when.new_rho = s.rho() * admm::trial_factors[when.trials++ % std::ssize(admm::trial_factors)];
    }
  }
  when.next_check = std::min(k + step, iteration_limit_);
  when.last_check = k;
  when.last_gap = when.gap;
}

template <class Real>
void BatchSolver<Real>::prove(const List& list) {
  const Timer timer(stats_.certificate);
  for (const List& chunk : chunks(list)) {
    std::vector<Solution<Real>> points;
    for (const State<Real>* s : chunk) {
      points.push_back({BasicTensor<Real>(x_.region().column_shape()), empty_copies<Real>(*penalty_), {}});
      backend_.download(s->at.best_w.whole(), points.back().w.flat());
      for (int k = 0; k < terms_; ++k) backend_.download(s->at.best_split[k].whole(), points.back().split[k].flat());
    }
    parallel_for(static_cast<Index>(chunk.size()), [&](Index i, int) {
      State<Real>& s = *chunk[i];
      s.proof = certify(x_, *s.problem, points[i].w, s.at.best_theta, points[i].split);
      // No dual value is above a primal one: whoever sees that has not proven anything.
      if (s.proof.dual > (1 + 1e-6) * s.proof.primal + 1e-9 * s.proof.at_zero)
        throw Error("the proof of problem " + std::to_string(s.index + 1) + " contradicts itself (primal " +
                    std::to_string(s.proof.primal) + ", dual " + std::to_string(s.proof.dual) +
                    "): this is a fault of the program, please report it");
      s.proven = s.proof.gap() <= options_.solver.gap;
      if (!s.proven) s.when.target *= aim_again;
    });
  }
}

#define STURM_INSTANTIATE(Real)                                                                                      \
  template std::vector<typename BatchSolver<Real>::List> BatchSolver<Real>::chunks(const List&) const;               \
  template void BatchSolver<Real>::reserve(std::size_t);                                                             \
  template std::vector<TermResult> BatchSolver<Real>::prox_of_copies(                                                \
      const List&, const std::function<double(const State<Real>&)>&, double, std::vector<std::vector<TermResult>>*); \
  template std::vector<TermResult> BatchSolver<Real>::norms_of_copies(const List&,                                   \
                                                                      std::vector<std::vector<TermResult>>*);        \
  template void BatchSolver<Real>::spread(                                                                           \
      const List&, const std::function<linalg::Part<const Real>(const State<Real>&, std::size_t)>&,                  \
      const std::function<double(std::size_t)>&);                                                                    \
  template void BatchSolver<Real>::check(const List&);                                                               \
  template void BatchSolver<Real>::prove(const List&);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm::batch
