// SPDX-License-Identifier: BSD-3-Clause
// The lasso and the elastic net on a working set: the conditions of their optimum, by plain loops.
#include "sturm/solver/active_set.h"

#include <cmath>

#include "solver/small_problem.h"

namespace sturm {
namespace {

class OfWorkingSet : public testing::TestWithParam<double> {};  // l2

/// At the optimum x_j'r = l2 w_j + gamma sign(w_j) on the support, and |x_j'r| <= gamma elsewhere, to the tolerance
/// that was asked for and the rounding of sums of 20 products.
void expect_optimal(const WorkingSet& working, const ActivePoint& p, const std::vector<double>& y, double gamma,
                    double l2) {
  std::vector<double> w(working.size()), r = y;
  for (std::size_t i = 0; i < p.support.size(); ++i) {
    w[p.support[i]] = p.w[i];
    EXPECT_GE(p.w[i] * p.sign[i], 0);
  }
  for (Index j = 0; j < working.size(); ++j)
    for (Index m = 0; m < working.samples(); ++m) r[m] -= working.column(j)[m] * w[j];
  double objective = 0;
  for (Index m = 0; m < working.samples(); ++m) {
    EXPECT_NEAR(p.residual[m], r[m], 1e-12);
    objective += r[m] * r[m] / 2;
  }
  for (Index j = 0; j < working.size(); ++j) {
    double z = -l2 * w[j];
    for (Index m = 0; m < working.samples(); ++m) z += working.column(j)[m] * r[m];
    objective += gamma * std::abs(w[j]) + l2 / 2 * w[j] * w[j];
    if (w[j] != 0) {
      EXPECT_NEAR(z, std::copysign(gamma, w[j]), 1e-9 * gamma) << j;
    } else {
      EXPECT_LE(std::abs(z), gamma * (1 + 1e-9)) << j;
    }
  }
  EXPECT_NEAR(p.objective(gamma, l2), objective, 1e-12 * objective);
}

// Down a path and up again, over a working set that grows on the way: each point begins at the one before.
TEST_P(OfWorkingSet, EveryPointOfAPathIsOptimal) {
  const double l2 = GetParam();
  const auto x = test::random_design<double>({60, 1, 1}, 20, 11);
  const LassoView<double> view(x, RowMap(std::vector<double>(20, 1.0), true), {}, {});
  const std::vector<double> y = view.rows.apply(test::random_labels(20, 12));
  WorkingSet working(20);
  for (Index v = 0; v < 15; ++v) working.add(view, v);
  ActivePoint point;
  point.residual = y;
  const ActiveSet solver(working, y, l2, 1e-12);
  std::size_t widest = 0;
  for (const double gamma : {5.0, 2.0, 0.5, 0.05, 0.5, 3.0}) {
    if (gamma == 0.5)
      for (Index v = working.size(); v < std::min<Index>(60, working.size() + 20); ++v) working.add(view, v);
    ASSERT_TRUE(solver.solve(point, gamma, 60));
    expect_optimal(working, point, y, gamma, l2);
    widest = std::max(widest, point.support.size());
  }
  EXPECT_GT(widest, 10U);
}

// Two voxels that are copies: the factor cannot have both where l2 = 0, and the optimum does not need them.
TEST_P(OfWorkingSet, CopiesOfAVoxelDoNoHarm) {
  const double l2 = GetParam();
  AlignedVector<double> numbers(10 * 6);
  Rng rng(13);
  for (Index v = 0; v < 6; ++v)
    for (Index m = 0; m < 10; ++m) numbers[m + 10 * v] = v % 2 ? numbers[m + 10 * (v - 1)] : rng.normal();
  const auto x = Design<double>::owning(Shape{6, 1, 1}, 10, std::move(numbers));
  const LassoView<double> view(x, RowMap(std::vector<double>(10, 1.0), false), {}, {});
  const std::vector<double> y = test::random_labels(10, 14);
  WorkingSet working(10);
  for (Index v = 0; v < 6; ++v) working.add(view, v);
  ActivePoint point;
  point.residual = y;
  ASSERT_TRUE(ActiveSet(working, y, l2, 1e-12).solve(point, 0.05, 6));
  expect_optimal(working, point, y, 0.05, l2);
  EXPECT_LE(point.support.size(), l2 > 0 ? 6U : 3U);
}

TEST_P(OfWorkingSet, SaysWhereTheSupportOutgrowsTheLimit) {
  const auto x = test::random_design<double>({60, 1, 1}, 20, 15);
  const LassoView<double> view(x, RowMap(std::vector<double>(20, 1.0), false), {}, {});
  const std::vector<double> y = test::random_labels(20, 16);
  WorkingSet working(20);
  for (Index v = 0; v < 60; ++v) working.add(view, v);
  ActivePoint point;
  point.residual = y;
  EXPECT_FALSE(ActiveSet(working, y, GetParam(), 1e-12).solve(point, 0.01, 3));
}

INSTANTIATE_TEST_SUITE_P(L2, OfWorkingSet, testing::Values(0.0, 0.7));

}  // namespace
}  // namespace sturm
