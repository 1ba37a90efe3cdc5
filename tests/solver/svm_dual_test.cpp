// SPDX-License-Identifier: BSD-3-Clause
// The dual of the support vector machine by its conditions of optimality, which plain loops check.
// tests/models/svm_test.cpp has the machine as a method.
#include "sturm/solver/svm_dual.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sturm/core/rng.h"

namespace sturm {
namespace {

/// K = Z Z' of `features` random features a sample.
std::vector<double> kernel_of(Index samples, Index features, std::uint64_t seed) {
  Rng rng(81, seed);
  std::vector<double> z(samples * features), k(samples * samples);
  for (double& v : z) v = rng.normal();
  for (Index i = 0; i < samples; ++i)
    for (Index j = 0; j < samples; ++j)
      for (Index f = 0; f < features; ++f) k[i + j * samples] += z[i * features + f] * z[j * features + f];
  return k;
}

/// f of every sample, by loops.
std::vector<double> values_of(const std::vector<double>& k, const SvmSolution& s) {
  const std::size_t n = s.beta.size();
  std::vector<double> f(n, s.intercept);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) f[i] += k[i + j * n] * s.beta[j];
  return f;
}

struct Sample {
  double y, upper;
};

std::vector<Sample> two_classes(Index samples, double c) {
  std::vector<Sample> out;
  for (Index m = 0; m < samples; ++m) out.push_back({m % 3 ? 1.0 : -1.0, c * (m % 7 == 0 ? 0 : 1 + 0.5 * (m % 2))});
  return out;
}
std::vector<double> labels(const std::vector<Sample>& samples) {
  std::vector<double> out;
  for (const Sample& s : samples) out.push_back(s.y);
  return out;
}
std::vector<double> uppers(const std::vector<Sample>& samples) {
  std::vector<double> out;
  for (const Sample& s : samples) out.push_back(s.upper);
  return out;
}

/// A margin of at least 1 where beta is 0, of at most 1 where it is at its bound, of 1 between; sum beta = 0.
void expect_class_conditions(const std::vector<double>& k, const std::vector<Sample>& samples, const SvmSolution& s,
                             double tolerance) {
  const std::vector<double> f = values_of(k, s);
  double sum = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double alpha = samples[i].y * s.beta[i], margin = samples[i].y * f[i];
    sum += s.beta[i];
    EXPECT_GE(alpha, 0);
    EXPECT_LE(alpha, samples[i].upper);
    if (samples[i].upper == 0) continue;
    if (alpha < samples[i].upper) {
      EXPECT_GE(margin, 1 - tolerance) << i;
    }
    if (alpha > 0) {
      EXPECT_LE(margin, 1 + tolerance) << i;
    }
  }
  EXPECT_NEAR(sum, 0, tolerance);
}

// 1e-8: what the header promises, 1e-9 of the unit, and the rounding of these sums.
TEST(SvmDual, ClassesAreOptimal) {
  for (const double c : {0.01, 1.0, 100.0})
    for (const Index features : {3, 60}) {
      const std::vector<double> k = kernel_of(30, features, 1);
      const std::vector<Sample> samples = two_classes(30, c);
      const SvmKernel kernel(k, 30, features < 30);
      const SvmSolution s = solve_svm(kernel, labels(samples), uppers(samples));
      SCOPED_TRACE(c);
      EXPECT_EQ(s.status, Status::converged);
      expect_class_conditions(k, samples, s, 1e-8);
      // 1/2 beta'K beta + sum upper (1 - y f)+, and sum y beta - 1/2 beta'K beta.
      const std::vector<double> f = values_of(k, s), ours = decision_values(kernel, s);
      double square = 0, loss = 0, linear = 0;
      for (std::size_t i = 0; i < 30; ++i) {
        EXPECT_NEAR(ours[i], f[i], 1e-10 * (1 + std::abs(f[i])));
        square += s.beta[i] * (f[i] - s.intercept) / 2;
        loss += samples[i].upper * std::max(0.0, 1 - samples[i].y * f[i]);
        linear += samples[i].y * s.beta[i];
      }
      EXPECT_NEAR(s.objective, square + loss, 1e-7 * s.objective);
      EXPECT_NEAR(s.dual, linear - square, 1e-7 * s.objective);
      EXPECT_LE(std::abs(s.relative_gap), 1e-6);
    }
}

// Errors within the tube cost nothing: |y - f| <= tube where beta is 0, = tube between, >= tube at a bound.
TEST(SvmDual, NumbersAreOptimal) {
  const Index n = 25;
  for (const double offset : {0.0, 1e4})
    for (const double tube : {0.0, 0.3}) {
      const std::vector<double> k = kernel_of(n, 40, 2);
      Rng rng(82);
      std::vector<double> y(n), upper(n, 0.02);
      for (double& v : y) v = offset + rng.normal();
      upper[4] = 0;
      const SvmProblem problem = tube_problem(y, upper, tube);
      const SvmSolution s = solve_svm(SvmKernel(k, n), problem);
      EXPECT_EQ(s.status, Status::converged);
      const std::vector<double> f = values_of(k, s);
      const double tolerance = 1e-7 + 1e-12 * offset;
      int between = 0;
      for (Index i = 0; i < n; ++i) {
        const double miss = y[i] - f[i], side = s.beta[i] > 0 ? 1 : -1;
        EXPECT_LE(std::abs(s.beta[i]), upper[i] * (1 + 1e-15));
        if (upper[i] == 0) continue;
        if (std::abs(s.beta[i]) < upper[i]) {
          EXPECT_LE(side * miss, tube + tolerance) << i;
        }
        if (s.beta[i] != 0) {
          EXPECT_GE(side * miss, tube - tolerance) << i;
        }
        if (s.beta[i] == 0) {
          EXPECT_LE(std::abs(miss), tube + tolerance) << i;
        }
        between += s.beta[i] != 0 && std::abs(s.beta[i]) < upper[i];
      }
      EXPECT_GT(between, 0) << "the test would be empty";
    }
}

// From a kernel that is a little off to the optimum of the true one, whose values alone are given.
TEST(SvmDual, CorrectsWhatTheKernelHasWrong) {
  const Index n = 30;
  const std::vector<double> truth = kernel_of(n, 60, 3);
  std::vector<double> off = truth;
  Rng rng(83);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i <= j; ++i) off[i + j * n] = off[j + i * n] += 1e-4 * rng.normal();
  const std::vector<Sample> samples = two_classes(n, 1);
  const SvmKernel kernel(off, n);
  const SvmProblem problem = class_problem(labels(samples), uppers(samples));
  SvmSolution s = solve_svm(kernel, problem);
  for (int round = 0; round < 4; ++round) {
    SvmSolution bare = s;
    bare.intercept = 7;  // any number may be in them
    s = corrected(kernel, problem, s, values_of(truth, bare));
  }
  s.intercept += 7;  // it goes with the values that were given
  expect_class_conditions(truth, samples, s, 1e-8);
}

TEST(SvmDual, OneClassAloneIsThatClass) {
  const std::vector<double> k = kernel_of(5, 8, 4);
  const SvmSolution s = solve_svm(SvmKernel(k, 5), std::vector<double>(5, -1.0), std::vector<double>(5, 1.0));
  for (const double f : values_of(k, s)) EXPECT_LT(f, 0);
}

}  // namespace
}  // namespace sturm
