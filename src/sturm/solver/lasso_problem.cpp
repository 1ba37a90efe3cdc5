// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/solver/lasso_problem.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sturm/core/parallel.h"
#include "sturm/linalg/host.h"
#include "sturm/linalg/voxels.h"
#include "sturm/loss/square.h"

namespace sturm {

template <class Real>
LassoView<Real>::LassoView(const Design<Real>& design, RowMap row_map, std::vector<Real> voxel_scale,
                           std::span<const std::uint8_t> mask)
    : x(design), rows(std::move(row_map)), scale(std::move(voxel_scale)) {
  if (mask.empty()) return;
  if (scale.empty()) scale.assign(mask.size(), Real{1});
  for (std::size_t v = 0; v < mask.size(); ++v)
    if (!mask[v]) scale[v] = 0;
}

template <class Number>
ScaledDual best_scaled_dual(double a, double b, std::span<const Number> z, double gamma, double l2) {
  if (!(b > 0 && a > 0)) return {};
  const double most = a / b;  // the best s where no voxel is in the way
  if (!(l2 > 0)) {
    Number largest = 0;
    for (const Number v : z) largest = std::max(largest, std::abs(v));
    const double limit = largest > 0 ? gamma / static_cast<double>(largest) : most;
    return {best_square_dual(a, b, limit), std::min(most, limit)};
  }
  std::vector<double> beyond;
  for (const Number v : z)
    if (most * std::abs(static_cast<double>(v)) > gamma) beyond.push_back(std::abs(static_cast<double>(v)));
  // The derivative a - s b - sum |z| (s |z| - gamma)+ / l2 falls and is piecewise linear: Newton from the right never
  // passes its zero, and stops where the pieces no longer change.
  double s = most;
  for (int step = 0; step < 100; ++step) {
    double slope = -b, value = a - s * b;
    for (const double v : beyond)
      if (s * v > gamma) {
        value -= v * (s * v - gamma) / l2;
        slope -= v * v / l2;
      }
    const double next = std::clamp(s - value / slope, 0.0, most);
    const bool still = std::abs(next - s) <= 1e-15 * most;
    s = next;
    if (still) break;
  }
  double out = s * a - s * s * b / 2;
  for (const double v : beyond) out -= std::pow(std::max(s * v - gamma, 0.0), 2) / (2 * l2);
  if (!beyond.empty()) {  // an l2 so small that its squares overflow is none: the lasso's bound holds as well
    const double limit = gamma / *std::ranges::max_element(beyond), lasso = best_square_dual(a, b, limit);
    if (!(out >= (1 - 1e-9) * lasso)) return {lasso, std::min(most, limit)};
  }
  return {std::max(out, 0.0), out > 0 ? s : 0};
}

template <class Real>
std::vector<double> exact_adjoints(const LassoView<Real>& view, std::span<const std::vector<double>> thetas) {
  const Design<Real>& x = view.x;
  const Index m = x.samples(), voxels = x.voxels(), count = static_cast<Index>(thetas.size());
  std::vector<double> u, out(voxels * count);
  for (const auto& theta : thetas) {
    const std::vector<double> mapped = view.rows.adjoint(theta);
    u.insert(u.end(), mapped.begin(), mapped.end());
  }
  constexpr Index tile = 128;  // as double it stays in the second-level cache
  parallel_for((voxels + tile - 1) / tile,
               [&](Index t, int) {
                 const Index first = t * tile, here = std::min(tile, voxels - first);
                 const double* part = nullptr;
                 thread_local AlignedVector<double> wide;
                 if constexpr (sizeof(Real) == 8) {
                   part = x.column(first);
                 } else {
                   wide.resize(tile * m);
                   linalg::voxel_kernel<Real>().standardise(x.column(first), nullptr, nullptr, wide.data(), here * m);
                   part = wide.data();
                 }
                 linalg::host::multiply<double>(linalg::Op::transpose, linalg::Op::none, here, count, m, 1, part, m,
                                                u.data(), m, 0, out.data() + first, voxels);
                 if (view.scale.empty()) return;
                 for (Index k = 0; k < count; ++k)
                   for (Index v = first; v < first + here; ++v) out[k * voxels + v] *= view.scale_of(v);
               },
               static_cast<double>(voxels * m * count));
  return out;
}

template <class Real>
std::vector<Certificate> certify_enet(const LassoView<Real>& view, std::span<const double> y, double l2,
                                      std::span<const double> gammas, std::span<const LassoSolution> solutions,
                                      std::vector<double>* scales) {
  if (scales != nullptr) scales->resize(solutions.size());
  std::vector<std::vector<double>> thetas;
  for (const LassoSolution& s : solutions) thetas.push_back(s.theta);
  const std::vector<double> z = exact_adjoints<Real>(view, thetas);
  const linalg::VoxelKernel<Real>& kernel = linalg::voxel_kernel<Real>();
  const Index m = view.x.samples(), voxels = view.x.voxels();
  std::vector<Certificate> out(solutions.size());
  const auto one = [&](Index k, int) {
    const LassoSolution& s = solutions[k];
    std::vector<double> sum(m);
    double l1 = 0, square = 0;
    for (std::size_t i = 0; i < s.voxels.size(); ++i) {
      kernel.add(view.x.column(s.voxels[i]), s.values[i] * view.scale_of(s.voxels[i]), sum.data(), m);
      l1 += std::abs(s.values[i]);
      square += s.values[i] * s.values[i];
    }
    const std::vector<double> xw = view.rows.apply(sum);
    double loss = 0;
    for (Index i = 0; i < m; ++i) loss += (y[i] - xw[i]) * (y[i] - xw[i]);
    Certificate& c = out[k];
    c.at_zero = std::inner_product(y.begin(), y.end(), y.begin(), 0.0) / 2;
    c.primal = loss / 2 + l2 / 2 * square + gammas[k] * l1;
    const double a = std::inner_product(y.begin(), y.end(), s.theta.begin(), 0.0);
    const double b = std::inner_product(s.theta.begin(), s.theta.end(), s.theta.begin(), 0.0);
    const auto best = best_scaled_dual<double>(a, b, std::span(z).subspan(k * voxels, voxels), gammas[k], l2);
    c.dual = best.value;
    if (scales != nullptr) (*scales)[k] = best.scale;
  };
  parallel_for(static_cast<Index>(solutions.size()), one, 1e5 * static_cast<double>(solutions.size()));
  return out;
}

#define STURM_INSTANTIATE(Real)                                                                              \
  template struct LassoView<Real>;                                                                           \
  template ScaledDual best_scaled_dual(double, double, std::span<const Real>, double, double);               \
  template std::vector<double> exact_adjoints(const LassoView<Real>&, std::span<const std::vector<double>>); \
  template std::vector<Certificate> certify_enet(const LassoView<Real>&, std::span<const double>, double,    \
                                                 std::span<const double>, std::span<const LassoSolution>,    \
                                                 std::vector<double>*);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
