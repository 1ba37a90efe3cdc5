// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/resample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sturm/core/rng.h"

namespace sturm {
namespace {

Grid grid_of(const Shape& shape, double step = 1, const Point& start = {0, 0, 0}) {
  Grid grid{shape, {}};
  for (int n = 0; n < 3; ++n) {
    grid.affine.rows[n] = {0, 0, 0, start[n]};
    grid.affine.rows[n][n] = step;
  }
  return grid;
}

/// The values of a function of the place in the world.
template <class Function>
std::vector<double> sampled(const Grid& grid, const Function& f) {
  std::vector<double> out;
  for (Index k = 0; k < grid.shape.n3; ++k)
    for (Index j = 0; j < grid.shape.n2; ++j)
      for (Index i = 0; i < grid.shape.n1; ++i)
        out.push_back(f(grid.affine({static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)})));
  return out;
}

double plane(const Point& p) { return 2 + p[0] - 3 * p[1] + 0.5 * p[2]; }

/// `grid` with its axes in another order and direction: the same voxels at the same places.
Grid turned(const Grid& grid, std::array<int, 3> axis, std::array<bool, 3> flip) {
  const std::array<Index, 3> extent = {grid.shape.n1, grid.shape.n2, grid.shape.n3};
  Grid out{{extent[axis[0]], extent[axis[1]], extent[axis[2]]}, {}};
  for (int r = 0; r < 3; ++r) {
    out.affine.rows[r][3] = grid.affine.rows[r][3];
    for (int n = 0; n < 3; ++n) {
      const double step = grid.affine.rows[r][axis[n]];
      out.affine.rows[r][n] = flip[n] ? -step : step;
      if (flip[n]) out.affine.rows[r][3] += step * static_cast<double>(extent[axis[n]] - 1);
    }
  }
  return out;
}

// Every order and direction of the axes: a function of the place is the same function after turning, to the last bit.
TEST(Reordered, PutsEveryVoxelAtItsPlace) {
  Grid to = grid_of({3, 4, 5}, 2, {-3, 7, 1});
  std::array<int, 3> axis = {0, 1, 2};
  do {
    for (int flips = 0; flips < 8; ++flips) {
      const Grid from = turned(to, axis, {(flips & 1) != 0, (flips & 2) != 0, (flips & 4) != 0});
      const auto how = reorder(from, to);
      ASSERT_TRUE(how.has_value());
      const auto unlike = [](const Point& p) { return p[0] + 100 * p[1] + 10000 * p[2]; };
      EXPECT_EQ(reordered<double>(sampled(from, unlike), from.shape, *how), sampled(to, unlike));
    }
  } while (std::ranges::next_permutation(axis).found);
}

class Resampled : public testing::TestWithParam<Interpolation> {};

// Both interpolations are exact for planes, away from the rim where the cubic one lacks neighbours.
TEST_P(Resampled, IsExactForPlanes) {
  const Grid from = grid_of({12, 13, 11}, 2, {-10, -12, -8});
  Grid to = grid_of({6, 7, 5}, 1.7, {-5, -6, -4});
  to.affine.rows[0][1] = 0.3;  // oblique
  const std::vector<double> out = resampled<double>(sampled(from, plane), from, to, GetParam());
  const std::vector<double> expected = sampled(to, plane);
  for (std::size_t v = 0; v < out.size(); ++v) EXPECT_NEAR(out[v], expected[v], 1e-11);
}

TEST_P(Resampled, OnItsOwnGridIsTheVolumeItself) {
  const Grid grid = grid_of({5, 4, 6}, 3, {1, 2, 3});
  const Tensor x = random_normal(grid.shape, 3);
  const std::vector<double> out = resampled<double>(x.flat(), grid, grid, GetParam());
  for (Index v = 0; v < grid.shape.size(); ++v) EXPECT_NEAR(out[v], x.data()[v], 1e-12);
}

TEST_P(Resampled, IsNaNWhereTheSourceDoesNotReach) {
  const Grid from = grid_of({4, 4, 4}), to = grid_of({8, 4, 4});
  const std::vector<double> out = resampled<double>(std::vector<double>(64, 1.0), from, to, GetParam());
  for (Index v = 0; v < to.shape.size(); ++v) EXPECT_EQ(std::isnan(out[v]), v % 8 >= 4) << v;
}

INSTANTIATE_TEST_SUITE_P(Both, Resampled, testing::Values(Interpolation::linear, Interpolation::cubic));

// Four fine voxels per coarse one along each axis: white noise averages down to a small part of its variance, where
// taking the nearest eight of 64 would leave an eighth.
TEST(Resampled, AveragesAFinerSource) {
  const Grid from = grid_of({40, 40, 40}), to = grid_of({8, 8, 8}, 4, {4.5, 4.5, 4.5});
  const Tensor x = random_normal(from.shape, 5);
  double squares = 0;
  for (const double v : resampled<double>(x.flat(), from, to, Interpolation::linear)) squares += v * v;
  EXPECT_LT(squares / 512, 0.05);
}

}  // namespace
}  // namespace sturm
