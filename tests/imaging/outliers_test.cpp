// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/outliers.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sturm/core/rng.h"

namespace sturm {
namespace {

std::vector<VolumeLevel> levels(Index count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<VolumeLevel> out;
  for (Index m = 0; m < count; ++m)
    out.push_back({0.1 * rng.normal(), std::exp(0.2 * rng.normal()), 200'000, static_cast<Index>(rng.below(135))});
  return out;
}

// The study of issue 19: 130,221 extreme voxels where the next has 134.
TEST(Outliers, ExtremeValuesAllOverStandOut) {
  std::vector<VolumeLevel> all = levels(40, 1);
  all[17].extreme = 130'221;
  const std::vector<std::string> found = what_stands_out(all);
  for (std::size_t m = 0; m < all.size(); ++m) EXPECT_EQ(found[m].empty(), m != 17) << found[m];
  EXPECT_NE(found[17].find("130221 of its voxels"), std::string::npos) << found[17];
}

TEST(Outliers, AnotherScaleAndAnotherLevelStandOut) {
  std::vector<VolumeLevel> all = levels(30, 2);
  all[3].spread *= 1000;
  all[4].spread /= 1000;
  all[5].centre = 40;
  const std::vector<std::string> found = what_stands_out(all);
  for (std::size_t m = 0; m < all.size(); ++m) EXPECT_EQ(found[m].empty(), m < 3 || m > 5) << m << " " << found[m];
  EXPECT_NE(found[3].find("times the usual range"), std::string::npos);
  EXPECT_NE(found[5].find("its level is 40"), std::string::npos);
}

// Ordinary differences of scale between people, over 200 studies; small studies have no usual range.
TEST(Outliers, OrdinaryVolumesDoNot) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed)
    for (const std::string& what : what_stands_out(levels(25, seed))) EXPECT_EQ(what, "");
  std::vector<VolumeLevel> few = levels(4, 3);
  few[0].spread = 1e9;
  for (const std::string& what : what_stands_out(few)) EXPECT_EQ(what, "");
}

// Of a level of 1000 and a spread of 1e-3 in double: nothing is lost in the difference of large sums.
TEST(Outliers, LevelsAreMeanAndDeviation) {
  const Shape shape{10, 9, 8};
  AlignedVector<double> x(3 * 720);
  const Tensor noise = random_normal({3, 720, 1}, 5);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1000 + 1e-3 * noise.data()[i];
  for (std::size_t v = 0; v < 720; ++v) x[3 * v + 2] = 7;
  const std::vector<VolumeLevel> found = levels_of(Design<double>::owning(shape, 3, std::move(x)));
  EXPECT_NEAR(found[0].centre, 1000, 1e-3);
  EXPECT_NEAR(found[0].spread, 1e-3, 1e-4);  // of 720 numbers: within 3 %
  EXPECT_EQ(found[2].centre, 7);
  EXPECT_EQ(found[2].spread, 0);
}

}  // namespace
}  // namespace sturm
