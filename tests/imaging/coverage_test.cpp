// SPDX-License-Identifier: BSD-3-Clause
// Counts are compared with loops over every voxel of every volume, on boxes whose voxels do not fill whole words.
#include "sturm/imaging/coverage.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sturm/core/rng.h"

namespace sturm {
namespace {

constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();
const Shape box{5, 7, 4};  // 140 voxels

using Volumes = std::vector<std::vector<float>>;

/// Values other than 0 but for gaps: `cut` slices of each volume, and NaN in some voxels.
Volumes volumes_with_gaps(Index samples, std::uint64_t seed) {
  Rng rng(seed);
  Volumes out;
  for (Index m = 0; m < samples; ++m) {
    std::vector<float>& x = out.emplace_back();
    const std::uint64_t cut = rng.below(2);
    for (Index v = 0; v < box.size(); ++v) {
      const bool outside = v % 5 == 0, gone = v / 35 < static_cast<Index>(cut);
      x.push_back(outside || gone ? 0 : static_cast<float>(rng.normal() + 10));
      if (rng.below(200) == 0) x.back() = nan_value;
    }
  }
  return out;
}

Coverage coverage_of_all(const Volumes& volumes) {
  Coverage out(box, static_cast<Index>(volumes.size()));
  for (std::size_t m = 0; m < volumes.size(); ++m) out.add(static_cast<Index>(m), std::span<const float>(volumes[m]));
  return out;
}

bool lacks(float x) { return x == 0 || !std::isfinite(x); }

TEST(Coverage, CountsAreThoseOfALoop) {
  for (const Index samples : {Index{3}, Index{20}, Index{150}, Index{230}}) {
    const Volumes volumes = volumes_with_gaps(samples, 5);
    const Coverage coverage = coverage_of_all(volumes);
    std::vector<Index> rows;
    for (Index m = 0; m<samples; m += samples> 100 ? 1 : 2) rows.push_back(m);
    const auto used = static_cast<Index>(rows.size());
    const CoveredVoxels found = covered_voxels(coverage, MaskRule::automatic, rows);
    const CoveredVoxels any = covered_voxels(coverage, MaskRule::any, rows);
    EXPECT_EQ(found.allowed, used / 100);
    EXPECT_FALSE(found.zero_is_value);
    Index kept = 0, background = 0, not_finite = 0, zero = 0;
    for (Index v = 0; v < box.size(); ++v) {
      Index gaps = 0, bad = 0;
      for (const Index m : rows) {
        gaps += lacks(volumes[m][v]);
        bad += !std::isfinite(volumes[m][v]);
      }
      ASSERT_EQ(found.mask[v] != 0, gaps <= used / 100) << v << " " << gaps;
      ASSERT_EQ(any.mask[v] != 0, gaps < used) << v;
      kept += gaps <= used / 100;
      background += gaps == used;
      if (gaps < used && gaps > used / 100) ++(bad > used / 100 ? not_finite : zero);
    }
    EXPECT_EQ(found.kept, kept);
    EXPECT_EQ(found.background, background);
    EXPECT_EQ(found.not_finite, not_finite);
    EXPECT_EQ(found.zero, zero);
    EXPECT_EQ(kept + background + not_finite + zero, box.size());
    EXPECT_EQ(found.samples, used);
  }
}

TEST(Coverage, DifferencesAreThoseOfALoop) {
  const Volumes volumes = volumes_with_gaps(9, 6);
  const Coverage coverage = coverage_of_all(volumes);
  std::vector<std::uint8_t> mask(140, 0);
  for (std::size_t v = 0; v < 140; v += 3) mask[v] = 1;
  const std::vector<double> all = coverage.differences(), some = coverage.differences(mask);
  for (std::size_t a = 0; a < 9; ++a)
    for (std::size_t b = 0; b < 9; ++b) {
      int differ = 0, inside = 0;
      for (std::size_t v = 0; v < 140; ++v) {
        const bool d = lacks(volumes[a][v]) != lacks(volumes[b][v]);
        differ += d;
        inside += d && mask[v];
      }
      EXPECT_EQ(all[a + 9 * b], differ);
      EXPECT_EQ(some[a + 9 * b], inside);
    }
  Index varying = 0;
  for (std::size_t v = 0; v < 140; ++v) {
    Index gaps = 0;
    for (const auto& x : volumes) gaps += lacks(x[v]);
    varying += gaps > 0 && gaps < 9;
  }
  EXPECT_EQ(coverage.varying(), varying);
}

TEST(Coverage, OfADesignIsThatOfItsVolumes) {
  const Volumes volumes = volumes_with_gaps(21, 7);
  AlignedVector<float> x(21 * 140);
  for (std::size_t m = 0; m < 21; ++m)
    for (std::size_t v = 0; v < 140; ++v) x[m + 21 * v] = volumes[m][v];
  const Coverage a = coverage_of(Design<float>::owning(box, 21, std::move(x))), b = coverage_of_all(volumes);
  for (Index m = 0; m < 21; ++m) {
    EXPECT_EQ(a.lacks(m), b.lacks(m));
    EXPECT_EQ(a.not_finite(m), b.not_finite(m));
  }
  const Coverage full = coverage_of(Design<float>::owning(box, 2, AlignedVector<float>(280, 3.0F)));
  EXPECT_EQ(full.lacking(0), 0);
  EXPECT_EQ(full.varying(), 0);
  const Coverage turned = b.rows_of(std::vector<Index>{4, 2});
  EXPECT_EQ(turned.lacks(1), b.lacks(2));
}

// Lesions: 0 nearly everywhere, and a voxel is hit in few volumes. No mask could be learnt if 0 were a background.
TEST(Coverage, ZeroIsAValueWhereFewVoxelsDiffer) {
  Rng rng(3);
  Volumes lesions(30, std::vector<float>(140, 0));
  for (auto& x : lesions)
    for (float& v : x) v = rng.below(20) == 0 ? 1.0F : 0.0F;
  const CoveredVoxels found = covered_voxels(coverage_of_all(lesions), MaskRule::automatic);
  EXPECT_TRUE(found.zero_is_value);
  for (std::size_t v = 0; v < 140; ++v) {
    bool hit = false;
    for (const auto& x : lesions) hit |= x[v] != 0;
    EXPECT_EQ(found.mask[v] != 0, hit);
  }
}

// Whole numbers between -20 and 20 are 0 in one voxel of 41, which is no gap; a slab of zeros is one, and so is a lone
// zero among numbers that are never near it.
TEST(Coverage, AZeroThatStandsAloneInWholeNumbersIsAValue) {
  const Shape large{12, 12, 12};
  Rng rng(4);
  Coverage whole(large, 10), real(large, 10);
  for (Index m = 0; m < 10; ++m) {
    std::vector<float> x, y;
    for (Index v = 0; v < large.size(); ++v) {
      x.push_back(static_cast<float>(rng.below(41)) - 20);
      y.push_back(static_cast<float>(rng.normal()));
      if (v < 144 && m == 4) x.back() = y.back() = 0;
    }
    y[1000] = 0;
    whole.add(m, std::span<const float>(x));
    real.add(m, std::span<const float>(y));
  }
  const CoveredVoxels of_whole = covered_voxels(whole, MaskRule::automatic);
  for (Index v = 0; v < 144; ++v) EXPECT_EQ(of_whole.mask[v], 0);
  // Three zeros among six neighbours are rare by chance: 20 (1/41)^3 of 10 x 1/41 of the voxels.
  EXPECT_GT(of_whole.kept, large.size() - 144 - 10);
  const CoveredVoxels of_real = covered_voxels(real, MaskRule::automatic);
  EXPECT_EQ(of_real.kept, large.size() - 144 - 1);
  EXPECT_EQ(of_real.worst, 4);
  EXPECT_EQ(of_real.worst_takes, 144);
}

}  // namespace
}  // namespace sturm
