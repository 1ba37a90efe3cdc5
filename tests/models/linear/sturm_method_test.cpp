// SPDX-License-Identifier: BSD-3-Clause
// The objective in full: alpha, intercept, sample weights, mask; and predictions from the model.
#include <limits>

#include "message.h"
#include "models/study.h"

namespace sturm {
namespace {

using namespace test;

constexpr double gap = 1e-9;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Study weighted_and_masked() {
  Study out = small_study();
  for (std::size_t m = 0; m < out.samples(); ++m) out.weights.push_back(0.5 + 0.25 * static_cast<double>(m % 4));
  out.mask = every_third_out(out);
  return out;
}

// Everything at once, on the raw data: what the report calls the objective is the objective, and it is within the gap
// of the least one, since no other point that we can name is lower by more.
TEST(SturmObjective, IsTheOneOfTheManual) {
  const Study study = weighted_and_masked();
  for (const bool intercept : {true, false})
    for (const double alpha : {1.0, 0.3, 0.0}) {
      SturmOptions options = absolute(2, 0.7);
      options.alpha = alpha;
      options.intercept = intercept;
      const SturmFit f = fit(study, options);
      EXPECT_EQ(f.report.status, Status::converged);
      EXPECT_LE(f.report.relative_gap, gap);
      EXPECT_EQ(f.report.tau, 2);
      EXPECT_EQ(f.report.gamma, 0.7);
      EXPECT_NEAR(f.report.objective, objective(study, f), 1e-11 * f.report.objective);
      EXPECT_NEAR((f.report.objective - f.report.dual) / f.report.objective, f.report.relative_gap, 1e-15);
      Rng rng(5);
      for (int trial = 0; trial < 50; ++trial) {
        Tensor w = f.model.coef;
        const double size = std::pow(10, -4 * rng.uniform());
        for (std::size_t v = 0; v < w.flat().size(); ++v)
          if (study.inside(v)) w.flat()[v] += size * rng.normal();
        const double b = intercept ? f.model.intercept + size * rng.normal() : 0;
        EXPECT_GE(objective(study, w, b, f.report.alpha, 2, 0.7), f.report.objective * (1 - 2 * gap));
      }
    }
}

TEST(SturmObjective, AlphaScalesWithThePenalties) {
  const Study study = weighted_and_masked();
  const SturmFit one = fit(study, absolute(2, 0.7));
  for (const double alpha : {4.0, 0.01, 37.0}) {
    SturmOptions options = absolute(2 * alpha, 0.7 * alpha);
    options.alpha = alpha;
    const SturmFit scaled = fit(study, options);
    const double c = convexity(study, true);
    EXPECT_LE(frobenius_norm(one.model.coef - scaled.model.coef), apart(gap, one.report.objective, c));
    EXPECT_NEAR(scaled.report.objective, alpha * one.report.objective, 2 * gap * alpha * one.report.objective);
    EXPECT_EQ(scaled.report.alpha, alpha);
  }
  // A power of two changes no mantissa: the very same bits.
  SturmOptions options = absolute(8, 2.8);
  options.alpha = 4;
  EXPECT_EQ(fit(study, options).model.coef, one.model.coef);
}

TEST(SturmObjective, RelativePenaltiesDoNotSeeAlpha) {
  const Study study = weighted_and_masked();
  const SturmFit one = fit(study, relative(0.2, 0.5));
  SturmOptions options = relative(0.2, 0.5);
  options.alpha = 4;
  const SturmFit four = fit(study, options);
  EXPECT_EQ(one.model.coef, four.model.coef);
  EXPECT_DOUBLE_EQ(four.report.tau, 4 * one.report.tau);
  EXPECT_DOUBLE_EQ(four.report.gamma, 4 * one.report.gamma);
}

TEST(SturmObjective, AutomaticAlphaIsThePapers) {
  for (const Shape& shape : {Shape{4, 3, 2}, Shape{2, 5, 3}, Shape{3, 3, 1}}) {
    SturmOptions options = absolute(5, 1, 1e-6);
    options.alpha = 0;
    const auto larger = static_cast<double>(std::max(shape.n1, shape.n2) * shape.n3);
    EXPECT_DOUBLE_EQ(fit(random_study(shape, 12, 3), options).report.alpha, std::sqrt(larger));
  }
}

// b minimises the objective for the W at hand, whatever the gap: its derivative, the weighted sum of residuals, is 0 up
// to the rounding of some hundred sums.
TEST(SturmIntercept, WeightedResidualsSumToZero) {
  const Study study = weighted_and_masked();
  for (const double loose : {1e-1, 1e-9}) {
    const SturmFit f = fit(study, absolute(2, 0.7, loose));
    double sum = 0, size = 0;
    for (std::size_t m = 0; m < study.samples(); ++m) {
      sum += study.weights[m] * (study.y[m] - predicted(study.volumes[m], f.model.coef, f.model.intercept));
      size += study.weights[m] * std::abs(study.y[m]);
    }
    EXPECT_NEAR(sum, 0, 1e-13 * size);
    EXPECT_NE(f.model.intercept, 0);
  }
}

TEST(SturmIntercept, TakesUpAShiftOfTheLabels) {
  const Study study = weighted_and_masked();
  Study shifted = study;
  for (double& y : shifted.y) y += 100;
  const SturmFit here = fit(study, absolute(2, 0.7)), there = fit(shifted, absolute(2, 0.7));
  expect_same(here, there, study);
  // The intercept is a mean of y - <X, W>: it follows W, by at most the largest |X| times the change.
  double largest = 0;
  for (const Tensor& volume : study.volumes) largest = std::max(largest, frobenius_norm(volume));
  const double bound = largest * apart(gap, here.report.objective, convexity(study, true));
  EXPECT_NEAR(there.model.intercept - here.model.intercept, 100, bound);
}

TEST(SturmIntercept, IsZeroWhereNoneIsAsked) {
  SturmOptions options = absolute(2, 0.7);
  options.intercept = false;
  const SturmFit f = fit(weighted_and_masked(), options);
  EXPECT_EQ(f.model.intercept, 0);
  EXPECT_EQ(f.report.intercept, 0);
}

TEST(SturmWeights, TwoIsTheSampleTwice) {
  Study weighted = small_study(), twice = weighted;
  weighted.weights.assign(weighted.samples(), 1);
  for (const std::size_t m : {0, 7, 8}) {
    weighted.weights[m] = 2;
    twice.volumes.push_back(twice.volumes[m]);
    twice.y.push_back(twice.y[m]);
  }
  const SturmFit a = fit(weighted, absolute(2, 0.7)), b = fit(twice, absolute(2, 0.7));
  expect_same(a, b, weighted);
  const SturmFit c = fit(weighted, relative(0.2, 0.5)), d = fit(twice, relative(0.2, 0.5));
  EXPECT_NEAR(c.report.tau, d.report.tau, 2e-3 * d.report.tau) << "zero points are known to 1e-3";
}

TEST(SturmWeights, ZeroIsTheSampleLeftOut) {
  Study weighted = small_study(), without = weighted;
  weighted.weights.assign(weighted.samples(), 1);
  for (const std::size_t m : {9, 4, 0}) {  // from the back
    weighted.weights[m] = 0;
    weighted.y[m] = 1e3;
    without.volumes.erase(without.volumes.begin() + static_cast<std::ptrdiff_t>(m));
    without.y.erase(without.y.begin() + static_cast<std::ptrdiff_t>(m));
  }
  const SturmFit a = fit(weighted, absolute(2, 0.7)), b = fit(without, absolute(2, 0.7));
  expect_same(a, b, without);
  EXPECT_NEAR(a.report.objective, objective(weighted, a), 1e-11 * a.report.objective);
}

TEST(SturmWeights, BadOnesAreErrors) {
  Study study = small_study();
  study.weights.assign(study.samples(), 1);
  study.weights[2] = -1;
  EXPECT_SAYS(fit(study, absolute(1, 1)), "sample 3", "-1");
  study.weights[2] = nan;
  EXPECT_SAYS(fit(study, absolute(1, 1)), "sample 3");
  study.weights.assign(study.samples(), 0);
  EXPECT_SAYS(fit(study, absolute(1, 1)), "every sample has a weight of 0");
  study.weights.assign(3, 1);
  EXPECT_SAYS(fit(study, absolute(1, 1)), "40 volumes", "3 weights");
}

// The mask is a constraint, not a hint: exact zeros outside, where the tubal nuclear norm alone would fill voxels in.
TEST(SturmMask, IsExact) {
  Study study = small_study();
  study.mask = every_third_out(study);
  Study cut = study;  // the same with the volumes zeroed by hand and no mask: voxels outside may fill
  cut.mask.clear();
  for (Tensor& volume : cut.volumes)
    for (std::size_t v = 0; v < volume.flat().size(); v += 3) volume.flat()[v] = 0;
  for (const double gamma : {0.0, 0.7}) {
    const SturmFit f = fit(study, absolute(4, gamma));
    double zeros = 0, zeros_inside = 0;
    for (std::size_t v = 0; v < f.model.coef.flat().size(); ++v) {
      const bool zero = f.model.coef.flat()[v] == 0;
      if (!study.mask[v]) {
        EXPECT_TRUE(zero);
      }
      zeros += zero;
      zeros_inside += zero && study.mask[v];
    }
    EXPECT_DOUBLE_EQ(f.report.sparsity, zeros / 24);
    EXPECT_DOUBLE_EQ(f.report.sparsity_in_mask, zeros_inside / 16);
    EXPECT_EQ(f.model.mask, study.mask);
    EXPECT_GE(f.report.objective, fit(cut, absolute(4, gamma)).report.objective * (1 - 2 * gap)) << "fewer choices";
  }
}

TEST(SturmMask, WhatLiesOutsideIsNeverLookedAt) {
  Study zeros = weighted_and_masked(), dirty = zeros;
  for (std::size_t m = 0; m < zeros.samples(); ++m)
    for (std::size_t v = 0; v < 24; v += 3) {
      zeros.volumes[m].flat()[v] = 0;
      dirty.volumes[m].flat()[v] = v == 3 ? infinity : m % 2 ? nan : 1e30;
    }
  for (const Normalize normalize : {Normalize::none, Normalize::sample, Normalize::voxel}) {
    SturmOptions options = relative(0.2, 0.5);
    options.normalize = normalize;
    const SturmFit a = fit(zeros, options), b = fit(dirty, options);
    EXPECT_EQ(a.model.coef, b.model.coef) << to_word(normalize);
    EXPECT_EQ(a.model.intercept, b.model.intercept);
    EXPECT_EQ(decision_values(a.model, design_of<double>(zeros.volumes)),
              decision_values(b.model, design_of<double>(dirty.volumes)));
    EXPECT_EQ(fit<float>(zeros, options).model.coef, fit<float>(dirty, options).model.coef);
  }
}

TEST(SturmMask, NotFiniteInsideIsAnErrorThatNamesTheSample) {
  Study study = weighted_and_masked();
  study.volumes[4].flat()[1] = nan;
  study.volumes[4].flat()[2] = -infinity;
  study.volumes[4].flat()[3] = nan;  // outside
  EXPECT_SAYS(fit(study, absolute(1, 1)), "sample 5", "2 voxels", "`mask`");
  EXPECT_SAYS(fit<float>(study, absolute(1, 1)), "sample 5", "2 voxels", "`mask`");
  study.mask.clear();
  EXPECT_SAYS(fit(study, absolute(1, 1)), "sample 5", "3 voxels");
}

TEST(SturmMask, BadOnesAreErrors) {
  Study study = small_study();
  study.mask.assign(24, 0);
  EXPECT_SAYS(fit(study, absolute(1, 1)), "mask is empty");
  study.mask.assign(23, 1);
  EXPECT_SAYS(fit(study, absolute(1, 1)), "23", "24");
}

TEST(SturmLabels, BadOnesAreErrors) {
  Study study = small_study();
  study.y[6] = nan;
  EXPECT_SAYS(fit(study, absolute(1, 1)), "sample 7");
  study.y.resize(39);
  EXPECT_SAYS(fit(study, absolute(1, 1)), "40 volumes", "39 labels");
}

// Predictions are one product; its rounding is that of 24 terms.
TEST(SturmPrediction, IsInterceptPlusProduct) {
  const Study study = weighted_and_masked(), fresh = small_study(9);
  const SturmFit f = fit(study, absolute(2, 0.7));
  const std::vector<double> values = decision_values(f.model, design_of<double>(fresh.volumes));
  for (std::size_t m = 0; m < values.size(); ++m)
    EXPECT_NEAR(values[m], predicted(fresh.volumes[m], f.model.coef, f.model.intercept), 1e-12);
  const auto other = random_design<double>({3, 4, 2}, 2, 1);
  EXPECT_SAYS(decision_values(f.model, other), "4x3x2", "3x4x2");
}

// Each fit lies within 1e-3 of the one optimum (X holds the same floats), hence the two within 1e-3 of each other;
// the bound is a looser 2e-3.
TEST(SturmPrecision, FloatAndDoubleAgree) {
  const Study study = random_study({7, 8, 5}, 25, 2);
  for (const double strength : {0.5, 0.1, 0.01})
    for (const double balance : {0.0, 0.3, 0.8, 1.0}) {
      const SturmFit wide = fit<double>(study, relative(strength, balance, 1e-3));
      const SturmFit narrow = fit<float>(study, absolute(wide.report.tau, wide.report.gamma, 1e-3));
      EXPECT_NEAR(narrow.report.objective, wide.report.objective, 2e-3 * wide.report.objective);
      EXPECT_LE(narrow.report.relative_gap, 1e-3);
      EXPECT_LE(wide.report.relative_gap, 1e-3);
      // Whatever the precision, the bounds of one must hold for the other.
      EXPECT_LE(narrow.report.dual, wide.report.objective * (1 + 1e-6));
      EXPECT_LE(wide.report.dual, narrow.report.objective * (1 + 1e-6));
    }
}

}  // namespace
}  // namespace sturm
