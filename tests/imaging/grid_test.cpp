// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "message.h"
#include "sturm/core/rng.h"

namespace sturm {
namespace {

Affine random_affine(std::uint64_t seed) {
  Rng random(seed);
  Affine a;
  for (auto& row : a.rows)
    for (double& v : row) v = random.normal();
  for (int n = 0; n < 3; ++n) a.rows[n][n] += 3;
  return a;
}

TEST(Grid, InverseUndoesTheAffine) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Affine a = random_affine(seed), both = inverse(a) * a;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 4; ++c) EXPECT_NEAR(both.rows[r][c], r == c ? 1 : 0, 1e-13);  // condition below 100
    const Point voxel{1, 2, 3}, back = inverse(a)(a(voxel));
    for (int n = 0; n < 3; ++n) EXPECT_NEAR(back[n], voxel[n], 1e-12);
  }
}

TEST(Grid, ProductIsOneAfterTheOther) {
  const Affine a = random_affine(1), b = random_affine(2);
  const Point voxel{4, -1, 2}, one = (a * b)(voxel), two = a(b(voxel));
  for (int n = 0; n < 3; ++n) EXPECT_NEAR(one[n], two[n], 1e-12);
  EXPECT_NEAR(determinant(a * b), determinant(a) * determinant(b), 1e-11);
}

TEST(Grid, FlatAndUnfiniteAffinesAreSingularAtEveryScale) {
  Affine flat;
  flat.rows[2] = {1, 0, 0, 0};
  EXPECT_TRUE(singular(flat));
  EXPECT_SAYS(inverse(flat), "no inverse");
  Affine nan;
  nan.rows[0][3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(singular(nan));
  for (const double scale : {1e-9, 1.0, 1e9}) {
    Affine a;
    for (auto& row : a.rows)
      for (double& v : row) v *= scale;
    EXPECT_FALSE(singular(a)) << scale;
  }
}

TEST(Grid, OrientationNamesTheDirectionOfEachIndex) {
  Affine a;
  EXPECT_EQ(orientation(a), "RAS");
  a.rows = {{{0, 0, -2, 0}, {-2, 0, 0, 0}, {0, 2, 0, 0}}};
  EXPECT_EQ(orientation(a), "PSL");
  // 40 degrees about x: the second index still runs mostly to the front.
  const double c = std::cos(0.7), s = std::sin(0.7);
  a.rows = {{{-1, 0, 0, 0}, {0, c, -s, 0}, {0, s, c, 0}}};
  EXPECT_EQ(orientation(a), "LAS");
  EXPECT_NEAR(voxel_size(a)[1], 1, 1e-15);
}

TEST(Grid, SameGridForgivesRoundingAndNothingElse) {
  Grid a{{91, 109, 91}, {}};
  a.affine.rows = {{{-2, 0, 0, 90}, {0, 2, 0, -126}, {0, 0, 2, -72}}};
  Grid b = a;
  b.affine.rows[0][3] += 1e-4;
  EXPECT_TRUE(same_grid(a, b));
  b.affine.rows[0][3] += 0.1;
  EXPECT_FALSE(same_grid(a, b));
  b = a;
  b.affine.rows[2][2] *= 1.001;  // a tenth of a voxel at the far end
  EXPECT_FALSE(same_grid(a, b));
  b = a;
  b.shape.n3 = 90;
  EXPECT_FALSE(same_grid(a, b));
  b = a;
  b.affine.rows[1][1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(same_grid(a, b));
}

// All 48 ways to permute and flip the axes of an oblique grid are found again, and put each voxel at its place.
TEST(Grid, ReorderFindsEveryPermutationAndFlip) {
  Grid to{{4, 5, 6}, {}};
  const double c = std::cos(0.3), s = std::sin(0.3);
  to.affine.rows = {{{2 * c, -3 * s, 0, -10}, {2 * s, 3 * c, 0, 20}, {0, 0, -1.5, 7}}};
  std::array<int, 3> axis{0, 1, 2};
  int found = 0;
  do {
    for (int flips = 0; flips < 8; ++flips) {
      const Reorder away{axis, {(flips & 1) != 0, (flips & 2) != 0, (flips & 4) != 0}};
      const Grid from = reordered(to, away);
      const auto back = reorder(from, to);
      ASSERT_TRUE(back.has_value());
      EXPECT_EQ(back->trivial(), away.trivial());
      EXPECT_TRUE(same_grid(reordered(from, *back), to));
      // A voxel by hand: index n of the target along axis[n] of the source.
      const std::array<Index, 3> n{from.shape.n1, from.shape.n2, from.shape.n3};
      const Point target{1, 2, 3};
      Point source{};
      for (int k = 0; k < 3; ++k) {
        const int along = back->axis[k];
        source[along] = back->flip[k] ? static_cast<double>(n[along] - 1) - target[k] : target[k];
      }
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(from.affine(source)[k], to.affine(target)[k], 1e-12);
      ++found;
    }
  } while (std::ranges::next_permutation(axis).found);
  EXPECT_EQ(found, 48);
}

TEST(Grid, ReorderRefusesWhatNeedsInterpolation) {
  const Grid a{{4, 4, 4}, {}};
  Grid b = a;
  b.affine.rows[0][3] = 0.5;
  EXPECT_FALSE(reorder(a, b).has_value());
  b = a;
  b.affine.rows[0][0] = 2;
  EXPECT_FALSE(reorder(a, b).has_value());
  b = a;
  b.affine.rows[2].fill(0);
  EXPECT_FALSE(reorder(a, b).has_value());
  EXPECT_FALSE(reorder(b, a).has_value());
}

}  // namespace
}  // namespace sturm
