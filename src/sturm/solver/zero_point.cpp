// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/solver/zero_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sturm/solver/certificate.h"
#include "sturm/solver/constants.h"
#include "sturm/tensor/algebra.h"

namespace sturm {
namespace {

/// Brackets this wide or wider are found in single precision where the design has it, and widened by more than its
/// rounding: sums are in double, and the prox is exact to some 1e-6.
constexpr double least_in_single = 1e-3, lost_in_single = 1e-5;

/// The gauge of V by ADMM. Letters as in batch.h.
template <class Real>
class Gauge {
 public:
  Gauge(std::span<const Real> v, const std::vector<std::uint8_t>& mask, double tau, double gamma,
        const Penalty& penalty, linalg::Backend& backend)
      : tau_(tau),
        gamma_(gamma),
        penalty_(penalty),
        terms_(penalty.terms()),
        backend_(backend),
        ops_(backend),
        v_(backend.uploaded(v)),
        w_(backend.make<Real>(v_.size())),
        a_(backend.make<Real>(v_.size())),
        mean_(backend.make<Real>(v_.size())),
        along_(backend.make<Real>(v_.size())) {
    if (!mask.empty()) mask_ = backend.uploaded(std::span<const std::uint8_t>(mask));
    free_ = penalty.region().whole() && mask.empty();
    for (int k = 0; k < terms_; ++k) {
      places_.push_back(backend.place(penalty.layout(k).positions, penalty.size(k)));
      for (auto* arrays : {&b_, &q_, &copies_, &spare_}) arrays->push_back(backend.make<Real>(penalty.size(k)));
    }
  }

  void run(double top, double spectral, double accuracy, ZeroPoint& out) {
    high_ = 1 / (gamma_ / top + tau_ / spectral);
    low_ = top / (gamma_ + tau_ * penalty_.one_voxel());  // one voxel alone
    const double c = std::sqrt(low_ * high_);
    spread(v_, copies_, 1 / c);
    shrink(terms_ * tau_);
    gather(copies_);
    bound_by_copy();
    linalg::CompareJob<Real> start{.v = v_, .b = mean_, .times = 1 / c}, size{.v = v_};
    ops_.compare({&start, 1});
    ops_.compare({&size, 1});
    const double v2 = size.away, share = std::min(1.0, std::sqrt(start.away) / (std::sqrt(v2) / c));
    double rho = 1.5 * std::pow(share, 1.3) * v2 / c, theta = 1 / c;
    spread(v_, b_, 1 / v2);
    set(v_, a_, 1 / v2);
    constexpr double nu = 1.7;
    int next = 2;
    for (int k = 1; k <= 500 && high_ - low_ > accuracy * high_; ++k) {
      along_v(rho, theta);
      const Residuals found = b_step(rho, nu);
      if (k % 4 == 0 || terms_ == 1) {
        gather(b_);
        bound_by_copy();
      }
      gather(q_);
      bound_from_above(theta, theta, v_, rho);
      if (k % 4 == 0) {
        refine(theta, rho);
        spread(w_, copies_, 1);
        bound_from_below(w_, norms_of_copies());
      }
      if (k < next) continue;
      next = k + (k < 10 ? 2 : k < 30 ? 5 : k < 60 ? 10 : 30);
      if (!(found.primal > 0 && found.dual > 0)) continue;
      const double factor =
          std::clamp(std::sqrt(found.primal / found.dual), 1 / admm::most_balance, admm::most_balance);
      if (factor >= 1 / admm::balance && factor <= admm::balance) continue;
      rho *= factor;
      for (auto& q : q_) set(q, q, 1 / factor);
      gather(b_);
      set(mean_, a_, 1);
      gather(q_);
      linalg::ScaleJob<Real> less{.from = mean_, .to = a_, .times = -1, .add = true};
      ops_.scale({&less, 1});
    }
    out.low = low_;
    out.high = high_;
  }

 private:
  /// How exactly <V, W> = 1 can be had.
  static constexpr double root_within = sizeof(Real) == 8 ? 1e-10 : 1e-6;
  using Arrays = std::vector<linalg::Array<Real>>;
  struct Residuals {
    double primal = 0, dual = 0;  ///< relative
  };

