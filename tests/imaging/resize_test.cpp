// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/resize.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "message.h"
#include "sturm/core/rng.h"

namespace sturm {
namespace {

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

TEST(ResizedShape, RoundsToTheNearestAndAHalfGoesUp) {
  EXPECT_EQ(resized_shape({61, 73, 61}, 0.3), (Shape{18, 22, 18}));
  EXPECT_EQ(resized_shape({61, 73, 61}, 0.5), (Shape{31, 37, 31}));
  EXPECT_EQ(resized_shape({61, 73, 61}, 0.7), (Shape{43, 51, 43}));
  EXPECT_EQ(resized_shape({53, 64, 46}, 0.5), (Shape{27, 32, 23}));
  EXPECT_EQ(resized_shape({45, 1, 2}, 0.7), (Shape{32, 1, 1}));  // 0.7 * 45 is below 31.5 in binary
  EXPECT_EQ(resized_shape({91, 109, 91}, 1), (Shape{91, 109, 91}));
  EXPECT_SAYS(resized_shape({4, 4, 4}, 0), "`resize`");
  EXPECT_SAYS(resized_shape({4, 4, 4}, 1.5), "`resize`");
}

TEST(ResizedGrid, FillsTheSameBox) {
  Grid grid{{61, 73, 60}, {}};
  grid.affine.rows = {{{-3, 0.1, 0, 90}, {0, 2.9, 0.4, -126}, {0.2, 0, 3.2, -72}}};
  const Grid small = resized_grid(grid, {18, 22, 20});
  for (const double x : {-0.5, 60.5})
    for (const double y : {-0.5, 72.5})
      for (const double z : {-0.5, 59.5}) {
        const auto corner = [](double at, Index extent) { return at < 0 ? -0.5 : static_cast<double>(extent) - 0.5; };
        const Point before = grid.affine({x, y, z}),
                    after = small.affine({corner(x, 18), corner(y, 22), corner(z, 20)});
        for (int n = 0; n < 3; ++n) EXPECT_NEAR(before[n], after[n], 1e-10);
      }
}

class ResizerOf : public testing::TestWithParam<std::pair<Shape, Shape>> {};

// <w, R x> = <R' w, x> for every x: then a map brought back predicts from raw volumes what it predicted from small
// ones.
TEST_P(ResizerOf, AdjointIsTheTranspose) {
  const Resizer resizer(GetParam().first, GetParam().second);
  const Tensor x = random_normal(resizer.from(), 1), w = random_normal(resizer.to(), 2);
  const std::vector<double> small = resizer.shrink<double>(x.flat());
  // Sums of a few thousand products of size one, in double.
  EXPECT_NEAR(dot(small, w.flat()), dot(x.flat(), resizer.adjoint(w).flat()), 1e-11 * std::sqrt(x.shape().size()));
}

TEST_P(ResizerOf, KeepsConstants) {
  const Resizer resizer(GetParam().first, GetParam().second);
  const std::vector<float> ones(static_cast<std::size_t>(resizer.from().size()), 3.0F);
  for (const float v : resizer.shrink<float>(ones)) EXPECT_NEAR(v, 3, 3e-6);
}

// A ramp in the world is the same ramp on the coarse grid, but for the rim, where the tent is cut short.
TEST_P(ResizerOf, KeepsPlaces) {
  const Grid grid{GetParam().first, {}};
  const Grid small = resized_grid(grid, GetParam().second);
  const Resizer resizer(grid.shape, small.shape);
  Tensor ramp(grid.shape);
  Index at = 0;
  for (Index k = 0; k < grid.shape.n3; ++k)
    for (Index j = 0; j < grid.shape.n2; ++j)
      for (Index i = 0; i < grid.shape.n1; ++i) ramp.data()[at++] = static_cast<double>(i + 10 * j + 100 * k);
  const std::vector<double> out = resizer.shrink<double>(ramp.flat());
  at = 0;
  for (Index k = 0; k < small.shape.n3; ++k)
    for (Index j = 0; j < small.shape.n2; ++j)
      for (Index i = 0; i < small.shape.n1; ++i, ++at) {
        const auto rim = [](Index n, Index extent) { return n < 1 || n + 1 >= extent; };
        if (rim(i, small.shape.n1) || rim(j, small.shape.n2) || rim(k, small.shape.n3)) continue;
        const Point p = small.affine({static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)});
        // A tent sampled at whole voxels has its mean off its centre by less than a tenth of a voxel.
        EXPECT_NEAR(out[at], p[0] + 10 * p[1] + 100 * p[2], 0.1 * 111);
      }
}

INSTANTIATE_TEST_SUITE_P(Shapes, ResizerOf,
                         testing::Values(std::pair{Shape{12, 14, 10}, Shape{6, 7, 5}},
                                         std::pair{Shape{13, 9, 11}, Shape{4, 6, 8}},
                                         std::pair{Shape{8, 1, 5}, Shape{3, 1, 5}},
                                         std::pair{Shape{4, 5, 6}, Shape{6, 5, 9}}));

// A wave of 2.67 input voxels is beyond what a grid of half the voxels carries; taking every second voxel would fold it
// back at full height. The tent's transform at three quarters of the new sampling rate is sinc(0.75)^2 = 0.09.
TEST(Resizer, SmoothsAwayWhatTheCoarseGridCannotCarry) {
  const Resizer resizer({64, 1, 1}, {32, 1, 1});
  std::vector<double> wave(64);
  for (int i = 0; i < 64; ++i) wave[i] = std::cos(2 * std::numbers::pi * 0.375 * i);
  const std::vector<double> out = resizer.shrink<double>(wave);
  for (int i = 2; i < 30; ++i) EXPECT_LT(std::abs(out[i]), 0.12) << i;
}

TEST(ResizeMask, KeepsWhatIsHalfInside) {
  const Resizer resizer({8, 1, 1}, {4, 1, 1});
  EXPECT_EQ(resize_mask(resizer, std::vector<std::uint8_t>{1, 1, 1, 1, 0, 0, 0, 0}),
            (std::vector<std::uint8_t>{1, 1, 0, 0}));
  // One voxel of eight is an eighth or three of a coarse voxel, never a half: what it touches is kept.
  EXPECT_EQ(resize_mask(resizer, std::vector<std::uint8_t>{0, 0, 1, 0, 0, 0, 0, 0}),
            (std::vector<std::uint8_t>{1, 1, 0, 0}));
}

}  // namespace
}  // namespace sturm
