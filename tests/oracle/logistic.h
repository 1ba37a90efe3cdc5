// SPDX-License-Identifier: BSD-3-Clause
// The logistic loss with the tubal nuclear norm and the l1 norm, and their certificate, from the formulas alone.
#pragma once

#include "oracle/proof.h"

namespace sturm::oracle {

/// sum_m s_m log(1 + exp(-y_m <X_m, W>)) + tau tnn(W) + gamma |W|_1.
inline double logistic_objective(const std::vector<Tensor>& x, const std::vector<double>& y,
                                 const std::vector<double>& weights, const Tensor& w, double tau, double gamma) {
  double out = tau * tnn(w);
  for (const double v : w.flat()) out += gamma * std::abs(v);
  for (std::size_t m = 0; m < y.size(); ++m) {
    double p = 0;
    for (std::size_t v = 0; v < w.flat().size(); ++v) p += x[m].flat()[v] * w.flat()[v];
    out += weights[m] * std::log(1 + std::exp(-y[m] * p));
  }
  return out;
}

/// The best over a grid of scales s of the entropy of a = s y theta / weight,
///     -sum_m s_m (a log a + (1 - a) log(1 - a)),
/// where s is at most what makes G1 = X'theta - G2 and G2 feasible. Outside the mask G1 is free.
inline double logistic_dual(const std::vector<Tensor>& x, const std::vector<double>& y,
                            const std::vector<double>& weights, const std::vector<double>& theta, Tensor g2, double tau,
                            double gamma, const std::vector<std::uint8_t>& mask = {}) {
  Tensor z(g2.shape());
  for (std::size_t m = 0; m < y.size(); ++m)
    for (std::size_t v = 0; v < z.flat().size(); ++v) z.flat()[v] += theta[m] * x[m].flat()[v];
  if (tau == 0) g2 = Tensor(z.shape());
  double excess = 1;
  for (std::size_t v = 0; v < z.flat().size(); ++v) {
    if (!mask.empty() && !mask[v]) continue;
    if (gamma == 0) g2.flat()[v] = z.flat()[v];
    if (gamma > 0) excess = std::max(excess, std::abs(z.flat()[v] - g2.flat()[v]) / gamma);
  }
  if (tau > 0) excess = std::max(excess, spectral(g2) / tau);
  double best = 0;
  for (int i = 1; i <= 1000; ++i) {
    double value = 0;
    for (std::size_t m = 0; m < y.size(); ++m) {
      if (weights[m] == 0) continue;
      const double a = i / 1000.0 / excess * y[m] * theta[m] / weights[m];
      if (a < 0 || a > 1) value = -std::numeric_limits<double>::infinity();
      for (const double part : {a, 1 - a})
        if (part > 0) value -= weights[m] * part * std::log(part);
    }
    best = std::max(best, value);
  }
  return best;
}

}  // namespace sturm::oracle
