// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/mask.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "message.h"
#include "sturm/core/rng.h"
#include "sturm/imaging/nifti.h"
#include "temporary.h"

namespace sturm {
namespace {

constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();

Design<float> design_of(const Shape& shape, const std::vector<std::vector<float>>& volumes) {
  AlignedVector<float> x(volumes.size() * static_cast<std::size_t>(shape.size()));
  for (std::size_t m = 0; m < volumes.size(); ++m)
    for (Index v = 0; v < shape.size(); ++v) x[m + volumes.size() * v] = volumes[m][v];
  return Design<float>::owning(shape, static_cast<Index>(volumes.size()), std::move(x));
}

TEST(AutoMask, TakesWhatIsFiniteAndVaries) {
  const Design<float> x = design_of(
      {8, 1, 1}, {{0, 1, 2, nan_value, 5, 0, 0, 0}, {0, 1, 3, 4.0F, 5, 0, 0, 0}, {0, 2, 4, 5.0F, 5, 0, 0, 0}});
  EXPECT_EQ(auto_mask(x), (std::vector<std::uint8_t>{0, 1, 1, 0, 0, 0, 0, 0}));
}

// What the rows that are left out hold does not matter: a fold's mask is learnt from its training rows.
TEST(AutoMask, KnowsItsRowsAlone) {
  const Design<float> x = design_of(
      {8, 1, 1}, {{0, 1, 2, nan_value, 5, 0, 0, 0}, {0, 1, 3, 4.0F, 5, 0, 0, 0}, {0, 2, 4, 5.0F, 5, 0, 0, 0}});
  EXPECT_EQ(auto_mask(x, std::vector<Index>{1, 2}), (std::vector<std::uint8_t>{0, 1, 1, 1, 0, 0, 0, 0}));
  EXPECT_EQ(auto_mask(x, std::vector<Index>{0, 1}), (std::vector<std::uint8_t>{0, 0, 1, 0, 0, 0, 0, 0}));
  EXPECT_SAYS(auto_mask(x, std::vector<Index>{1}), "`mask auto`", "sturm check");
}

// A bright ball in a box of faint noise, with a dark hole inside and a bright speck outside: the ball and its hole.
TEST(AutoMask, FindsABrainInNoise) {
  const Shape s{20, 20, 20};
  std::vector<std::vector<float>> volumes;
  std::vector<std::uint8_t> ball(static_cast<std::size_t>(s.size()));
  for (int m = 0; m < 6; ++m) {
    const Tensor noise = random_normal(s, 11, m);
    std::vector<float> x;
    for (Index v = 0; v < s.size(); ++v) {
      const Index x1 = v % 20, x2 = v / 20 % 20, x3 = v / 400;
      const double i = static_cast<double>(x1) - 9.5, j = static_cast<double>(x2) - 9.5,
                   k = static_cast<double>(x3) - 9.5, r = std::sqrt(i * i + j * j + k * k);
      ball[v] = r < 7;
      x.push_back(static_cast<float>((r < 7 && r > 2 ? 1000 : 1) * (1 + 0.1 * noise.data()[v])));
    }
    x[0] = 900 + static_cast<float>(m);
    volumes.push_back(std::move(x));
  }
  EXPECT_EQ(auto_mask(design_of(s, volumes)), ball);
}

// A volume cut to the brain varies everywhere and is about as bright everywhere: nothing is cut away.
TEST(AutoMask, KeepsAVolumeThatIsAllBrain) {
  std::vector<std::vector<float>> volumes;
  for (int m = 0; m < 8; ++m) {
    const Tensor noise = random_normal({6, 6, 6}, 13, m);
    volumes.emplace_back(noise.flat().begin(), noise.flat().end());
  }
  EXPECT_EQ(auto_mask(design_of({6, 6, 6}, volumes)), std::vector<std::uint8_t>(216, 1));
}

TEST(VoxelRanges, DoNotDependOnTheOrder) {
  VoxelRanges a({50, 1, 1}), b({50, 1, 1});
  for (int m = 0; m < 5; ++m) a.add(std::span<const double>(random_normal({50, 1, 1}, 1, m).flat()));
  for (int m = 4; m >= 0; --m) b.add(std::span<const double>(random_normal({50, 1, 1}, 1, m).flat()));
  EXPECT_EQ(a.low, b.low);
  EXPECT_EQ(a.high, b.high);
  EXPECT_LT(a.low[7], a.high[7]);
}

class MaskFile : public testing::Test {
 protected:
  MaskFile() {
    grid.affine.rows = {{{-2, 0, 0, 10}, {0, 2, 0, -5}, {0, 0, 2, 3}}};
    values.assign(static_cast<std::size_t>(grid.shape.size()), 0);
    values[5] = 1;
    values[17] = -3;
  }
  test::TemporaryFolder folder;
  Grid grid{{4, 3, 2}, {}};
  std::vector<float> values;
};

TEST_F(MaskFile, IsTurnedToTheGridOfTheVolumes) {
  write_volume(folder / "mask.nii.gz", grid, values);
  const std::vector<std::uint8_t> same = load_mask_volume(folder / "mask.nii.gz", grid, OnMismatch::error);
  for (std::size_t v = 0; v < values.size(); ++v) EXPECT_EQ(same[v], values[v] != 0);
  Grid other = grid;  // x runs the other way
  other.affine.rows[0] = {2, 0, 0, 4};
  const std::vector<std::uint8_t> turned = load_mask_volume(folder / "mask.nii.gz", other, OnMismatch::error);
  for (Index v = 0; v < grid.shape.size(); ++v) EXPECT_EQ(turned[v], same[v / 4 * 4 + 3 - v % 4]);
}

TEST_F(MaskFile, OnAnotherGridIsRefusedOrResampled) {
  write_volume(folder / "mask.nii", grid, values);
  Grid other{{8, 6, 4}, {}};
  other.affine.rows = {{{-1, 0, 0, 10.5}, {0, 1, 0, -5.5}, {0, 0, 1, 2.5}}};
  EXPECT_SAYS(load_mask_volume(folder / "mask.nii", other, OnMismatch::error), "mask.nii", "4x3x2", "8x6x4",
              "`on-mismatch resample`");
  const auto mask = load_mask_volume(folder / "mask.nii", other, OnMismatch::resample);
  EXPECT_GT(std::ranges::count(mask, 1), 1);
  Grid away = grid;
  away.affine.rows[0][3] = 1000;
  EXPECT_SAYS(load_mask_volume(folder / "mask.nii", away, OnMismatch::resample), "mask.nii", "empty mask");
}

}  // namespace
}  // namespace sturm
