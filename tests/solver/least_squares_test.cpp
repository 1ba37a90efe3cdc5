// SPDX-License-Identifier: BSD-3-Clause
// The problem without penalties, by its normal equations.
#include "sturm/solver/least_squares.h"

#include "solver/small_problem.h"
#include "sturm/tensor/algebra.h"

namespace sturm {
namespace {

/// y - X w by plain loops.
std::vector<double> residual(const Design<double>& x, const std::vector<double>& y, const Tensor& w) {
  std::vector<double> r = y;
  for (Index v = 0; v < x.voxels(); ++v)
    for (Index m = 0; m < x.samples(); ++m) r[m] -= x.column(v)[m] * w.data()[v];
  return r;
}

// Fewer voxels than samples: the residual is orthogonal to every voxel, and the gap knows that nothing better exists.
TEST(LeastSquares, ResidualIsOrthogonalToEveryVoxel) {
  const auto x = test::random_design<double>({3, 2, 2}, 30, 1);
  const std::vector<double> y = test::random_labels(30, 2);
  const Solution<double> s = least_squares<double>(x, {test::plain_view(x), y}, 1e-9);
  EXPECT_EQ(s.status, Status::converged);
  const std::vector<double> r = residual(x, y, s.w);
  double square = 0;
  for (const double v : r) square += v * v / 2;
  EXPECT_NEAR(s.objective, square, 1e-12 * square);
  for (Index v = 0; v < x.voxels(); ++v) {
    double sum = 0;
    for (Index m = 0; m < 30; ++m) sum += x.column(v)[m] * r[m];
    EXPECT_NEAR(sum, 0, 1e-11);  // sums of 30 products, times the condition of X
  }
  for (Index m = 0; m < 30; ++m) EXPECT_NEAR(s.theta[m], r[m], 1e-11) << "the residual is the dual point";
}

// More voxels than samples: y is met, by the shortest such map, which is a combination of samples.
TEST(LeastSquares, InterpolatesWithTheLeastNorm) {
  const auto x = test::random_design<double>({5, 4, 3}, 8, 3);
  const std::vector<double> y = test::random_labels(8, 4);
  const Solution<double> s = least_squares<double>(x, {test::plain_view(x), y}, 1e-9);
  EXPECT_EQ(s.status, Status::converged);
  for (const double v : residual(x, y, s.w)) EXPECT_NEAR(v, 0, 1e-12);
  // Any change that leaves X w as it is, is orthogonal to w: a random map less its own interpolation.
  const Tensor other = random_normal(x.region().column_shape(), 5);
  std::vector<double> fitted(8);
  for (Index v = 0; v < x.voxels(); ++v)
    for (Index m = 0; m < 8; ++m) fitted[m] += x.column(v)[m] * other.data()[v];
  const Tensor same = least_squares<double>(x, {test::plain_view(x), fitted}, 1e-9).w;
  EXPECT_NEAR(dot(other - same, s.w), 0, 1e-11);
}

// Labels of 0, and samples that are copies: eigenvalues of 0 are left out.
TEST(LeastSquares, LeavesOutWhatIsNotThere) {
  const auto x = test::random_design<double>({3, 2, 2}, 6, 6);
  EXPECT_EQ(least_squares<double>(x, {test::plain_view(x), std::vector<double>(6)}, 1e-9).status,
            Status::zero_solution);
  AlignedVector<double> copies(6 * 12);
  for (Index v = 0; v < 12; ++v)
    for (Index m = 0; m < 6; ++m) copies[m + 6 * v] = x.column(v)[m / 2];
  const auto twice = Design<double>::owning(x.region(), 6, std::move(copies));
  const std::vector<double> y = {1, 3, 0, 0, -2, -4};  // the best for a pair is its mean: 1 + 1 + 0 + 0 + 1 + 1, over 2
  const Solution<double> s = least_squares<double>(twice, {test::plain_view(twice), y}, 1e-9);
  EXPECT_NEAR(s.objective, 2, 1e-12);
  EXPECT_LE(s.gap, 1e-9);
}

}  // namespace
}  // namespace sturm
