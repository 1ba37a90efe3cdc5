// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/solver/zero_point.h"

#include <cmath>
#include <limits>

#include "sturm/solver/certificate.h"
#include "sturm/tensor/algebra.h"

namespace sturm {
namespace {

Tensor inside(Tensor a, const std::vector<std::uint8_t>& mask) {
  for (std::size_t v = 0; v < mask.size(); ++v)
    if (!mask[v]) a.flat()[v] = 0;
  return a;
}

Tensor sum_of(const std::vector<Tensor>& parts) {
  Tensor out = parts.front();
  for (std::size_t k = 1; k < parts.size(); ++k) out = out + parts[k];
  return out;
}

double norm_of(const std::vector<Tensor>& parts) {
  if (parts.size() == 1) return frobenius_norm(parts.front());
  double square = 0;
  for (const Tensor& part : parts) square += dot(part, part);
  return std::sqrt(square);
}

/// The gauge of V by ADMM; everything in double, since it runs once for a study. A list of tensors has one for each
/// term; rho is shared between them as in batch.h.
class Gauge {
 public:
  Gauge(const Tensor& v, const std::vector<std::uint8_t>& mask, double tau, double gamma, const Penalty& penalty)
      : v_(v), mask_(mask), tau_(tau), gamma_(gamma), penalty_(penalty), last_(penalty.terms()) {}

  void run(double top, double spectral, double accuracy, ZeroPoint& out) {
    const int terms = penalty_.terms();
    high_ = 1 / (gamma_ / top + tau_ / spectral);
    low_ = top / (gamma_ + tau_ * penalty_.one_voxel());  // one voxel alone
    double c = std::sqrt(low_ * high_);
    std::vector<Tensor> b(terms, (1 / c) * v_);
    for (int k = 0; k < terms; ++k) b[k] = prox(k, b[k], terms * tau_);
    const Tensor mean = (1.0 / terms) * sum_of(b);
    const double share = frobenius_norm((1 / c) * v_ - mean) / frobenius_norm((1 / c) * v_);
    bound_by_copy(mean);
    const double v2 = dot(v_, v_);
    double rho = 1.5 * std::pow(share, 1.3) * v2 / c, theta = 1 / c;
    b.assign(terms, (1 / v2) * v_);
    std::vector<Tensor> q(terms, Tensor(v_.shape())), before = b, distance = b;
    constexpr double nu = 1.7;
    int next = 2;
    for (int k = 1; k <= 500 && high_ - low_ > accuracy * high_; ++k) {
      const Tensor w = along_v((1.0 / terms) * (sum_of(b) - sum_of(q)), rho, theta);
      before = b;
      for (int t = 0; t < terms; ++t) {
        const Tensor relaxed = nu * w + (1 - nu) * b[t] + q[t];
        b[t] = prox(t, relaxed, terms * tau_ / rho);
        q[t] = relaxed - b[t];
      }
      if (k % 4 == 0 || terms == 1) bound_by_copy((1.0 / terms) * sum_of(b));
      std::vector<Tensor> g2;
      g2.reserve(q.size());
      for (const Tensor& part : q) g2.push_back((rho / terms) * part);
      bound_from_above(theta, sum_of(g2));
      if (k % 4 == 0) {
        refine(theta, g2);
        bound_from_below(w, penalty_.value(w, Proof::exact));
      }
      if (k < next) continue;
      next = k + (k < 10 ? 2 : k < 30 ? 5 : k < 60 ? 10 : 30);
      for (int t = 0; t < terms; ++t) {
        distance[t] = w - b[t];
        before[t] = b[t] - before[t];
      }
      const double largest = std::max(std::sqrt(static_cast<double>(terms)) * frobenius_norm(w), norm_of(b));
      const double primal = norm_of(distance) / largest, dual = norm_of(before) / norm_of(q);
      if (!(primal > 0 && dual > 0)) continue;
      const double factor = std::clamp(std::sqrt(primal / dual), 0.1, 10.0);
      if (factor >= 1 / 1.2 && factor <= 1.2) continue;
      rho *= factor;
      for (Tensor& part : q) part = (1 / factor) * part;
    }
    out.low = low_;
    out.high = high_;
  }

 private:
  Tensor prox(int term, const Tensor& a, double mu) {
    Tensor out = a;
    last_[term] = penalty_.prox(term, out.flat(), {&mu, 1}, scratch_).front();
    return out;
  }

