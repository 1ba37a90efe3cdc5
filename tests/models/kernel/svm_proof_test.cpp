// SPDX-License-Identifier: BSD-3-Clause
// What is proven of a linear support vector machine, held against the volumes and plain loops.
#include "sturm/models/kernel/svm_proof.h"

#include <gtest/gtest.h>

#include <cmath>

#include "models/classes.h"
#include "models/gram.h"
#include "sturm/models/kernel/svm.h"

namespace sturm {
namespace {

using test::fit_one;
using test::largest_difference;
using test::two_classes;
using test::TwoClasses;

double loss(std::span<const double> y, std::span<const double> upper, std::span<const double> values, double scale,
            double b) {
  double out = 0;
  for (std::size_t i = 0; i < y.size(); ++i) out += upper[i] * std::max(0.0, 1 - y[i] * (scale * values[i] + b));
  return out;
}

// The best intercept puts a sample on its margin, so that all of them can be tried; scales are tried on a fine grid.
TEST(SvmProof, FindsTheBestMultipleAndIntercept) {
  Rng rng(1);
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t n = 3 + trial % 20;
    std::vector<double> y, upper, values, beta;
    for (std::size_t i = 0; i < n; ++i) {
      y.push_back(i % 2 == 0 ? 1 : -1);
      upper.push_back(i > 2 && i % 5 == 0 ? 0 : std::abs(rng.normal()) * std::pow(10, trial % 4 - 1));
      values.push_back(3 + y.back() * (0.5 + trial % 3) + rng.normal());
      beta.push_back(0);
    }
    const double square = 1 + trial % 7;
    const auto best_at = [&](double scale) {
      double least = 1e300;
      for (std::size_t i = 0; i < n; ++i)
        least = std::min(least, loss(y, upper, values, scale, y[i] - scale * values[i]));
      return scale * scale * square / 2 + least;
    };
    double least = 1e300;
    for (int k = 0; k <= 20000; ++k) least = std::min(least, best_at(k * 5e-4));
    const SvmProof found = prove_svm(class_problem(y, upper), beta, values, square, 1e-12);
    EXPECT_LE(found.objective, least + 1e-9 * least) << trial;
    EXPECT_NEAR(found.objective,
                found.scale * found.scale * square / 2 + loss(y, upper, values, found.scale, found.intercept),
                1e-12 * found.objective)
        << trial;
    EXPECT_DOUBLE_EQ(found.dual, -square / 2);
    EXPECT_NEAR(found.relative_gap, (found.objective - found.dual) / found.objective, 1e-12);
    const SvmProof plain = prove_svm(class_problem(y, upper), beta, values, square, 1e300);
    EXPECT_EQ(plain.scale, 1);
    EXPECT_NEAR(plain.objective, best_at(1), 1e-12 * plain.objective) << trial;
  }
}

// Where every intercept between two samples is as good, the middle: as SVC has it.
TEST(SvmProof, TakesTheMiddleOfEqualIntercepts) {
  const std::vector<double> y{1, -1}, upper{2, 2}, values{5, -5}, beta{0, 0};
  EXPECT_NEAR(prove_svm(class_problem(y, upper), beta, values, 1, 1e300).intercept, 0, 1e-15);
}

// A kernel that is off by 1e-4, corrected by what the true one says: each round has to take away what it leaves.
TEST(SvmProof, ACorrectedKernelGivesTheSolutionOfTheTrueOne) {
  const Index n = 40;
  const TwoClasses data = two_classes({8, 8, 8}, n, 0.3, 3);
  const std::vector<double> truth =
      test::gram_of_task<double>({linalg::cpu_backend(), data.design, {}}, {data.y, {}, {}});
  std::vector<double> off = truth;
  Rng rng(4);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j <= i; ++j) off[i + j * n] = off[j + i * n] = truth[i + j * n] + 1e-4 * 512 * rng.normal();
  const SvmKernel rough(off, n), exact(truth, n);
  for (const double c : {1e-4, 1e-3, 1.0}) {
    const std::vector<double> upper(n, c);
    const SvmSolution wanted = solve_svm(exact, data.y, upper);
    SvmSolution found = solve_svm(rough, data.y, upper);
    const double before = largest_difference(decision_values(exact, found), decision_values(exact, wanted));
    EXPECT_GT(before, 1e-6) << c;
    for (int round = 0; round < 4; ++round) {
      std::vector<double> values = decision_values(exact, found);
      for (double& v : values) v += 17 - found.intercept;  // one number is free
      found = corrected(rough, class_problem(data.y, upper), found, values);
    }
    EXPECT_LT(largest_difference(found.beta, wanted.beta), 1e-7 * 2 * c) << c;
  }
}

template <class Real>
class ProvenFits : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(ProvenFits, Reals);

// Enough voxels that a single fit in float takes its kernel from a few bits, where the processor has them. Objective
// and gap of the report are those of the map: no kernel is in this computation.
TYPED_TEST(ProvenFits, AreAsGoodOnTheVolumesAsTheReportSays) {
  const Index n = 50;
  const TwoClasses data = two_classes({14, 15, 11}, n, 0.1, 5);
  const Design<TypeParam> x = test::converted<TypeParam>(data.design);
  for (const double c : {1e-6, 1e-5, 1e-4, 1e-2, 1.0, 1e3}) {
    const auto model = fit_one(*make_svm<TypeParam>(), {linalg::cpu_backend(), x, {}}, {data.y, {}, {c}});
    const FitReport& report = model->report;
    EXPECT_EQ(report.status, Status::converged) << c;
    EXPECT_LE(report.relative_gap, 1e-6) << c;
    EXPECT_GE(report.relative_gap, -1e-12) << c;
    const std::vector<double> values = decision_values(model->model().map(), x);
    double primal = loss(data.y, std::vector<double>(n, c), values, 1, 0);
    for (const double w : model->model().map().coef.flat()) primal += w * w / 2;
    // A margin missed by the 1e-13 of these sums costs c n times that.
    EXPECT_NEAR(primal, report.objective, 1e-9 * primal + 1e-11 * c * n) << c;
    EXPECT_LE(report.dual, primal + 1e-11 * c * n);
    EXPECT_LE(largest_difference(model->decision_values(), values), 1e-10);
    // In a batch the kernel is another one. |f - f*|^2 / 2 <= gap F for each bounds what they may differ by.
    const auto batch = test::fit_all<TypeParam>(*make_svm<TypeParam>(), {linalg::cpu_backend(), x, {}},
                                                {{data.y, {}, {c}}, {data.y, {}, {2 * c}}});
    double apart = 0;
    for (Index v = 0; v < x.voxels(); ++v)
      apart += std::pow(batch[0]->model().map().coef.flat()[v] - model->model().map().coef.flat()[v], 2);
    EXPECT_LE(std::sqrt(apart), 2 * std::sqrt(2 * 1e-6 * primal)) << c;
  }
}

}  // namespace
}  // namespace sturm
