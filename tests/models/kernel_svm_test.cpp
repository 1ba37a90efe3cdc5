// SPDX-License-Identifier: BSD-3-Clause
// The support vector machine: its optimality conditions, recomputed from the kernel matrix.
#include "sturm/models/kernel_svm.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sturm/core/error.h"
#include "sturm/core/rng.h"

namespace sturm {
namespace {

struct Machine {
  std::vector<double> kernel, y;
};

/// RBF kernel of points in the plane whose classes overlap.
Machine overlapping(std::size_t m, std::uint64_t seed) {
  Rng rng(seed);
  Machine out{std::vector<double>(m * m), {}};
  std::vector<double> a, b;
  for (std::size_t i = 0; i < m; ++i) {
    out.y.push_back(rng.uniform() < 0.5 ? -1 : 1);
    a.push_back(rng.normal() + 0.7 * out.y.back());
    b.push_back(rng.normal());
  }
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j)
      out.kernel[i * m + j] = std::exp(-(std::pow(a[i] - a[j], 2) + std::pow(b[i] - b[j], 2)) / 2);
  return out;
}

// alpha = y coef solves the dual exactly when it lies in its box, balances, and margins are >= 1 at 0, <= 1 at the
// bound and 1 between. LIBSVM stops at a violation of 1e-6.
TEST(KernelSvm, SatisfiesItsOptimalityConditions) {
  for (std::uint64_t seed = 0; seed < 6; ++seed)
    for (const double c : {0.1, 1.0, 10.0}) {
      const Machine p = overlapping(40, seed);
      std::vector<double> weights;  // some left out; one class counts double
      for (std::size_t m = 0; m < 40; ++m) weights.push_back(m % 5 == 2 ? 0 : p.y[m] > 0 ? 2 : 1);
      const KernelSvm svm = solve_svm(p.kernel, p.y, weights, c);
      double balance = 0;
      int free = 0, bound = 0;
      for (std::size_t m = 0; m < 40; ++m) {
        balance += svm.coef[m];
        if (weights[m] == 0) {
          EXPECT_EQ(svm.coef[m], 0);
          continue;
        }
        const double alpha = svm.coef[m] * p.y[m], most = c * weights[m];
        const double margin = p.y[m] * svm({&p.kernel[m * 40], 40});
        EXPECT_GE(alpha, 0);
        EXPECT_LE(alpha, most * (1 + 1e-12));
        if (alpha < most * (1 - 1e-12)) {
          EXPECT_GE(margin, 1 - 2e-6);
        }
        if (alpha > 0) {
          EXPECT_LE(margin, 1 + 2e-6);
        }
        free += alpha > 0 && alpha < most * (1 - 1e-12);
        bound += alpha >= most * (1 - 1e-12);
      }
      EXPECT_NEAR(balance, 0, 1e-9 * c);
      EXPECT_GT(free + bound, 0);
    }
}

TEST(KernelSvm, LeavingOutIsNotBeingThere) {
  const Machine p = overlapping(30, 9);
  std::vector<double> weights(30, 1.0), kernel, y;
  for (std::size_t m = 0; m < 10; ++m) weights[m] = 0;
  for (std::size_t i = 10; i < 30; ++i) {
    y.push_back(p.y[i]);
    for (std::size_t j = 10; j < 30; ++j) kernel.push_back(p.kernel[i * 30 + j]);
  }
  const KernelSvm part = solve_svm(kernel, y, std::vector<double>(20, 1.0), 1);
  const KernelSvm whole = solve_svm(p.kernel, p.y, weights, 1);
  EXPECT_EQ(part.bias, whole.bias);
  for (std::size_t m = 0; m < 20; ++m) EXPECT_EQ(part.coef[m], whole.coef[m + 10]);
}

// Which class comes first is LIBSVM's positive one; ours is +1.
TEST(KernelSvm, SignIsThatOfTheLabel) {
  Machine p = overlapping(30, 4);
  const std::vector<double> ones(30, 1.0);
  const KernelSvm a = solve_svm(p.kernel, p.y, ones, 1);
  for (double& v : p.y) v = -v;
  const KernelSvm b = solve_svm(p.kernel, p.y, ones, 1);
  EXPECT_NEAR(a.bias, -b.bias, 2e-6);
  for (std::size_t m = 0; m < 30; ++m)
    EXPECT_NEAR(a({&p.kernel[m * 30], 30}), -b({&p.kernel[m * 30], 30}), 1e-5) << "each to 1e-6, summed by the kernel";
}

TEST(KernelSvm, DegenerateInput) {
  const Machine p = overlapping(10, 2);
  const std::vector<double> ones(10, 1.0), up(10, 1.0), down(10, -1.0);
  for (std::size_t m = 0; m < 10; ++m) {
    EXPECT_EQ(solve_svm(p.kernel, up, ones, 1)({&p.kernel[m * 10], 10}), 1);
    EXPECT_EQ(solve_svm(p.kernel, down, ones, 1)({&p.kernel[m * 10], 10}), -1);
  }
  EXPECT_EQ(solve_svm(std::vector<double>{0}, std::vector<double>{-1}, std::vector<double>{3}, 1).bias, -1);
  // Samples that cannot be told apart: the majority, or nobody, but a finite answer.
  const std::vector<double> same(100, 1.0);
  EXPECT_TRUE(std::isfinite(solve_svm(same, p.y, ones, 1).bias));
  std::vector<double> mixed = ones, odd = p.y, zero(10, 0.0);
  mixed[3] = 2;
  odd[0] = 0.5;
  EXPECT_THROW(solve_svm(p.kernel, p.y, mixed, 1), UsageError);
  EXPECT_THROW(solve_svm(p.kernel, odd, ones, 1), Error);
  EXPECT_THROW(solve_svm(p.kernel, p.y, zero, 1), Error);
  for (const double c : {0.0, -1.0, std::nan(""), HUGE_VAL})
    EXPECT_THROW(solve_svm(p.kernel, p.y, ones, c), UsageError);
}

}  // namespace
}  // namespace sturm
