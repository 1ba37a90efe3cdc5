// SPDX-License-Identifier: BSD-3-Clause
// How a problem begins: is its solution zero, and how large is rho?
#include "sturm/solver/batch_solver.h"
#include "sturm/solver/certificate.h"

namespace sturm::batch {
namespace {

/// lambda with |X~' lambda (G + lambda)^-1 y| = share |X~'y|: the ridge penalty whose dual point is that much shorter.
template <class Real>
double ridge_for_share(const View<Real>& view, std::span<const double> y, double share) {
  const std::size_t n = y.size();
  std::vector<double> a(n);
  double whole = 0;
  for (std::size_t j = 0; j < n; ++j) {
    a[j] = std::sqrt(view.eigenvalues[j]) * dot(std::span(view.eigenvectors).subspan(j * n, n), y);
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

}  // namespace

template <class Real>
void BatchSolver<Real>::admit() {
  List fresh;
  for (auto& slot : slots_) {
    if (slot && !slot->done) continue;
    if (next_problem_ == static_cast<Index>(problems_.size())) {
      slot.reset();
      continue;
    }
    if (!slot) slot = std::make_unique<State<Real>>();
    State<Real> state;
    for (auto array : {&State<Real>::b, &State<Real>::q, &State<Real>::z, &State<Real>::z_next, &State<Real>::w,
                       &State<Real>::best_w, &State<Real>::best_split, &State<Real>::b_terms, &State<Real>::q_terms}) {
      state.*array = std::move((*slot).*array);  // memory is used again
      const bool term_by_term = array == &State<Real>::b_terms || array == &State<Real>::q_terms;
      const Index count = array == &State<Real>::best_split ? terms_ : !term_by_term ? 1 : terms_ > 1 ? terms_ : 0;
      (state.*array).assign(count * voxels_, 0);
    }
    if (options_.trace) state.w_before.assign(voxels_, 0);
    *slot = std::move(state);
    slot->index = next_problem_;
    slot->problem = &problems_[next_problem_++];
    fresh.push_back(slot.get());
  }
  if (!fresh.empty()) start(fresh);
}

template <class Real>
void BatchSolver<Real>::start(const List& list) {
  std::vector<linalg::SweepJob<Real>> jobs;
  for (State<Real>* s : list) {
    s->tau = s->problem->tau;
    s->gamma = s->problem->gamma;
    s->target = options_.solver.gap * (sizeof(Real) == 4 ? 0.97 : 0.999);  // leaves room for the proof in double
    s->theta = s->best_theta = s->y();
    s->xw.assign(samples_, 0);
    s->y_norm = norm(s->y());
    s->best_primal = s->zero_objective = s->y_norm * s->y_norm / 2;
    const std::vector<double> u = s->view().rows.adjoint(s->y());
    s->u.assign(u.begin(), u.end());
    jobs.push_back({.u = s->u.data(), .z_next = s->z.data(), .scale = s->view().scale_data()});
  }
  linalg::Operations<Real>& ops = linalg::cpu_backend();
  {
    const Timer timer(stats_.products);
    ops.sweep(samples_, voxels_, x_.x().data(), jobs);
  }
  // V = X~'y lies in z. hi and lo bracket the scale at which V leaves the set of all G1 + G2: W = 0 below it.
  const Timer timer(stats_.certificate);
  const auto maxima = for_voxels(list, voxels_, [](State<Real>& s, Index, Index first, Index last, Partial& part) {
    for (Index v = first; v < last; ++v) {
      part.most[0] = std::max(part.most[0], std::abs(static_cast<double>(s.z[v])));
      part.sum[0] += static_cast<double>(s.z[v]) * static_cast<double>(s.z[v]);
    }
  });
  // spectral: the dual norm of V, or with several terms what V shared out among them in the best proportion shows.
  std::vector<double> spectral(list.size()), value(list.size()), hi(list.size()), lo(list.size()),
      share(list.size(), 1.0);
  std::vector<std::vector<TermResult>> norms(list.size());
  const auto position = [&list](const State<Real>& s) {
    return static_cast<std::size_t>(std::ranges::find(list, &s) - list.begin());
  };
  const auto copy_z = [](State<Real>& s, int, Index first, Index last, Real* out) {
    std::copy(s.z.data() + first, s.z.data() + last, out);
  };
  List low_rank;
  for (State<Real>* s : list)
    if (s->tau > 0) low_rank.push_back(s);
  with_norms(low_rank, copy_z, [&](State<Real>& s, const Terms& terms) {
    const auto i = position(s);
    double inverse = 0;
    for (const TermResult& r : terms.found) inverse += 1 / r.dual;
    spectral[i] = terms_ == 1 ? terms.dual() : 1 / inverse;
    value[i] = terms.value();
    norms[i] = terms.found;
  });
  const double infinite = std::numeric_limits<double>::infinity();
  List mixed;
  for (std::size_t i = 0; i < list.size(); ++i) {
    State<Real>& s = *list[i];
    const double top = maxima[i].most[0];
    if (s.tau > 0 && s.gamma > 0) {
      hi[i] = 1 / (s.gamma / top + s.tau / spectral[i]);
      lo[i] = top / (s.gamma + s.tau * penalty_->one_voxel());
      mixed.push_back(&s);
    } else if (s.gamma > 0) {
      hi[i] = lo[i] = top / s.gamma;
      share[i] = 0;
    } else {
      hi[i] = lo[i] = s.tau > 0 ? spectral[i] / s.tau : infinite;
      if (terms_ > 1 && value[i] > 0) lo[i] = maxima[i].sum[0] / (s.tau * value[i]);  // W = V
    }
    if (top == 0) hi[i] = lo[i] = 0;  // y is orthogonal to every voxel
  }
  // How much of V/c the low-rank part would take decides how the work is shared between the two blocks.
  with_prox(
      mixed,
      [&](State<Real>& s, int, Index first, Index last, Real* out) {
        const auto i = position(s);
        const Real inverse = static_cast<Real>(1 / std::sqrt(lo[i] * hi[i]));
        for (Index v = first; v < last; ++v) out[v - first] = s.z[v] * inverse;
      },
      [this](const State<Real>& s) { return terms_ * s.tau; },
      [&](State<Real>& s, const Terms& terms) {
        const auto i = position(s);
        const double c = std::sqrt(lo[i] * hi[i]);
        double away = 0, inner = 0, l1 = 0;
        for (Index v = 0; v < voxels_; ++v) {
          double bv = static_cast<double>(terms.tensors[0][v]);
          for (int k = 1; k < terms_; ++k) bv += static_cast<double>(terms.tensors[k][v]);
          const double vc = static_cast<double>(s.z[v]) / c;
          bv /= terms_;
          away += (vc - bv) * (vc - bv);
          inner += vc * c * bv;
          l1 += std::abs(bv);
        }
        share[i] = std::sqrt(away) / (std::sqrt(maxima[i].sum[0]) / c);
        if (terms_ == 1 && terms.value() > 0)  // the norm of a mean of several is not known
          lo[i] = std::max(lo[i], inner / (s.tau * terms.value() + s.gamma * l1));
      });
  List zero;
  for (std::size_t i = 0; i < list.size(); ++i) {
    State<Real>& s = *list[i];
    const double y2 = s.y_norm * s.y_norm;
    if (std::isfinite(hi[i])) {
      // theta = y is feasible when it is divided by hi; the split that shows it: G2 = V (tau/spec) / (gamma/max +
      // tau/spec), and likewise for each of several terms.
      s.best_dual = best_dual(y2, y2, hi[i] > 0 ? std::min(1.0, 1 / hi[i]) : 1.0);
      for (int k = 0; k < terms_; ++k) {
        const double portion = s.tau == 0 || hi[i] == 0      ? 0
                               : s.gamma == 0 && terms_ == 1 ? 1
                                                             : s.tau / norms[i][k].dual * hi[i];
        for (Index v = 0; v < voxels_; ++v)
          s.best_split[k * voxels_ + v] = static_cast<Real>(portion * static_cast<double>(s.z[v]));
      }
      s.gap = s.best_primal > 0 ? (s.best_primal - s.best_dual) / s.best_primal : 0;
      if (s.gap <= s.target) zero.push_back(&s);
    }
  }
  prove(zero);
  for (std::size_t i = 0; i < list.size(); ++i) {
    State<Real>& s = *list[i];
    if (s.proven) {
      finish(s);
      continue;
    }
    const double c = std::isfinite(hi[i]) ? std::max(1.0, std::sqrt(lo[i] * hi[i])) : 1e8;
    s.rho = 2 * ridge_for_share(s.view(), s.y(), std::min(1 / c, 0.9)) * std::max(std::pow(share[i], 1.3), 1e-3);
    s.gap = 1;
    for (double& v : s.theta) v /= c;
    for (Real& v : s.z) v = static_cast<Real>(static_cast<double>(v) / c);
    begin_w_step(s);
  }
}

template void BatchSolver<float>::admit();
template void BatchSolver<double>::admit();
template void BatchSolver<float>::start(const List&);
template void BatchSolver<double>::start(const List&);

}  // namespace sturm::batch
