// SPDX-License-Identifier: BSD-3-Clause
// How the gap of a problem under way is found: the best dual point and the best primal point so far.
#include "sturm/solver/batch_solver.h"
#include "sturm/solver/certificate.h"

namespace sturm::batch {
namespace {

constexpr std::size_t at_once = 32;  // tensors in one call of the prox: enough to fill the lanes many times over

template <class Real>
Real clip(Real v, Real limit) {
  return v > limit ? limit : v < -limit ? -limit : v;
}

}  // namespace

template <class Real>
void BatchSolver<Real>::in_chunks(const List& list, const Fill& fill,
                                  const std::function<std::vector<TermResult>(const List&, int, std::span<Real>)>& body,
                                  const Use& use) {
  for (std::size_t first = 0; first < list.size(); first += at_once) {
    const List chunk(list.begin() + static_cast<std::ptrdiff_t>(first),
                     list.begin() + static_cast<std::ptrdiff_t>(std::min(first + at_once, list.size())));
    const std::size_t each = chunk.size() * voxels_;  // the tensors of a term lie side by side
    if (tensors_.size() < terms_ * each) {
      tensors_.resize(terms_ * each);
      hat_.resize(each);
    }
    std::vector<Terms> terms(chunk.size());
    for (std::size_t i = 0; i < chunk.size(); ++i) terms[i].place = i;
    for (int k = 0; k < terms_; ++k) {
      Real* tensors = tensors_.data() + k * each;
      {
        const Timer timer(stats_.elementwise);
        for_voxels(chunk, voxels_, [&](State<Real>& s, Index position, Index begin, Index end, Partial&) {
          fill(s, k, begin, end, tensors + position * voxels_ + begin);
        });
      }
      const Timer timer(stats_.prox);
      const std::vector<TermResult> found = body(chunk, k, {tensors, each});
      for (std::size_t i = 0; i < chunk.size(); ++i) {
        terms[i].tensors.push_back(tensors + i * voxels_);
        terms[i].found.push_back(found[i]);
      }
    }
    const Timer timer(stats_.elementwise);
    parallel_for(
        static_cast<Index>(chunk.size()), [&](Index i, int) { use(*chunk[i], terms[i]); },
        4.0 * static_cast<double>(chunk.size()) * static_cast<double>(voxels_));
  }
}

template <class Real>
void BatchSolver<Real>::with_prox(const List& list, const Fill& fill,
                                  const std::function<double(const State<Real>&)>& mu, const Use& use,
                                  double accuracy) {
  in_chunks(
      list, fill,
      [&](const List& chunk, int k, std::span<Real> tensors) {
        std::vector<double> mus;
        for (const State<Real>* s : chunk) mus.push_back(mu(*s));
        return penalty_->prox(k, tensors, mus, hat_, accuracy);
      },
      use);
}

template <class Real>
void BatchSolver<Real>::with_norms(const List& list, const Fill& fill, const Use& use) {
  in_chunks(
      list, fill,
      [&](const List&, int k, std::span<Real> tensors) {
        return penalty_->norms(k, std::span<const Real>(tensors), hat_);
      },
      use);
}

template <class Real>
Real BatchSolver<Real>::part(const State<Real>& s, int term, Index voxel, Real total) const {
  if (terms_ == 1) return total;
  const double left = static_cast<double>(total) - s.rho * static_cast<double>(s.q[voxel]);
  return static_cast<Real>((s.rho * static_cast<double>(s.q_of(term)[voxel]) + left) / terms_);
}

template <class Real>
void BatchSolver<Real>::check(const List& list) {
  if (list.empty()) return;
  improve_dual(list);
  improve_primal(list);
  List close;
  const auto refresh = [](State<Real>& s) {
    const double base = std::max(s.best_primal, 1e-12 * s.zero_objective);
    s.gap = base > 0 ? std::max((s.best_primal - s.best_dual) / base, 0.0) : 0;
  };
  for (State<Real>* s : list) {
    refresh(*s);
    if (s->tau > 0 && s->gamma > 0 && s->gap > s->target && s->gap <= 3 * s->target) close.push_back(s);
  }
  try_polished(close);
  List there;
  for (State<Real>* s : list) {
    refresh(*s);
    if (options_.trace) s->trace.push_back({s->iteration, s->best_primal, s->gap, s->w_change});
    if (s->gap <= s->target || s->iteration >= iteration_limit_) there.push_back(s);
  }
  prove(there);
  for (State<Real>* s : list) {
    if (s->proven || s->iteration >= iteration_limit_)
      finish(*s);
    else
      schedule(*s);
  }
}

/// theta with three splits of Z = X~'theta: G2 = rho Q, and the two halves of one round of alternating projections.
/// With several terms the projections take what is beyond gamma in equal parts.
template <class Real>
void BatchSolver<Real>::improve_dual(const List& list) {
  const auto inside = [](const State<Real>& s, Index v) { return s.view().mask.empty() || s.view().mask[v]; };
  const linalg::VoxelKernel<Real>& kernel = linalg::voxel_kernel<Real>();
  const auto beyond = [&](const State<Real>& s, const Real* g2, double times) {
    return kernel.beyond(s.z.data(), g2, s.view().mask_data(), times, voxels_);
  };
  List mixed, spectral_only, at_hand;
  for (State<Real>* s : list) {
    (s->gamma > 0 ? at_hand : spectral_only).push_back(s);
    if (s->tau > 0 && s->gamma > 0) mixed.push_back(s);
  }
  {
    const Timer timer(stats_.elementwise);
    parallel_for(
        static_cast<Index>(at_hand.size()),
        [&](Index i, int) {
          State<Real>& s = *at_hand[i];
          const double times = s.tau > 0 ? s.rho : 0;
          offer_dual(s, beyond(s, s.q.data(), times) / s.gamma, [&](Real* out) {
            for (int k = 0; k < terms_; ++k)
              for (Index v = 0; v < voxels_; ++v)
                out[k * voxels_ + v] = static_cast<Real>(times / terms_ * static_cast<double>(s.q_of(k)[v]));
          });
        },
        4.0 * static_cast<double>(at_hand.size()) * static_cast<double>(voxels_));
  }
  with_norms(
      spectral_only,  // no l1 part: G2 = Z inside the mask, and whatever suits outside
      [&](State<Real>& s, int k, Index first, Index last, Real* out) {
        for (Index v = first; v < last; ++v)
          out[v - first] =
              part(s, k, v, inside(s, v) ? s.z[v] : static_cast<Real>(s.rho * static_cast<double>(s.q[v])));
      },
      [&](State<Real>& s, const Terms& g2) {
        offer_dual(s, g2.dual() / s.tau, [&](Real* out) {
          for (int k = 0; k < terms_; ++k) std::copy_n(g2.tensors[k], voxels_, out + k * voxels_);
        });
      });
  // Z - G1, with G1 = Z - rho Q clipped (free outside the mask).
  const auto rest = [&](const State<Real>& s, int k, Index first, Index last, Real* out) {
    const std::uint8_t* mask = s.view().mask_data();
    kernel.rest(s.z.data() + first, s.q.data() + first, mask ? mask + first : nullptr, static_cast<Real>(s.rho),
                static_cast<Real>(s.gamma), out, last - first);
    for (Index v = first; v < last && terms_ > 1; ++v) out[v - first] = part(s, k, v, out[v - first]);
  };
  with_prox(
      mixed, rest, [](const State<Real>& s) { return s.tau; },
      [&](State<Real>& s, const Terms& b) {
        std::vector<Real> g2(terms_ * voxels_), sum;
        for (int k = 0; k < terms_; ++k) rest(s, k, 0, voxels_, g2.data() + k * voxels_);
        offer_dual(s, b.dual() / s.tau, [&](Real* out) { std::ranges::copy(g2, out); });
        for (int k = 0; k < terms_; ++k)  // the projection on the ball of tau
          for (Index v = 0; v < voxels_; ++v) g2[k * voxels_ + v] -= b.tensors[k][v];
        if (terms_ > 1) sum.assign(g2.begin(), g2.begin() + voxels_);
        for (int k = 1; k < terms_; ++k)
          for (Index v = 0; v < voxels_; ++v) sum[v] += g2[k * voxels_ + v];
        offer_dual(s, beyond(s, terms_ > 1 ? sum.data() : g2.data(), 1) / s.gamma,
                   [&](Real* out) { std::ranges::copy(g2, out); });
      });
}

/// theta divided by max(1, excess) is feasible with this split; keeps it if its value is the best so far.
template <class Real>
void BatchSolver<Real>::offer_dual(State<Real>& s, double excess, const std::function<void(Real*)>& write_split) {
  const double value = best_dual(dot(s.y(), s.theta), dot(s.theta, s.theta), 1 / std::max(1.0, excess));
  if (!(value > s.best_dual)) return;
  s.best_dual = value;
  s.best_theta = s.theta;
  write_split(s.best_split.data());
}

template <class Real>
bool BatchSolver<Real>::offer_primal(State<Real>& s, std::span<const double> xw, double penalty, const Real* w) {
  double residual2 = 0;
  for (std::size_t m = 0; m < xw.size(); ++m) residual2 += (s.y()[m] - xw[m]) * (s.y()[m] - xw[m]);
  const double value = residual2 / 2 + penalty;
  if (!(value < s.best_primal)) return false;
  s.best_primal = value;
  std::copy_n(w, voxels_, s.best_w.begin());
  return true;
}

/// W; without an l1 norm there are no zeros to keep, and B, whose norm is known, is the better point.
template <class Real>
void BatchSolver<Real>::improve_primal(const List& list) {
  const auto l1 = [&](const Real* w) { return linalg::voxel_kernel<Real>().sum_abs(w, voxels_); };
  List by_norm, by_b;
  for (State<Real>* s : list) {
    if (s->tau == 0)
      offer_primal(*s, s->xw, s->gamma * l1(s->w.data()), s->w.data());
    else if (s->gamma == 0 && s->view().mask.empty())
      by_b.push_back(s);
    else
      by_norm.push_back(s);
  }
  with_norms(
      by_norm,
      [](State<Real>& s, int, Index first, Index last, Real* out) {
        std::copy(s.w.data() + first, s.w.data() + last, out);
      },
      [&](State<Real>& s, const Terms& terms) {
        offer_primal(s, s.xw, s.tau * terms.value() + s.gamma * l1(s.w.data()), s.w.data());
      });
  if (terms_ > 1)  // the copies differ, and no prox gave the norm of their mean
    with_norms(
        by_b,
        [](State<Real>& s, int, Index first, Index last, Real* out) {
          std::copy(s.b.data() + first, s.b.data() + last, out);
        },
        [](State<Real>& s, const Terms& terms) { s.b_value = terms.value(); });
  std::vector<linalg::SweepJob<Real>> jobs;
  std::vector<double> products(by_b.size() * samples_);
  for (std::size_t i = 0; i < by_b.size(); ++i)
    jobs.push_back(
        {.w = by_b[i]->b.data(), .xw = products.data() + i * samples_, .scale = by_b[i]->view().scale_data()});
  linalg::Operations<Real>& ops = linalg::cpu_backend();
  ops.sweep(samples_, voxels_, x_.x().data(), jobs);
  for (std::size_t i = 0; i < by_b.size(); ++i) {
    State<Real>& s = *by_b[i];
    offer_primal(s, s.view().rows.apply({jobs[i].xw, static_cast<std::size_t>(samples_)}), s.tau * s.b_value,
                 s.b.data());
  }
}

/// A point between W and B that is still exactly sparse: soft(B + G1 / (m rho), gamma / (m rho)) with m = 100.
template <class Real>
void BatchSolver<Real>::try_polished(const List& list) {
  std::vector<linalg::SweepJob<Real>> jobs;
  std::vector<double> products(std::min(list.size(), at_once) * samples_);
  in_chunks(
      list,
      [](State<Real>& s, int, Index first, Index last, Real* out) {
        const Real rho = static_cast<Real>(s.rho), gamma = static_cast<Real>(s.gamma), inverse = 1 / (100 * rho);
        for (Index v = first; v < last; ++v) {
          const Real g1 = clip(s.z[v] + rho * (s.b[v] - s.q[v]), gamma);
          const Real t = s.b[v] + g1 * inverse, cut = gamma * inverse;
          const bool in = s.view().mask.empty() || s.view().mask[v];
          out[v - first] = !in ? Real{0} : t > cut ? t - cut : t < -cut ? t + cut : Real{0};
        }
      },
      [&](const List& chunk, int k, std::span<Real> tensors) {
        if (k == 0) {  // the same point for every term: its products with X, for all problems in one pass
          jobs.clear();
          for (std::size_t i = 0; i < chunk.size(); ++i) {
            jobs.push_back({.w = tensors.data() + i * voxels_,
                            .xw = products.data() + i * samples_,
                            .scale = chunk[i]->view().scale_data(),
                            .expected = chunk[i]->nonzeros});
          }
          linalg::Operations<Real>& ops = linalg::cpu_backend();
          ops.sweep(samples_, voxels_, x_.x().data(), jobs);
        }
        return penalty_->norms(k, std::span<const Real>(tensors), hat_);
      },
      [&](State<Real>& s, const Terms& terms) {
        const Real* c = terms.tensors.front();
        const double l1 = linalg::voxel_kernel<Real>().sum_abs(c, voxels_);
        offer_primal(s, s.view().rows.apply({jobs[terms.place].xw, static_cast<std::size_t>(samples_)}),
                     s.tau * terms.value() + s.gamma * l1, c);
      });
}

/// The next check: a little before the gap, falling as it did, would meet the target.
template <class Real>
void BatchSolver<Real>::schedule(State<Real>& s) {
  const int k = s.iteration;
  int step = k == 3 ? 2 : 5;
  if (s.gap > 0 && s.gap < s.last_gap && k > 3) {
    const double left = std::log(s.gap / s.target) / std::log(s.last_gap / s.gap) * (k - s.last_check);
    const double least = k < 10 ? 2 : 3;
    step = static_cast<int>(std::clamp(std::ceil(0.6 * left), least, static_cast<double>(std::max(5, k / 8 + 2))));
  }
  // Balanced residuals can both creep: then another rho is tried, larger and smaller in turn, and judged by how fast
  // the gap falls.
  if (s.last_gap > 0 && k - s.last_check >= 20) {
    const double rate = std::log(s.last_gap / s.gap) / (k - s.last_check);
    if (s.old_rho > 0) {
      if (rate <= s.old_rate) {
        s.new_rho = s.old_rho;
        s.trial_wait *= 2;
      }
      s.old_rho = 0;
      s.next_trial = k + s.trial_wait;
    } else if (k >= s.next_trial && s.gap > 0.6 * s.last_gap) {
      s.old_rho = s.rho;
      s.old_rate = rate;
      constexpr double factors[] = {8, 1.0 / 8, 64, 1.0 / 64};
      s.new_rho = s.rho * factors[s.trials++ % 4];
    }
  }
  s.next_check = std::min(k + step, iteration_limit_);
  s.last_check = k;
  s.last_gap = s.gap;
}

template <class Real>
void BatchSolver<Real>::prove(const List& list) {
  const Timer timer(stats_.certificate);
  parallel_for(static_cast<Index>(list.size()), [&](Index i, int) {
    State<Real>& s = *list[i];
    const BasicTensor<Real> w(BasicTensorView<const Real>(s.best_w.data(), x_.shape())),
        split(BasicTensorView<const Real>(s.best_split.data(), split_shape(*penalty_)));
    s.proof = certify(x_, *s.problem, w, s.best_theta, split);
    // No dual value is above a primal one: whoever sees that has not proven anything.
    if (s.proof.dual > (1 + 1e-6) * s.proof.primal + 1e-9 * s.proof.at_zero)
      throw Error("the proof of problem " + std::to_string(s.index + 1) + " contradicts itself (primal " +
                  std::to_string(s.proof.primal) + ", dual " + std::to_string(s.proof.dual) +
                  "): this is a fault of the program, please report it");
    s.proven = s.proof.gap() <= options_.solver.gap;
    if (!s.proven) s.target *= 0.7;  // rounding hid what is missing: go on to a smaller gap
  });
}

#define STURM_INSTANTIATE(Real)                                                      \
  template void BatchSolver<Real>::check(const List&);                               \
  template void BatchSolver<Real>::prove(const List&);                               \
  template void BatchSolver<Real>::with_norms(const List&, const Fill&, const Use&); \
  template void BatchSolver<Real>::with_prox(const List&, const Fill&,               \
                                             const std::function<double(const State<Real>&)>&, const Use&, double);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm::batch
