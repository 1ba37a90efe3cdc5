// SPDX-License-Identifier: BSD-3-Clause
// Input at the edges, in both precisions: a defined answer with a proof, or a clear error.
#include <limits>

#include "message.h"
#include "models/study.h"

namespace sturm {
namespace {

using namespace test;

template <class Real>
class Degenerate : public testing::Test {
 protected:
  static constexpr bool single = sizeof(Real) == 4;
  static constexpr double gap = single ? 1e-5 : 1e-9;  // well within reach of each precision

  /// Fits, and checks what holds for every fit, the gap asked for among it.
  static SturmFit sound(const Study& study, SturmOptions options, double asked = gap) {
    options.solver.gap = asked;
    SturmFit out = fit<Real>(study, options);
    expect_sound<Real>(out, study, asked);
    EXPECT_LE(out.report.relative_gap, asked);
    return out;
  }
};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Degenerate, Precisions);

const std::vector<SturmOptions>& many_penalties() {
  static const std::vector<SturmOptions> all = {relative(0.1, 0.5), relative(0.1, 0),    relative(0.1, 1),
                                                absolute(2, 0.7),   absolute(2, 0),      absolute(0, 0.7),
                                                absolute(0, 0),     absolute(1e-3, 1e-3)};
  return all;
}

TYPED_TEST(Degenerate, ConstantLabels) {
  Study study = random_study({4, 3, 2}, 15, 1);
  // 0.1 is no dyadic number: the labels less their mean are rounding, which must not be fitted.
  for (const double value : {2.0, 0.1, 0.0, -1e8 / 3, 1e-8 / 3})
    for (const SturmOptions& options : many_penalties()) {
      std::ranges::fill(study.y, value);
      const SturmFit f = this->sound(study, options);
      EXPECT_EQ(max_abs(f.model.coef), 0) << value;
      EXPECT_EQ(f.report.status, Status::zero_solution);
      EXPECT_NEAR(f.model.intercept, value, 1e-15 * std::abs(value));
      EXPECT_EQ(f.report.sparsity, 1);
    }
}

TYPED_TEST(Degenerate, OneClass) {
  Study study = random_study({4, 3, 2}, 15, 1);
  std::ranges::fill(study.y, -1.0);
  const SturmFit f = this->sound(study, relative(0.1, 0.5));
  EXPECT_EQ(f.report.status, Status::zero_solution);
  for (const double v : decision_values(f.model, design_of<TypeParam>(study.volumes))) EXPECT_EQ(v, -1);
}

TYPED_TEST(Degenerate, OneSample) {
  const Study study = random_study({4, 3, 2}, 1, 1);
  for (SturmOptions options : many_penalties()) {
    const SturmFit f = this->sound(study, options);  // the intercept explains it all
    EXPECT_EQ(f.report.status, Status::zero_solution);
    EXPECT_EQ(f.model.intercept, study.y[0]);
    options.intercept = false;
    if (options.tau == 0 && options.gamma == 0 && this->single) continue;  // NothingPenalised
    EXPECT_GT(max_abs(this->sound(study, options).model.coef), 0);
  }
  // One sample by voxel: no voxel varies. By sample: one direction.
  for (const Normalize normalize : {Normalize::sample, Normalize::voxel}) {
    SturmOptions options = relative(0.1, 0.5);
    options.normalize = normalize;
    EXPECT_EQ(fit<TypeParam>(study, options).report.status, Status::zero_solution);
  }
}

// Mean images: what the volumes have in common is a thousand times what they differ by.
TYPED_TEST(Degenerate, LargeCommonPart) {
  Study study = random_study({6, 5, 4}, 25, 3);
  const Study plain = study;
  for (std::size_t v = 0; v < 120; ++v)
    for (Tensor& volume : study.volumes)  // sums that single precision holds exactly
      volume.flat()[v] = std::round(volume.flat()[v] * 1024) / 1024 + (v % 7 == 0 ? 0 : 1000);
  for (const SturmOptions& options : {relative(0.1, 0.5), relative(0.1, 0), relative(0.1, 1)}) {
    const double asked = this->single ? 1e-4 : 1e-9;
    const SturmFit f = this->sound(study, options, asked), g = this->sound(plain, options, asked);
    EXPECT_NEAR(f.report.objective, g.report.objective, 5e-3 * g.report.objective);  // volumes were rounded
  }
}

TYPED_TEST(Degenerate, DuplicateSamples) {
  Study study = random_study({4, 3, 2}, 10, 1);
  for (std::size_t m = 0; m < 10; ++m) {
    study.volumes.push_back(study.volumes[m]);
    study.y.push_back(study.y[m] + (m % 2 ? 0 : 0.5));  // some with labels that contradict
  }
  for (const SturmOptions& options : many_penalties()) {
    if (options.tau == 0 && options.gamma == 0 && this->single) continue;
    this->sound(study, options);
  }
  for (std::size_t m = 0; m < 20; ++m) study.volumes[m] = study.volumes[0];  // nothing to tell them apart
  for (const SturmOptions& options : many_penalties()) EXPECT_EQ(max_abs(this->sound(study, options).model.coef), 0);
}

TYPED_TEST(Degenerate, ConstantVoxels) {
  Study study = random_study({4, 3, 2}, 15, 1);
  for (Tensor& volume : study.volumes)
    for (const std::size_t v : {0, 5, 23}) volume.flat()[v] = 0.1 * static_cast<double>(v);
  for (const SturmOptions& options : many_penalties()) {
    if (options.tau == 0 && options.gamma == 0 && this->single) continue;
    const SturmFit f = this->sound(study, options);
    // The l1 norm alone gains nothing there (the tubal nuclear norm may: filling a voxel in can lower the rank).
    for (const std::size_t v : {0, 5, 23})
      if (options.tau == 0 && options.gamma > 0) {
        EXPECT_EQ(f.model.coef.flat()[v], 0) << v;
      }
  }
  for (Tensor& volume : study.volumes) std::ranges::fill(volume.flat(), 0.1);
  for (const SturmOptions& options : many_penalties())
    EXPECT_EQ(this->sound(study, options).report.status, Status::zero_solution);
}

// Without an l1 norm, without a low-rank norm: the solution has the rank and the zeros that the other one gives.
TYPED_TEST(Degenerate, OnePenaltyAlone) {
  const Study study = random_study({6, 5, 4}, 20, 2);
  const SturmFit lasso = this->sound(study, absolute(0, 2)), low_rank = this->sound(study, absolute(6, 0));
  EXPECT_GT(lasso.report.sparsity, 0.5);
  EXPECT_GT(lasso.report.tubal_rank, 0) << "of W, since no copy of it is low-rank";
  EXPECT_EQ(low_rank.report.sparsity, 0);
  EXPECT_LT(low_rank.report.tubal_rank, 5);
  EXPECT_GT(low_rank.report.tubal_rank, 0);
}

// Both 0 is least squares: the data are interpolated where there are more voxels than samples; otherwise the residuals
// are orthogonal to every voxel.
TYPED_TEST(Degenerate, NothingPenalised) {
  const Study wide = random_study({6, 5, 4}, 20, 2), tall = small_study();
  const double rounding = this->single ? 1e-5 : 1e-11;
  // What is left of an interpolated y is the rounding of W, and its gap is measured in 1e-12 of |y|^2/2: in single
  // precision that is (some 1e-7)^2 / 1e-12 and no better.
  const SturmFit a = fit<TypeParam>(wide, absolute(0, 0, this->single ? 1e-3 : this->gap));
  const SturmFit b = this->sound(tall, absolute(0, 0));
  EXPECT_EQ(a.report.status, Status::converged)
      << "gap " << a.report.relative_gap << ", objective " << a.report.objective;
  for (std::size_t m = 0; m < wide.samples(); ++m)
    EXPECT_NEAR(predicted(wide.volumes[m], a.model.coef, a.model.intercept), wide.y[m], 20 * rounding);
  EXPECT_GT(a.report.tubal_rank, 0);
  for (std::size_t v = 0; v < 24; ++v) {
    double inner = 0;
    for (std::size_t m = 0; m < tall.samples(); ++m)
      inner += tall.volumes[m].flat()[v] * (tall.y[m] - predicted(tall.volumes[m], b.model.coef, b.model.intercept));
    EXPECT_NEAR(inner, 0, 1e3 * rounding);
  }
}

TYPED_TEST(Degenerate, HugePenalties) {
  const Study study = small_study();
  for (const double huge : {1e6, 1e30, 1e300})
    for (const SturmOptions& options :
         {absolute(huge, huge), absolute(huge, 0), absolute(0, huge), absolute(huge, 1), absolute(1, huge)}) {
      const SturmFit f = this->sound(study, options);
      EXPECT_EQ(f.report.status, Status::zero_solution);
      EXPECT_EQ(f.report.iterations, 0) << "seen without iterating";
    }
}

// (c X, y, c tau, c gamma) has the solution W / c and the same objective; (X, c y, c tau, c gamma) has c W and c^2.
TYPED_TEST(Degenerate, UnitsDoNotMatter) {
  const Study study = small_study();
  const SturmFit one = this->sound(study, absolute(2, 0.7));
  const double bound = apart(this->gap, one.report.objective, convexity(study, true));
  ASSERT_LT(bound, 0.05 * frobenius_norm(one.model.coef));
  // c X is rounded to floats again: |dX| = 6e-8 |X| moves predictions, and so W, by some 1e-6 at most.
  for (const double c : {1e8, 1e-8}) {
    Study volumes = study, labels = study;
    for (Tensor& volume : volumes.volumes) volume = cast<double>(cast<float>(c * volume));
    for (double& y : labels.y) y *= c;
    const SturmFit x = this->sound(volumes, absolute(2 * c, 0.7 * c)),
                   y = this->sound(labels, absolute(2 * c, 0.7 * c));
    EXPECT_EQ(x.report.status, one.report.status);
    EXPECT_EQ(y.report.status, one.report.status);
    EXPECT_LE(frobenius_norm(c * x.model.coef - one.model.coef), bound + 1e-5);
    EXPECT_LE(frobenius_norm((1 / c) * y.model.coef - one.model.coef), bound + 1e-5);
    EXPECT_NEAR(x.report.objective, one.report.objective, (2 * this->gap + 1e-6) * one.report.objective);
    EXPECT_NEAR(y.report.objective / (c * c), one.report.objective, (2 * this->gap + 1e-6) * one.report.objective);
    for (const double balance : {0.0, 0.5, 1.0})  // zero points are known to 1e-3
      for (const Study& scaled : {volumes, labels}) {
        const FitReport a = this->sound(study, relative(0.2, balance)).report;
        const FitReport b = this->sound(scaled, relative(0.2, balance)).report;
        EXPECT_EQ(a.status, b.status);
        EXPECT_NEAR(b.tau / c, a.tau, 2e-3 * a.tau);
        EXPECT_NEAR(b.gamma / c, a.gamma, 2e-3 * a.gamma);
      }
    for (const Normalize normalize : {Normalize::sample, Normalize::voxel}) {
      SturmOptions options = relative(0.2, 0.5, this->gap);
      options.normalize = normalize;
      const FitReport a = fit<TypeParam>(study, options).report, b = fit<TypeParam>(volumes, options).report;
      EXPECT_EQ(b.status, Status::converged);
      EXPECT_NEAR(b.objective, a.objective, 2e-3 * a.objective) << "penalties differ by 1e-3 at most";
    }
  }
}

// The path begins at 1, whatever the balance; 1e-3 is what the zero point is known to. At 0.99 of it the optimum lies
// only some 1e-5 below W = 0, so that a gap of 1e-6 is asked for to see the difference.
TYPED_TEST(Degenerate, StrengthOneIsWhereZeroBegins) {
  Study study = random_study({6, 5, 4}, 20, 2);
  for (const double balance : {0.0, 0.2, 0.5, 0.8, 1.0}) {
    const SturmFit at = this->sound(study, relative(1, balance)),
                   below = this->sound(study, relative(0.99, balance), 1e-6);
    EXPECT_EQ(at.report.status, Status::zero_solution) << balance;
    EXPECT_EQ(below.report.status, Status::converged) << balance;
    EXPECT_GT(max_abs(below.model.coef), 0) << balance;
    EXPECT_EQ(at.report.tau == 0, balance == 0);
    EXPECT_EQ(at.report.gamma == 0, balance == 1);
  }
}

Study half_masked_study() {
  Study study = random_study({6, 5, 4}, 20, 2);
  for (Index i = 0; i < 120; ++i) study.mask.push_back((i * 7) % 10 < 5);
  return study;
}

TYPED_TEST(Degenerate, StrengthOneIsWhereZeroBeginsInAMaskToo) {
  const Study study = half_masked_study();
  for (const double balance : {0.0, 0.2, 0.5, 0.8, 0.98}) {
    const SturmFit at = this->sound(study, relative(1, balance)),
                   below = this->sound(study, relative(0.99, balance), 1e-6);
    EXPECT_EQ(at.report.status, Status::zero_solution) << balance;
    EXPECT_EQ(below.report.status, Status::converged) << balance;
  }
}

// With the tubal nuclear norm alone G2 is free outside the mask, and the zero point lies below spec(X'y): zero_point()
// takes the latter, 4 % too much here.
TYPED_TEST(Degenerate, StrengthOneIsWhereZeroBeginsInAMaskWithoutL1) {
  const Study study = half_masked_study();
  EXPECT_EQ(this->sound(study, relative(1, 1), 1e-5).report.status, Status::zero_solution);
  EXPECT_EQ(this->sound(study, relative(0.99, 1), 1e-6).report.status, Status::converged);
}

// Means a hundred times the deviations, as raw images have them: centring is done by the rows, so that in single
// precision 1e-7 of the mean, 1e-5 of a deviation, is lost.
TYPED_TEST(Degenerate, LargeMeans) {
  const Study study = random_study({6, 5, 4}, 20, 2);
  Study bright = study;
  for (Tensor& volume : bright.volumes) {
    for (double& v : volume.flat()) v += 100;
    volume = cast<double>(cast<float>(volume));
  }
  for (const double balance : {0.0, 0.5, 1.0}) {
    const SturmFit a = this->sound(study, relative(0.1, balance), 1e-3);
    const SturmFit b = this->sound(bright, absolute(a.report.tau, a.report.gamma), 1e-3);
    EXPECT_NEAR(a.report.objective, b.report.objective, 2e-3 * a.report.objective);
  }
}

TYPED_TEST(Degenerate, ThinShapes) {
  for (const Shape& shape : {Shape{1, 1, 1}, Shape{1, 6, 4}, Shape{6, 1, 4}, Shape{5, 4, 1}, Shape{1, 1, 9}})
    for (const SturmOptions& options : many_penalties()) {
      if (options.tau == 0 && options.gamma == 0 && this->single) continue;
      this->sound(random_study(shape, 12, 3), options);
    }
}

TYPED_TEST(Degenerate, BadOptionsAreErrors) {
  const Study study = small_study();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  const auto refused = [&](const SturmOptions& options) { EXPECT_THROW(fit<TypeParam>(study, options), UsageError); };
  for (const double bad : {-1e-3, 0.0, nan}) refused(absolute(1, 1, bad));
  for (const double strength : {0.0, -0.1, nan, infinity}) refused(relative(strength, 0.5));
  for (const double balance : {-0.1, 1.1, nan}) refused(relative(0.1, balance));
  for (const double penalty : {nan, infinity}) {
    refused(absolute(penalty, 1));
    refused(absolute(1, penalty));
    refused(absolute(penalty, -1));
    refused(absolute(-1, penalty));
  }
  for (const double alpha : {-1.0, nan, infinity}) {
    SturmOptions options = absolute(1, 1);
    options.alpha = alpha;
    refused(options);
  }
  for (const double rho : {0.0, -1.0, nan, infinity}) {
    SturmOptions options = absolute(1, 1);
    options.solver.solver = SolverKind::paper;
    options.solver.rho = rho;
    refused(options);
  }
}

// Algorithm 2 may be far from the optimum, but it says so: its dual value lies below it, its objective above.
TYPED_TEST(Degenerate, AnyRhoGivesAnHonestGap) {
  const Study study = random_study({6, 5, 4}, 20, 2);
  const double optimum = fit<double>(study, absolute(3, 1)).report.objective;
  int poor = 0;
  for (const double rho : {1e-6, 1e-3, 1.0, 1e3, 1e6})
    for (const double alpha : {1.0, 0.0}) {
      SturmOptions options = absolute(3, 1, 1e-3);
      options.alpha = alpha;
      options.solver.solver = SolverKind::paper;
      options.solver.rho = rho;
      options.solver.iterations = 100;
      const SturmFit f = fit<TypeParam>(study, options);
      const FitReport& r = f.report;
      ASSERT_TRUE(std::isfinite(r.objective) && std::isfinite(r.dual) && std::isfinite(max_abs(f.model.coef))) << rho;
      EXPECT_NEAR(r.relative_gap, (r.objective - r.dual) / r.objective, 1e-12);
      EXPECT_NEAR(r.objective, objective(study, f), 1e-6 * r.objective);
      EXPECT_EQ(r.iterations, 100);
      EXPECT_EQ(r.status == Status::iteration_limit, r.relative_gap > 1e-3) << rho;
      if (alpha == 1) {  // 1e-6 for floats that are certified in double
        EXPECT_LE(r.dual, optimum * (1 + 1e-6)) << rho;
        EXPECT_GE(r.objective, optimum * (1 - 1e-6)) << rho;
      }
      poor += r.relative_gap > 0.1;
    }
  EXPECT_GT(poor, 0) << "some of these rho do not converge in 100 iterations";
}

}  // namespace
}  // namespace sturm
