// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/solver/zero_point.h"

#include <cmath>
#include <limits>

#include "sturm/solver/certificate.h"
#include "sturm/tensor/algebra.h"
#include "sturm/tensor/tnn.h"

namespace sturm {
namespace {

Tensor inside(Tensor a, const std::vector<std::uint8_t>& mask) {
  for (std::size_t v = 0; v < mask.size(); ++v)
    if (!mask[v]) a.flat()[v] = 0;
  return a;
}

/// The gauge of V by ADMM; everything in double, since it runs once for a study.
class Gauge {
 public:
  Gauge(const Tensor& v, const std::vector<std::uint8_t>& mask, double tau, double gamma)
      : v_(v), mask_(mask), tau_(tau), gamma_(gamma), dft_(Transform::dft(v.shape().n3)) {}

  void run(double top, double spectral, double accuracy, ZeroPoint& out) {
    high_ = 1 / (gamma_ / top + tau_ / spectral);
    low_ = top / (gamma_ + tau_);  // one voxel alone: its tnn is 1
    double c = std::sqrt(low_ * high_);
    Tensor b = prox((1 / c) * v_, tau_);
    const double share = frobenius_norm((1 / c) * v_ - b) / frobenius_norm((1 / c) * v_);
    if (mask_.empty()) bound_from_below(b, last_.tnn);  // outside a mask W must be zero, and B is not
    const double v2 = dot(v_, v_);
    double rho = 1.5 * std::pow(share, 1.3) * v2 / c, theta = 1 / c;
    b = (1 / v2) * v_;
    Tensor q(v_.shape());
    constexpr double nu = 1.7;
    int next = 2;
    for (int k = 1; k <= 500 && high_ - low_ > accuracy * high_; ++k) {
      const Tensor w = along_v(b - q, rho, theta);
      const Tensor relaxed = nu * w + (1 - nu) * b + q, before = b;
      b = prox(relaxed, tau_ / rho);
      q = relaxed - b;
      if (mask_.empty()) bound_from_below(b, last_.tnn);
      bound_from_above(theta, rho * q);
      if (k % 4 == 0) {
        refine(theta, rho * q);
        bound_from_below(w, tnn(w, dft_));
      }
      if (k < next) continue;
      next = k + (k < 10 ? 2 : k < 30 ? 5 : k < 60 ? 10 : 30);
      const double primal = frobenius_norm(w - b) / std::max(frobenius_norm(w), frobenius_norm(b));
      const double dual = frobenius_norm(b - before) / frobenius_norm(q);
      if (!(primal > 0 && dual > 0)) continue;
      const double factor = std::clamp(std::sqrt(primal / dual), 0.1, 10.0);
      if (factor >= 1 / 1.2 && factor <= 1.2) continue;
      rho *= factor;
      q = (1 / factor) * q;
    }
    out.low = low_;
    out.high = high_;
  }

 private:
  Tensor prox(const Tensor& a, double mu) {
    Tensor out = a;
    last_ = prox_tnn_batch<double>(a.shape(), out.flat(), {&mu, 1}, dft_, scratch_).front();
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

  void bound_from_below(const Tensor& w, double w_tnn) {
    if (w_tnn > 0) low_ = std::max(low_, dot(v_, w) / (tau_ * w_tnn + gamma_ * l1_norm(w)));
  }
  void bound_from_above(double theta, const Tensor& g2) {
    if (!(theta > 0 && gamma_ > 0)) return;
    const double excess = max_abs(inside(theta * v_ - g2, mask_)) / gamma_;
    high_ = std::min(high_, std::max(1.0, excess) / theta);
  }
  void refine(double theta, const Tensor& g2) {
    if (!(theta > 0)) return;
    Tensor rest = theta * v_;
    for (std::size_t j = 0; j < rest.flat().size(); ++j) {
      const bool in = mask_.empty() || mask_[j];
      rest.flat()[j] = in ? rest.flat()[j] - std::clamp(rest.flat()[j] - g2.flat()[j], -gamma_, gamma_) : g2.flat()[j];
    }
    const Tensor b = prox(rest, tau_);
    high_ = std::min(high_, std::max(1.0, last_.spectral / tau_) / theta);
    bound_from_above(theta, rest - b);
  }

  const Tensor& v_;
  const std::vector<std::uint8_t>& mask_;
  double tau_, gamma_;
  Transform dft_;
  AlignedVector<double> scratch_;
  ProxTnnResult last_;
  double low_ = 0, high_ = 0;
};

}  // namespace

template <class Real>
ZeroPoint zero_point(const Design<Real>& x, const View<Real>& view, std::span<const double> y, double balance,
                     double accuracy) {
  if (!(balance >= 0 && balance <= 1))
    throw UsageError("--balance lies between 0 (l1 alone) and 1 (tubal nuclear norm alone), and is " +
                     std::to_string(balance));
  const Tensor v = exact_adjoint(x, view, y);
  ZeroPoint out;
  out.gamma_alone = max_abs(v);
  out.tau_alone = out.gamma_alone > 0 ? tubal_spectral_norm(v) : 0;
  const bool alone = balance == 0 || (balance == 1 && view.mask.empty());
  if (alone || out.gamma_alone == 0) {
    out.low = out.high = out.gamma_alone > 0 ? 1 : 0;
    return out;
  }
  Gauge(v, view.mask, balance * out.tau_alone, (1 - balance) * out.gamma_alone)
      .run(out.gamma_alone, out.tau_alone, accuracy, out);
  return out;
}

template ZeroPoint zero_point(const Design<float>&, const View<float>&, std::span<const double>, double, double);
template ZeroPoint zero_point(const Design<double>&, const View<double>&, std::span<const double>, double, double);

}  // namespace sturm
