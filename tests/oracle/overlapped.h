// SPDX-License-Identifier: BSD-3-Clause
// The overlapped nuclear norm from its definition, and a certificate of Remurs that shares nothing with the solver's.
#pragma once

#include <cmath>
#include <cstdint>

#include "sturm/core/tensor.h"
#include "sturm/linalg/host.h"

namespace sturm::oracle {

/// Singular values of the unfolding along mode 1, 2 or 3: rows by that mode, columns by the two others.
inline std::vector<double> unfolded_values(const Tensor& a, int mode) {
  const Shape s = a.shape();
  const Index rows = mode == 1 ? s.n1 : mode == 2 ? s.n2 : s.n3, cols = s.size() / rows;
  std::vector<std::complex<double>> matrix(s.size());
  for (Index i = 0; i < s.n1; ++i)
    for (Index j = 0; j < s.n2; ++j)
      for (Index k = 0; k < s.n3; ++k) {
        const Index row = mode == 1 ? i : mode == 2 ? j : k;
        const Index col = mode == 1 ? j * s.n3 + k : mode == 2 ? i * s.n3 + k : i * s.n2 + j;
        matrix[row + col * rows] = a(i, j, k);
      }
  std::vector<double> out(std::min(rows, cols));
  linalg::host::svd<double>(linalg::SvdKind::values, rows, cols, matrix.data(), out.data(), nullptr, nullptr);
  return out;
}

inline double nuclear(const Tensor& a, int mode) {
  double sum = 0;
  for (const double v : unfolded_values(a, mode)) sum += v;
  return sum;
}

/// 1/2 |y - Xw|^2 + (tau/3) sum_n |W_(n)|_* + gamma |W|_1.
inline double remurs_objective(const std::vector<Tensor>& x, const std::vector<double>& y, const Tensor& w, double tau,
                               double gamma) {
  double out = 0;
  for (int n = 1; n <= 3; ++n) out += tau / 3 * nuclear(w, n);
  for (const double v : w.flat()) out += gamma * std::abs(v);
  for (std::size_t m = 0; m < y.size(); ++m) {
    double r = y[m];
    for (std::size_t v = 0; v < w.flat().size(); ++v) r -= x[m].flat()[v] * w.flat()[v];
    out += r * r / 2;
  }
  return out;
}

/// y'theta - |theta|^2/2 after theta and the parts of G2 are divided by whatever makes them and G1 = X'theta - sum G2_n
/// feasible: |G1| <= gamma, and a spectral norm of at most tau/3 of each part's own unfolding. Without an l1 norm the
/// parts take what is missing to X'theta in equal shares. Outside the mask (empty: everywhere inside) W is 0 and G1
/// free.
inline double remurs_dual(const std::vector<Tensor>& x, const std::vector<double>& y, const std::vector<double>& theta,
                          std::vector<Tensor> g2, double tau, double gamma,
                          const std::vector<std::uint8_t>& mask = {}) {
  Tensor g1(g2.front().shape());
  for (std::size_t v = 0; v < g1.flat().size(); ++v) {
    if (!mask.empty() && !mask[v]) continue;
    double z = 0, sum = 0;
    for (std::size_t m = 0; m < y.size(); ++m) z += theta[m] * x[m].flat()[v];
    for (const Tensor& part : g2) sum += part.flat()[v];
    g1.flat()[v] = z - sum;
    if (gamma == 0)
      for (Tensor& part : g2) part.flat()[v] += (z - sum) / 3;
  }
  double excess = 1;
  for (const double v : g1.flat())
    if (gamma > 0) excess = std::max(excess, std::abs(v) / gamma);
  for (int n = 1; n <= 3; ++n) excess = std::max(excess, unfolded_values(g2[n - 1], n).front() / (tau / 3));
  double a = 0, b = 0;
  for (std::size_t m = 0; m < y.size(); ++m) {
    a += y[m] * theta[m];
    b += theta[m] * theta[m];
  }
  const double s = b > 0 ? std::min(1 / excess, std::max(a / b, 0.0)) : 0;
  return s * a - s * s * b / 2;
}

}  // namespace sturm::oracle
