// SPDX-License-Identifier: BSD-3-Clause
// What every loss must keep: its dual point is its derivative, its conjugate is its conjugate, and searches along a
// line stay inside the domain. A new loss is added to losses().
#include "sturm/loss/loss.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "logistic_loss/logistic_loss.h"
#include "sturm/core/rng.h"

namespace sturm {
namespace {

struct Case {
  LossPointer loss;
  std::vector<double> y, weights;
  Labels labels() const { return {y, weights}; }
};

constexpr std::size_t samples = 9;

std::vector<Case> losses() {
  std::vector<double> numbers(samples), classes(samples), ones(samples, 1.0), weights(samples);
  Rng rng(5);
  for (std::size_t m = 0; m < samples; ++m) {
    numbers[m] = rng.normal();
    classes[m] = m % 2 ? 1 : -1;
    weights[m] = m == 4 ? 0 : 0.5 + static_cast<double>(m % 3);
  }
  return {{square_loss(), numbers, ones}, {logistic_loss(), classes, ones}, {logistic_loss(), classes, weights}};
}

std::vector<double> random_predictions(std::uint64_t seed) {
  Rng rng(6, seed);
  std::vector<double> p(samples);
  for (double& v : p) v = 2 * rng.normal();
  return p;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

std::vector<double> dual_point(const Case& c, const std::vector<double>& p) {
  std::vector<double> theta(samples);
  c.loss->dual_point(c.labels(), p, theta);
  return theta;
}

// Central differences: their error is the third derivative times h^2, and rounding over h; 1e-7 for h = 1e-5.
TEST(Loss, DualPointIsMinusTheDerivative) {
  for (const Case& c : losses()) {
    const std::vector<double> p = random_predictions(1), theta = dual_point(c, p);
    for (std::size_t m = 0; m < samples; ++m) {
      std::vector<double> up = p, down = p;
      up[m] += 1e-5;
      down[m] -= 1e-5;
      const double slope = (c.loss->value(c.labels(), up) - c.loss->value(c.labels(), down)) / 2e-5;
      EXPECT_NEAR(theta[m], -slope, 1e-7) << c.loss->name() << ' ' << m;
    }
  }
}

// L(p) + f(theta) >= -theta'p, with equality at the dual point of p alone.
TEST(Loss, ConjugateIsTheConjugate) {
  for (const Case& c : losses())
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const std::vector<double> p = random_predictions(seed), theta = dual_point(c, p);
      const double value = c.loss->value(c.labels(), p);
      EXPECT_GE(value, 0);
      EXPECT_NEAR(value + c.loss->conjugate(c.labels(), theta), -dot(theta, p), 1e-12 * (1 + value));
      const std::vector<double> other = dual_point(c, random_predictions(seed + 100));
      EXPECT_GT(value + c.loss->conjugate(c.labels(), other), -dot(other, p)) << c.loss->name();
    }
}

// f' takes the dual point of p back to -p; f'' is its derivative, by differences as above.
TEST(Loss, SlopeAndCurvatureAreThoseOfTheConjugate) {
  for (const Case& c : losses()) {
    const std::vector<double> p = random_predictions(2), theta = dual_point(c, p);
    std::vector<double> slope(samples), up(samples), down(samples), curvature;
    c.loss->conjugate_slope(c.labels(), theta, slope);
    c.loss->curvature(c.labels(), theta, curvature);
    ASSERT_TRUE(curvature.empty() || curvature.size() == samples);
    for (std::size_t m = 0; m < samples; ++m) {
      if (c.weights[m] == 0) {
        EXPECT_EQ(slope[m], 0) << "what has no weight stays where it is";
        continue;
      }
      EXPECT_NEAR(slope[m], -p[m], 1e-12 * (1 + std::abs(p[m]))) << c.loss->name();
      const double h = 1e-5 * std::abs(theta[m]);
      std::vector<double> above = theta, below = theta;
      above[m] += h;
      below[m] -= h;
      c.loss->conjugate_slope(c.labels(), above, up);
      c.loss->conjugate_slope(c.labels(), below, down);
      const double expected = curvature.empty() ? 1 : curvature[m];
      EXPECT_NEAR((up[m] - down[m]) / (2 * h), expected, 1e-6 * expected) << c.loss->name();
    }
  }
}

TEST(Loss, KnowsWhereEveryPredictionIsZero) {
  for (const Case& c : losses()) {
    const std::vector<double> none(samples), theta = c.loss->dual_point_at_zero(c.labels());
    EXPECT_EQ(theta, dual_point(c, none));
    EXPECT_NEAR(c.loss->value_at_zero(c.labels()), c.loss->value(c.labels(), none), 1e-14 * samples);
    for (const double most : {0.0, 0.3, 1.0})
      EXPECT_NEAR(c.loss->best_dual_at_zero(c.labels(), most), c.loss->best_dual(c.labels(), theta, most),
                  1e-14 * samples);
    // Without a constraint W = 0 is the best map for theta = -L'(0), and both values meet.
    EXPECT_NEAR(c.loss->best_dual_at_zero(c.labels(), 1), c.loss->value_at_zero(c.labels()), 1e-14 * samples);
  }
}

// On a fine grid of scales none is better, and the best of them is almost as good: f is flat at its minimum.
TEST(Loss, BestDualIsTheBestScale) {
  for (const Case& c : losses())
    for (const double most : {0.0, 0.2, 0.7, 1.0, 5.0})
      for (const double length : {0.3, 1.0, 3.0}) {
        std::vector<double> theta = dual_point(c, random_predictions(3));
        for (double& t : theta) t *= length;
        const double found = c.loss->best_dual(c.labels(), theta, most);
        double best = -HUGE_VAL;
        for (int i = 0; i <= 2000; ++i) {
          std::vector<double> at = theta;
          for (double& t : at) t *= most * i / 2000;
          best = std::max(best, -c.loss->conjugate(c.labels(), at));
        }
        EXPECT_GE(found, best - 1e-12) << c.loss->name() << ' ' << most << ' ' << length;
        EXPECT_LE(found, best + 1e-3) << c.loss->name() << ' ' << most << ' ' << length;
      }
}

TEST(Loss, StepsStayInsideTheDomain) {
  for (const Case& c : losses()) {
    const std::vector<double> theta = dual_point(c, random_predictions(4));
    const auto moved = [&](const std::vector<double>& direction, double step) {
      std::vector<double> out = theta;
      for (std::size_t m = 0; m < samples; ++m) out[m] += step * direction[m];
      return out;
    };
    // Towards another point of the domain a whole step is always inside.
    std::vector<double> towards = dual_point(c, random_predictions(5));
    for (std::size_t m = 0; m < samples; ++m) towards[m] = 0.5 * (towards[m] - theta[m]);
    EXPECT_EQ(c.loss->longest_step(c.labels(), theta, towards), 1) << c.loss->name();
    for (const double length : {0.1, 10.0, 1e6}) {
      std::vector<double> away(samples);
      for (std::size_t m = 0; m < samples; ++m) away[m] = length * (m % 2 ? 1 : -1) * (c.weights[m] > 0);
      const double step = c.loss->longest_step(c.labels(), theta, away);
      EXPECT_GT(step, 0);
      EXPECT_LE(step, 1);
      std::vector<double> slope(samples);
      c.loss->conjugate_slope(c.labels(), moved(away, step), slope);
      for (const double s : slope) EXPECT_TRUE(std::isfinite(s)) << c.loss->name() << ' ' << length;
    }
  }
}

}  // namespace
}  // namespace sturm
