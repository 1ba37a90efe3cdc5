// SPDX-License-Identifier: BSD-3-Clause
// A second certificate, written from the formulas alone and sharing nothing with the solver's: slow loops, explicit
// DFT, singular values from LAPACK.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "oracle/direct.h"
#include "sturm/linalg/host.h"

namespace sturm::oracle {

/// Singular values of every slice of the whole spectrum.
inline std::vector<std::vector<double>> spectrum(const Tensor& a) {
  const Shape s = a.shape();
  std::vector<std::vector<double>> out;
  for (Index k = 0; k < s.n3; ++k) {
    std::vector<std::complex<double>> slice(s.slice());
    for (Index j = 0; j < s.n2; ++j)
      for (Index i = 0; i < s.n1; ++i) slice[i + j * s.n1] = dft(a, i, j, k);
    out.emplace_back(std::min(s.n1, s.n2));
    linalg::host::svd<double>(linalg::SvdKind::values, s.n1, s.n2, slice.data(), out.back().data(), nullptr, nullptr);
  }
  return out;
}

inline double tnn(const Tensor& a) {
  double sum = 0;
  for (const auto& slice : spectrum(a))
    for (const double s : slice) sum += s;
  return sum / static_cast<double>(a.shape().n3);
}

inline double spectral(const Tensor& a) {
  double most = 0;
  for (const auto& slice : spectrum(a)) most = std::max(most, slice.front());
  return most;
}

/// 1/2 |y - Xw|^2 + tau tnn(W) + gamma |W|_1 for volumes x.
inline double objective(const std::vector<Tensor>& x, const std::vector<double>& y, const Tensor& w, double tau,
                        double gamma) {
  double out = tau * oracle::tnn(w);  // and not that of the library
  for (const double v : w.flat()) out += gamma * std::abs(v);
  for (std::size_t m = 0; m < y.size(); ++m) {
    double r = y[m];
    for (std::size_t v = 0; v < w.flat().size(); ++v) r -= x[m].flat()[v] * w.flat()[v];
    out += r * r / 2;
  }
  return out;
}

/// y'theta - |theta|^2/2 after theta and G2 are divided by whatever makes G1 = X'theta - G2 and G2 feasible. Outside
/// the mask (empty: everywhere inside) W is 0 and G1 free, so that G2 may be anything there.
inline double dual(const std::vector<Tensor>& x, const std::vector<double>& y, std::vector<double> theta, Tensor g2,
                   double tau, double gamma, const std::vector<std::uint8_t>& mask = {}) {
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
  double a = 0, b = 0;
  for (std::size_t m = 0; m < y.size(); ++m) {
    a += y[m] * theta[m];
    b += theta[m] * theta[m];
  }
  const double s = b > 0 ? std::min(1 / excess, std::max(a / b, 0.0)) : 0;
  return s * a - s * s * b / 2;
}

}  // namespace sturm::oracle