  void set(linalg::Part<const Real> from, linalg::Part<Real> to, double times) {
    linalg::ScaleJob<Real> job{.from = from, .to = to, .times = times};
    ops_.scale({&job, 1});
  }
  void spread(linalg::Part<const Real> from, Arrays& to, double times) {
    for (int k = 0; k < terms_; ++k) {
      linalg::SpreadJob<Real> job{from, places_[k].get(), to[k], times};
      ops_.spread({&job, 1});
    }
  }
  /// mean_ = the mean over the terms.
  void gather(const Arrays& from) {
    for (int k = 0; k < terms_; ++k) {
      linalg::GatherJob<Real> job{from[k], places_[k].get(), mean_, 1.0 / terms_, k > 0};
      ops_.gather({&job, 1});
    }
  }
  /// The prox of copies_; the largest dual norm of what came in.
  double shrink(double mu) {
    double dual = 0;
    value_ = 0;
    for (int k = 0; k < terms_; ++k) {
      const TermResult found = penalty_.prox(ops_, k, copies_[k].whole(), {&mu, 1}, spare_[k].whole()).front();
      dual = std::max(dual, found.dual);
      value_ += found.value;
    }
    return dual;
  }
  double norms_of_copies() {
    double value = 0;
    for (int k = 0; k < terms_; ++k)
      value += penalty_.norms(ops_, k, linalg::Part<const Real>(copies_[k]), spare_[k].whole()).front().value;
    return value;
  }

  Residuals b_step(double rho, double nu) {
    double sums[4] = {};
    for (int k = 0; k < terms_; ++k) {
      linalg::RelaxJob<Real> job{w_, places_[k].get(), b_[k], q_[k], copies_[k]};
      ops_.relax({&job, 1}, nu);
    }
    shrink(terms_ * tau_ / rho);
    for (int k = 0; k < terms_; ++k) {
      linalg::AcceptJob<Real> job{w_, places_[k].get(), b_[k], q_[k], copies_[k], a_, 1.0 / terms_, k > 0};
      ops_.accept({&job, 1}, nu);
      for (int i = 0; i < 4; ++i) sums[i] += job.sums[i];
    }
    linalg::CompareJob<Real> size{.v = w_};
    ops_.compare({&size, 1});
    const double largest = std::max(std::sqrt(terms_ * size.away), std::sqrt(sums[2]));
    return {largest > 0 ? std::sqrt(sums[0]) / largest : 0, sums[3] > 0 ? std::sqrt(sums[1] / sums[3]) : 0};
  }

  /// W = soft(a + theta V / rho, gamma / rho) with theta such that its product with V is 1: a root of a piecewise
  /// linear, increasing function, by Newton's method inside a bracket.
  void along_v(double rho, double& theta) {
    double below = -std::numeric_limits<double>::infinity(), above = -below;
    for (int i = 0; i < 60; ++i) {
      linalg::RayJob<Real> job{.a = a_, .v = v_, .mask = mask(), .theta = theta, .rho = rho, .gamma = gamma_, .w = w_};
      ops_.shrink_on_ray({&job, 1});
      const double miss = job.inner - 1, slope = job.square / rho;
      if (std::abs(miss) < root_within) break;
      (miss > 0 ? above : below) = theta;
      double next = slope > 0 ? theta - miss / slope : 2 * std::abs(theta) + 1 / high_;
      if (!(next > below && next < above))
        next = std::isfinite(below) && std::isfinite(above) ? (below + above) / 2
               : std::isfinite(below)                       ? below + std::abs(below) + 1 / high_
                                                            : above - std::abs(above) - 1 / high_;
      theta = next;
    }
  }

  void bound_from_below(linalg::Part<const Real> w, double value) {
    linalg::CompareJob<Real> job{.v = v_, .b = w};
    ops_.compare({&job, 1});
    if (value > 0) low_ = std::max(low_, job.inner / (tau_ * value + gamma_ * job.l1));
  }
  /// By the split times/K q_k, whose mean is in mean_, of unit z = theta V.
  void bound_from_above(double theta, double unit, linalg::Part<const Real> z, double times) {
    if (!(theta > 0 && gamma_ > 0)) return;
    linalg::ExcessJob<Real> job{z, mean_, mask(), times / unit};
    ops_.measure_excess({&job, 1});
    high_ = std::min(high_, std::max(1.0, unit * job.most / gamma_) / theta);
  }
  /// One round of projections, as in BatchSolver::improve_dual; mean_ holds that of Q.
  void refine(double theta, double rho) {
    if (!(theta > 0)) return;
    set(v_, along_, theta);
    const auto split = [&](Arrays& to) {
      for (int k = 0; k < terms_; ++k) {
        linalg::SplitJob<Real> job{along_, mean_, q_[k], places_[k].get(), mask(), rho, gamma_, terms_, to[k]};
        ops_.split({&job, 1});
      }
    };
    split(copies_);
    const double dual = shrink(tau_);
    split(spare_);
    high_ = std::min(high_, std::max(1.0, dual / tau_) / theta);
    for (int k = 0; k < terms_; ++k) {
      linalg::ScaleJob<Real> less{.from = copies_[k], .to = spare_[k], .times = -1, .add = true};
      ops_.scale({&less, 1});
    }
    gather(spare_);
    bound_from_above(theta, 1, along_, terms_);
  }
  /// B, whose mean is in mean_. Outside a region W must be zero, and B is not.
  void bound_by_copy() {
    if (!free_) return;
    if (terms_ > 1) {
      spread(mean_, spare_, 1);
      std::swap(copies_, spare_);
      value_ = norms_of_copies();
      std::swap(copies_, spare_);
    }
    bound_from_below(mean_, value_);
  }
  linalg::Bytes mask() const { return mask_.empty() ? linalg::Bytes() : linalg::Bytes(mask_); }