  /// soft(a + theta V / rho, gamma / rho) with theta such that its product with V is 1: a root of a piecewise linear,
  /// increasing function, by Newton's method inside a bracket.
  Tensor along_v(const Tensor& a, double rho, double& theta) const {
    double below = -std::numeric_limits<double>::infinity(), above = -below;
    Tensor w(v_.shape());
    for (int i = 0; i < 60; ++i) {
      w = inside(prox_l1(a + (theta / rho) * v_, gamma_ / rho), mask_);
      const double miss = dot(v_, w) - 1;
      if (std::abs(miss) < 1e-10) break;
      (miss > 0 ? above : below) = theta;
      double slope = 0;
      for (std::size_t j = 0; j < w.flat().size(); ++j)
        if (w.flat()[j] != 0) slope += v_.flat()[j] * v_.flat()[j] / rho;
      double next = slope > 0 ? theta - miss / slope : 2 * std::abs(theta) + 1 / high_;
      if (!(next > below && next < above))
        next = std::isfinite(below) && std::isfinite(above) ? (below + above) / 2
               : std::isfinite(below)                       ? below + std::abs(below) + 1 / high_
                                                            : above - std::abs(above) - 1 / high_;
      theta = next;
    }
    return w;
  }

  void bound_from_below(const Tensor& w, double value) {
    if (value > 0) low_ = std::max(low_, dot(v_, w) / (tau_ * value + gamma_ * l1_norm(w)));
  }
  void bound_from_above(double theta, const Tensor& g2) {
    if (!(theta > 0 && gamma_ > 0)) return;
    const double excess = max_abs(inside(theta * v_ - g2, mask_)) / gamma_;
    high_ = std::min(high_, std::max(1.0, excess) / theta);
  }
  void refine(double theta, std::vector<Tensor> g2) {
    if (!(theta > 0)) return;
    const int terms = penalty_.terms();
    const Tensor all = sum_of(g2);
    Tensor rest = theta * v_;
    for (std::size_t j = 0; j < rest.flat().size(); ++j) {
      const bool in = mask_.empty() || mask_[j];
      rest.flat()[j] =
          in ? rest.flat()[j] - std::clamp(rest.flat()[j] - all.flat()[j], -gamma_, gamma_) : all.flat()[j];
    }
    double dual = 0;
    for (int k = 0; k < terms; ++k) {
      const Tensor whole = terms == 1 ? rest : g2[k] + (1.0 / terms) * (rest - all);
      g2[k] = whole - prox(k, whole, tau_);
      dual = std::max(dual, last_[k].dual);
    }
    high_ = std::min(high_, std::max(1.0, dual / tau_) / theta);
    bound_from_above(theta, sum_of(g2));
  }
  /// Outside a mask W must be zero, and B is not.
  void bound_by_copy(const Tensor& b) {
    if (!mask_.empty()) return;
    bound_from_below(b, last_.size() == 1 ? last_.front().value : penalty_.value(b, Proof::exact));
  }

  const Tensor& v_;
  const std::vector<std::uint8_t>& mask_;
  double tau_, gamma_;
  const Penalty& penalty_;
  AlignedVector<double> scratch_;
  std::vector<TermResult> last_;  ///< of the last prox of each term
  double low_ = 0, high_ = 0;
};

}  // namespace

template <class Real>
ZeroPoint zero_point(const Design<Real>& x, const View<Real>& view, std::span<const double> y, double balance,
                     double accuracy, const PenaltyPointer& penalty) {
  if (!(balance >= 0 && balance <= 1))
    throw UsageError("--balance lies between 0 (l1 alone) and 1 (low-rank penalty alone), and is " +
                     std::to_string(balance));
  const Tensor v = exact_adjoint(x, view, y);
  ZeroPoint out;
  out.gamma_alone = max_abs(v);
  const PenaltyPointer used = penalty ? penalty : tubal_nuclear_norm(x.shape());
  const int terms = used->terms();
  if (out.gamma_alone > 0) {
    double inverse = 0;
    for (int k = 0; k < terms; ++k) {
      const double dual = used->dual_norm(k, v, Proof::exact);
      inverse += 1 / dual;
      out.tau_alone = terms == 1 ? dual : 1 / inverse;
    }
  }
  const bool alone = balance == 0 || (balance == 1 && view.mask.empty() && terms == 1);
  if (alone || out.gamma_alone == 0) {
    out.low = out.high = out.gamma_alone > 0 ? 1 : 0;
    return out;
  }
  Gauge(v, view.mask, balance * out.tau_alone, (1 - balance) * out.gamma_alone, *used)
      .run(out.gamma_alone, out.tau_alone, accuracy, out);
  return out;
}

template ZeroPoint zero_point(const Design<float>&, const View<float>&, std::span<const double>, double, double,
                              const PenaltyPointer&);
template ZeroPoint zero_point(const Design<double>&, const View<double>&, std::span<const double>, double, double,
                              const PenaltyPointer&);

}  // namespace sturm
