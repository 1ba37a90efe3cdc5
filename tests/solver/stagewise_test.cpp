// SPDX-License-Identifier: BSD-3-Clause
// SURF's steps against their definition: every step is replayed on a dense W by an oracle that tries all others.
#include "sturm/solver/stagewise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "solver/small_problem.h"
#include "sturm/core/parallel.h"
#include "sturm/tensor/algebra.h"

namespace sturm {
namespace {

using namespace test;

struct Small {
  Shape shape{4, 3, 3};
  std::vector<Tensor> volumes;
  std::vector<double> y, weights, scale;
};

/// Labels that follow two terms of rank 1 and noise; means, and weights of which some are 0.
Small small_problem(std::uint64_t seed, const Shape& shape = {4, 3, 3}, std::size_t samples = 20) {
  Small out{shape, {}, {}, {}, {}};
  Rng rng(seed, 4);
  const Tensor means = random_normal(shape, seed, 1);
  for (std::size_t m = 0; m < samples; ++m) {
    out.volumes.push_back(cast<double>(cast<float>(random_normal(shape, seed, 10 + m) + means)));
    const Tensor& v = out.volumes.back();
    out.y.push_back(2 + 3 * v(0, 0, 0) + 2 * v(std::min<Index>(1, shape.n1 - 1), 0, 0) - v.flat().back() +
                    0.3 * rng.normal());
    out.weights.push_back(m % 7 == 3 ? 0 : 0.5 + 0.25 * static_cast<double>(m % 3));
  }
  for (Index v = 0; v < shape.size(); ++v) out.scale.push_back(v % 5 == 4 ? 0 : 1 + 0.1 * static_cast<double>(v % 3));
  return out;
}

/// The problem in its units, dense, from its definition.
class Oracle {
 public:
  Oracle(const Small& p, bool centre, const StagewiseOptions& options) : shape_(p.shape), options_(options) {
    double total = 0, mean_y = 0;
    for (const double w : p.weights) total += w;
    for (std::size_t m = 0; m < p.y.size(); ++m) mean_y += centre ? p.weights[m] * p.y[m] / total : 0;
    Tensor mean(p.shape);
    for (std::size_t m = 0; m < p.y.size() && centre; ++m) mean = mean + (p.weights[m] / total) * p.volumes[m];
    Tensor square(p.shape);
    double square_y = 0;
    for (std::size_t m = 0; m < p.y.size(); ++m) {
      const double root = std::sqrt(p.weights[m] / total);
      x_.push_back(root * (p.volumes[m] - mean));
      r_.push_back(root * (p.y[m] - mean_y));
      square_y += r_.back() * r_.back();
      for (std::size_t v = 0; v < p.scale.size(); ++v) {
        x_[m].flat()[v] *= p.scale[v];
        square.flat()[v] += x_[m].flat()[v] * x_[m].flat()[v];
      }
    }
    x_unit = std::sqrt(max_abs(square));
    y_unit = std::sqrt(square_y);
    for (Tensor& x : x_) x = (1 / x_unit) * x;
    for (double& r : r_) r /= y_unit;
  }

  double loss(const Tensor& w) const {
    double out = 0;
    for (std::size_t m = 0; m < r_.size(); ++m) out += std::pow(r_[m] - dot(x_[m], w), 2);
    return out;
  }
  double j(const Tensor& w) const { return loss(w) + options_.alpha * dot(w, w); }
  void deflate(const Tensor& w) {
    for (std::size_t m = 0; m < r_.size(); ++m) r_[m] -= dot(x_[m], w);
  }
  bool counts(Index v) const {
    double sum = 0;
    for (const Tensor& x : x_) sum += std::abs(x.flat()[v]);
    return sum > 0;
  }

  double x_unit = 1, y_unit = 1;