  double tau_, gamma_;
  const Penalty& penalty_;
  int terms_;
  linalg::Backend& backend_;
  linalg::Operations<Real>& ops_;
  linalg::Array<Real> v_, w_, a_, mean_, along_;
  linalg::Array<std::uint8_t> mask_;
  std::vector<linalg::PlacementPointer> places_;
  Arrays b_, q_, copies_, spare_;
  bool free_ = false;
  double value_ = 0;  ///< of what the last prox left
  double low_ = 0, high_ = 0;
};

}  // namespace

template <class Real>
ZeroPoint zero_point(const Design<Real>& x, const View<Real>& view, std::span<const double> y, double balance,
                     linalg::Backend& backend, double accuracy, const PenaltyPointer& penalty,
                     const LossPointer& loss) {
  if (!(balance >= 0 && balance <= 1))
    throw UsageError("`balance` lies between 0 (l1 alone) and 1 (low-rank penalty alone), and is " +
                     std::to_string(balance));
  const Loss& with = loss ? *loss : *square_loss();
  const Labels labels{y, view.rows.weights()};
  require_loss(with, view.rows, labels);
  const Tensor v = exact_adjoint(x, view, with.dual_point_at_zero(labels));
  ZeroPoint out;
  out.gamma_alone = max_abs(v);
  const PenaltyPointer used = penalty ? penalty : tubal_nuclear_norm(x.region());
  const int terms = used->terms();
  if (out.gamma_alone > 0) {
    double inverse = 0;
    for (int k = 0; k < terms; ++k) {
      const double dual = used->dual_norm(k, used->placed<double>(k, v.flat()), Proof::exact);
      inverse += 1 / dual;
      out.tau_alone = terms == 1 ? dual : 1 / inverse;
    }
  }
  const bool alone = balance == 0 || (balance == 1 && x.region().whole() && view.mask.empty() && terms == 1);
  if (alone || out.gamma_alone == 0) {
    out.low = out.high = out.gamma_alone > 0 ? 1 : 0;
    return out;
  }
  const double tau = balance * out.tau_alone, gamma = (1 - balance) * out.gamma_alone;
  if constexpr (sizeof(Real) == 4) {
    if (accuracy >= least_in_single) {
      // The bracket does not depend on the unit of V; in this one no sum leaves single precision.
      const double unit = out.gamma_alone;
      std::vector<float> scaled(v.flat().size());
      std::ranges::transform(v.flat(), scaled.begin(), [&](double a) { return static_cast<float>(a / unit); });
      Gauge<float>(scaled, view.mask, tau / unit, gamma / unit, *used, backend)
          .run(1, out.tau_alone / unit, accuracy - 2 * lost_in_single, out);
      out.low *= 1 - lost_in_single;
      out.high *= 1 + lost_in_single;
      return out;
    }
  }
  Gauge<double>(v.flat(), view.mask, tau, gamma, *used, backend).run(out.gamma_alone, out.tau_alone, accuracy, out);
  return out;
}

template ZeroPoint zero_point(const Design<float>&, const View<float>&, std::span<const double>, double,
                              linalg::Backend&, double, const PenaltyPointer&, const LossPointer&);
template ZeroPoint zero_point(const Design<double>&, const View<double>&, std::span<const double>, double,
                              linalg::Backend&, double, const PenaltyPointer&, const LossPointer&);

}  // namespace sturm
