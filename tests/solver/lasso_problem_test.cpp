// SPDX-License-Identifier: BSD-3-Clause
// The dual of the lasso and of the elastic net, and the certificate that is made of it.
#include "sturm/solver/lasso_problem.h"

#include <cmath>

#include "solver/small_problem.h"

namespace sturm {
namespace {

// s a - s^2 b / 2 - sum (|s z| - gamma)+^2 / (2 l2), or |s z| <= gamma without l2, on a grid of s: none is better, and
// the best is almost as good.
TEST(LassoProblem, BestEnetDualIsTheBestScale) {
  Rng rng(21);
  for (int trial = 0; trial < 40; ++trial) {
    std::vector<double> z(12);
    for (double& v : z) v = 3 * rng.normal();
    const double a = rng.normal() + 1, b = 0.5 + rng.uniform(), gamma = 0.3 + rng.uniform();
    for (const double l2 : {0.0, 0.1, 10.0}) {
      const double found = best_enet_dual<double>(a, b, z, gamma, l2);
      double best = 0;
      for (int i = 0; i <= 20000; ++i) {
        const double s = i * 5e-4;
        double value = s * a - s * s * b / 2;
        for (const double v : z) {
          const double beyond = std::max(std::abs(s * v) - gamma, 0.0);
          if (beyond > 0) value -= l2 > 0 ? beyond * beyond / (2 * l2) : HUGE_VAL;
        }
        best = std::max(best, value);
      }
      EXPECT_GE(found, best - 1e-12) << trial << ' ' << l2;
      EXPECT_LE(found, best + 2e-3) << trial << ' ' << l2;
    }
  }
}

// The scale is where the value is taken; and an l2 that is nothing, down to the smallest number, gives the lasso's.
TEST(LassoProblem, TheScaleGivesTheValueAndATinyL2IsNone) {
  Rng rng(25);
  for (int trial = 0; trial < 40; ++trial) {
    std::vector<double> z(12);
    for (double& v : z) v = 3 * rng.normal();
    const double a = rng.normal() + 1, b = 0.5 + rng.uniform(), gamma = 0.3 + rng.uniform();
    const ScaledDual lasso = best_scaled_dual<double>(a, b, z, gamma, 0);
    for (const double l2 : {5e-324, 1e-310, 1e-300, 1e-100, 1e-12, 0.1, 10.0}) {
      const ScaledDual found = best_scaled_dual<double>(a, b, z, gamma, l2);
      double value = found.scale * a - found.scale * found.scale * b / 2;
      for (const double v : z)
        if (const double beyond = found.scale * std::abs(v) - gamma; beyond > 1e-12)
          value -= beyond * beyond / (2 * l2);
      EXPECT_NEAR(found.value, value, 1e-9 + 1e-9 * std::abs(value)) << l2;
      EXPECT_GE(found.value, (1 - 1e-9) * lasso.value) << l2;
      if (l2 < 1e-50) {
        EXPECT_NEAR(found.value, lasso.value, 1e-9 * lasso.value) << l2;
      }
    }
  }
}

/// Weighted rows, centred; a scale; a mask.
template <class Real>
LassoView<Real> view_of(const Design<Real>& x) {
  std::vector<double> weights(x.samples());
  for (Index m = 0; m < x.samples(); ++m) weights[m] = m == 2 ? 0 : 1 + static_cast<double>(m % 2);
  std::vector<Real> scale;
  std::vector<std::uint8_t> mask;
  for (Index v = 0; v < x.voxels(); ++v) {
    scale.push_back(static_cast<Real>(0.5 + 0.1 * static_cast<double>(v % 4)));
    mask.push_back(v % 5 != 0);
  }
  return {x, RowMap(weights, true), scale, mask};
}

template <class Real>
void expect_by_hand() {
  const auto x = test::random_design<Real>({150, 2, 1}, 9, 22);  // more than a tile of columns
  const LassoView<Real> view = view_of(x);
  const std::vector<double> y = view.rows.apply(test::random_labels(9, 23));
  const std::vector<std::vector<double>> thetas = {y, test::random_labels(9, 24)};
  const std::vector<double> z = exact_adjoints<Real>(view, thetas);
  for (std::size_t k = 0; k < thetas.size(); ++k)
    for (Index v = 0; v < x.voxels(); ++v) {
      std::vector<double> column(x.column(v), x.column(v) + 9);
      for (double& c : column) c *= view.scale_of(v);
      column = view.rows.apply(column);
      double sum = 0;
      for (Index m = 0; m < 9; ++m) sum += column[m] * thetas[k][m];
      EXPECT_NEAR(z[k * x.voxels() + v], sum, 1e-12);
      if (v % 5 == 0) {
        EXPECT_EQ(sum, 0) << "outside the mask";
      }
    }
  // Any w and any theta: the primal value by its formula, and a dual value that is no larger.
  for (const double l2 : {0.0, 0.5}) {
    const std::vector<double> gammas = {0.8, 0.3};
    std::vector<LassoSolution> points(2);
    for (std::size_t k = 0; k < 2; ++k) {
      points[k].voxels = {1, 7, 201};
      points[k].values = {0.1, -0.2, 0.05 * static_cast<double>(k)};
      points[k].theta = thetas[k];
    }
    const auto found = certify_enet<Real>(view, y, l2, gammas, points);
    for (std::size_t k = 0; k < 2; ++k) {
      std::vector<double> w(9);
      double penalty = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        const double value = points[k].values[i];
        for (Index m = 0; m < 9; ++m)
          w[m] += static_cast<double>(x.column(points[k].voxels[i])[m]) * view.scale_of(points[k].voxels[i]) * value;
        penalty += gammas[k] * std::abs(value) + l2 / 2 * value * value;
      }
      const std::vector<double> xw = view.rows.apply(w);
      double primal = penalty, zero = 0;
      for (Index m = 0; m < 9; ++m) {
        primal += (y[m] - xw[m]) * (y[m] - xw[m]) / 2;
        zero += y[m] * y[m] / 2;
      }
      EXPECT_NEAR(found[k].primal, primal, 1e-12 * primal);
      EXPECT_NEAR(found[k].at_zero, zero, 1e-13 * zero);
      EXPECT_LE(found[k].dual, std::min(primal, zero));
      EXPECT_GE(found[k].gap(), 0);
    }
  }
}

TEST(LassoProblem, ProductsAndCertificatesByHand) {
  expect_by_hand<float>();
  expect_by_hand<double>();
}

}  // namespace
}  // namespace sturm