 private:
  Shape shape_;
  StagewiseOptions options_;
  std::vector<Tensor> x_;
  std::vector<double> r_;
};

Tensor dense(const StagewiseTerm& t, const Shape& s) {
  Tensor out(s);
  for (Index k = 0; k < s.n3; ++k)
    for (Index j = 0; j < s.n2; ++j)
      for (Index i = 0; i < s.n1; ++i) out(i, j, k) = t.scale * t.w[0][i] * t.w[1][j] * t.w[2][k];
  return out;
}

StagewiseTerm moved(StagewiseTerm t, int mode, Index index, double change) {
  double sum = 0;
  for (double& v : t.w[mode]) v *= t.scale;
  t.w[mode][index] += change;
  for (const double v : t.w[mode]) sum += std::abs(v);
  for (double& v : t.w[mode]) v /= sum;
  t.scale = sum;
  return t;
}

/// The first step of a term: entry v alone.
StagewiseTerm single(Index v, double change, const Shape& s) {
  StagewiseTerm t{std::abs(change), {std::vector<double>(s.n1), std::vector<double>(s.n2), std::vector<double>(s.n3)}};
  t.w[0][v % s.n1] = change > 0 ? 1 : -1;
  t.w[1][v / s.n1 % s.n2] = 1;
  t.w[2][v / s.slice()] = 1;
  return t;
}

/// The least change of J + lambda |W|_1 over backward steps, and of J over forward steps.
struct Best {
  double backward = HUGE_VAL, forward = HUGE_VAL;
};

Best best_steps(const Oracle& oracle, const StagewiseTerm& t, const Shape& s, double lambda, double eps) {
  Best out;
  const Tensor w = dense(t, s);
  const double j = oracle.j(w), l1 = l1_norm(w);
  for (int n = 0; n < 3; ++n)
    for (Index i = 0; i < static_cast<Index>(t.w[n].size()); ++i) {
      for (const double c : {eps, -eps}) out.forward = std::min(out.forward, oracle.j(dense(moved(t, n, i, c), s)) - j);
      const double value = t.scale * t.w[n][i];
      if (value == 0) continue;
      if (l1 - std::min(eps, std::abs(value)) < 1e-12) {  // back to W = 0
        out.backward = std::min(out.backward, oracle.j(Tensor(s)) - j - lambda * l1);
        continue;
      }
      const Tensor next = dense(moved(t, n, i, -std::copysign(std::min(eps, std::abs(value)), value)), s);
      out.backward = std::min(out.backward, oracle.j(next) - j + lambda * (l1_norm(next) - l1));
    }
  return out;
}

class Stagewise : public testing::TestWithParam<std::tuple<bool, double, double>> {};

// All numbers are sums of a few hundred terms of size 1: 1e-11 is rounding, also after many steps.
TEST_P(Stagewise, EveryStepIsTheBestOfItsKind) {
  constexpr double rounding = 1e-11;
  const bool centre = std::get<0>(GetParam());
  const double epsilon = std::get<1>(GetParam()), strength = std::get<2>(GetParam());
  const StagewiseOptions options{3, epsilon, strength, 0.02, true};
  const double xi = epsilon * epsilon / 2;
  int backward = 0;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Small p = small_problem(seed);
    const StagewiseFit fit =
        fit_stagewise(design_of<double>(p.volumes), RowMap(p.weights, centre), p.y, p.scale, options);
    Oracle oracle(p, centre, options);
    ASSERT_NEAR(fit.x_unit, oracle.x_unit, rounding * oracle.x_unit);
    ASSERT_NEAR(fit.y_unit, oracle.y_unit, rounding * oracle.y_unit);
    ASSERT_FALSE(fit.terms.empty());
    StagewiseTerm term;
    Index number = -1;
    double lambda = 0, first_lambda = 0;
    const auto ends = [&] {  // the path goes on as long as a step is worth it
      const Best best = best_steps(oracle, term, p.shape, lambda, epsilon);
      EXPECT_GE(best.backward, -xi - rounding);
      EXPECT_LE(std::min(lambda, (-best.forward - xi) / epsilon), strength * first_lambda + rounding / epsilon);
    };
    for (const StagewiseStep& step : fit.trace) {
      if (step.term != number) {
        if (number >= 0) {
          ends();
          oracle.deflate(dense(term, p.shape));
        }
        number = step.term;
        ASSERT_EQ(step.mode, 3);
        const double j = oracle.j(Tensor(p.shape));
        double best = HUGE_VAL;
        for (Index v = 0; v < p.shape.size(); ++v)
          for (const double c : {epsilon, -epsilon})
            if (oracle.counts(v)) best = std::min(best, oracle.j(dense(single(v, c, p.shape), p.shape)) - j);
        term = single(step.index, step.change, p.shape);
        EXPECT_NEAR(oracle.j(dense(term, p.shape)) - j, best, rounding);
        EXPECT_NEAR(step.loss_change, best, rounding);
        EXPECT_NEAR(step.lambda, (-best - xi) / epsilon, rounding / epsilon);
        lambda = first_lambda = step.lambda;
        continue;
      }
      const Tensor before = dense(term, p.shape);
      const Best best = best_steps(oracle, term, p.shape, lambda, epsilon);
      term = moved(term, step.mode, step.index, step.change);
      const Tensor after = dense(term, p.shape);
      const double change = oracle.j(after) - oracle.j(before), l1 = l1_norm(after) - l1_norm(before);
      ASSERT_NEAR(step.loss_change, change, rounding);
      ASSERT_NEAR(step.penalty_change, l1, rounding);
      if (step.backward) {
        ++backward;
        EXPECT_EQ(step.lambda, lambda);
        EXPECT_LT(change + lambda * l1, -xi + rounding);
        EXPECT_NEAR(change + lambda * l1, best.backward, rounding);
      } else {
        EXPECT_GE(best.backward, -xi - rounding) << "a backward step comes first where there is one";
        EXPECT_NEAR(change, best.forward, rounding);
        EXPECT_NEAR(step.lambda, std::min(lambda, (-best.forward - xi) / epsilon), rounding / epsilon);
      }
      lambda = step.lambda;
      EXPECT_LE(change + lambda * l1, -xi + rounding) << "every step lowers the objective of its lambda by xi";
    }
    ends();
    // The last term may have been dropped for being worth too little; the others are what was replayed.
    const auto kept = static_cast<Index>(fit.terms.size());
    ASSERT_GE(kept, number);
    if (kept > number) {
      oracle.deflate(dense(term, p.shape));
      EXPECT_LE(max_abs(dense(term, p.shape) - dense(fit.terms.back(), p.shape)), rounding);
    }
    EXPECT_NEAR(fit.loss, oracle.loss(Tensor(p.shape)), rounding);
  }
  if (epsilon <= 0.02 && strength == 0) {
    EXPECT_GT(backward, 0) << "the test would not see a wrong backward step";
  }
}
INSTANTIATE_TEST_SUITE_P(Steps, Stagewise,
                         testing::Combine(testing::Bool(), testing::Values(0.1, 0.02), testing::Values(0.0, 0.3)));

// W on the scale of the data: predictions from it leave the residual that the fit reports.
TEST(StagewiseFit, CoefficientsAreOnTheScaleOfTheData) {
  for (const bool centre : {true, false}) {
    const Small p = small_problem(7, {5, 4, 6}, 30);
    const RowMap rows(p.weights, centre);
    const StagewiseFit fit = fit_stagewise(design_of<double>(p.volumes), rows, p.y, p.scale, {4, 0.05});
    const Tensor w = Region(p.shape).spread<double>(coefficients(fit, p.shape, p.scale));
    std::vector<double> left;
    double total = 0, loss = 0;
    for (std::size_t m = 0; m < p.y.size(); ++m) {
      left.push_back(p.y[m] - dot(p.volumes[m], w));
      total += p.weights[m];
    }
    for (const double v : rows.apply(left)) loss += v * v / total;
    EXPECT_NEAR(loss, fit.loss * fit.y_unit * fit.y_unit, 1e-11 * loss);
    EXPECT_LT(fit.loss, 0.3);
    for (std::size_t v = 0; v < p.scale.size(); ++v)
      if (p.scale[v] == 0) {
        EXPECT_EQ(w.flat()[v], 0);
      }
  }
}

// The same problem on another scale takes the same steps: powers of two round nothing.
TEST(StagewiseFit, DoesNotDependOnUnits) {
  Small p = small_problem(3);
  const RowMap rows(p.weights, true);
  const StagewiseFit a = fit_stagewise(design_of<double>(p.volumes), rows, p.y, p.scale, {2, 0.05});
  for (Tensor& v : p.volumes) v = 64.0 * v;
  for (double& v : p.y) v *= 0.125;
  const StagewiseFit b = fit_stagewise(design_of<double>(p.volumes), rows, p.y, p.scale, {2, 0.05});
  EXPECT_EQ(a.steps, b.steps);
  std::vector<double> expected = coefficients(a, p.shape, p.scale);
  for (double& v : expected) v *= 0.125 / 64;
  EXPECT_EQ(coefficients(b, p.shape, p.scale), expected);
}

// All sums are in double and the volumes are floats: both precisions take the same steps.
TEST(StagewiseFit, BitsDependNeitherOnThreadsNorOnPrecision) {
  const Small p = small_problem(5, {9, 8, 7}, 30);
  const RowMap rows(p.weights, true);
  std::optional<UseThreads> team;
  team.emplace(3);
  const auto a = fit_stagewise(design_of<double>(p.volumes), rows, p.y, p.scale, {2, 0.05});
  team.emplace(1);
  const auto b = fit_stagewise(design_of<float>(p.volumes), rows, p.y, p.scale, {2, 0.05});
  team.reset();
  EXPECT_EQ(coefficients(a, p.shape, p.scale), coefficients(b, p.shape, p.scale));
}

TEST(StagewiseFit, DegenerateProblemsGiveZero) {
  Small p = small_problem(1);
  const RowMap rows(p.weights, true);
  const auto zero = [&](const StagewiseFit& fit) {
    EXPECT_EQ(fit.status, Status::zero_solution);
    EXPECT_TRUE(fit.terms.empty());
    EXPECT_EQ(coefficients(fit, p.shape, p.scale), std::vector<double>(p.scale.size(), 0.0));
  };
  zero(fit_stagewise(design_of<double>(p.volumes), rows, std::vector<double>(p.y.size(), 0.1), p.scale, {}));
  zero(fit_stagewise(design_of<double>({p.volumes[0]}), RowMap({1}, true), std::vector<double>{5}, p.scale, {}));
  std::vector<Tensor> constant(p.y.size(), Tensor(p.shape));
  zero(fit_stagewise(design_of<double>(constant), rows, p.y, p.scale, {}));
  for (Tensor& v : constant) std::ranges::fill(v.flat(), 0.1);
  zero(fit_stagewise(design_of<double>(constant), rows, p.y, p.scale, {}));
  for (const StagewiseOptions& bad :
       {StagewiseOptions{0}, StagewiseOptions{1, 0}, StagewiseOptions{1, std::nan("")}, StagewiseOptions{1, 0.1, -1}})
    EXPECT_THROW(fit_stagewise(design_of<double>(p.volumes), rows, p.y, p.scale, bad), UsageError);
}

TEST(StagewiseFit, ThinShapes) {
  for (const Shape& shape : {Shape{1, 1, 1}, Shape{1, 6, 4}, Shape{6, 1, 4}, Shape{5, 4, 1}}) {
    const Small p = small_problem(2, shape);
    const auto fit = fit_stagewise(design_of<double>(p.volumes), RowMap(p.weights, true), p.y, {}, {2, 0.05});
    EXPECT_LT(fit.loss, 0.9) << to_string(shape);
  }
}

}  // namespace
}  // namespace sturm
