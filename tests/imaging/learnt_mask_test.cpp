// SPDX-License-Identifier: BSD-3-Clause
// A training set of a cross-validation has the voxels and the numbers that its volumes alone would be loaded with.
#include "sturm/imaging/learnt_mask.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "imaging/loading.h"
#include "message.h"
#include "sturm/imaging/mask.h"

namespace sturm {
namespace {

using test::nan_value;

class LearntMask : public test::Loading {
 protected:
  /// Some volumes lack slices, some voxels are NaN in one volume.
  LearntMask() {
    for (std::size_t m = 0; m < volumes.size(); ++m)
      for (Index v = 0; v < grid.shape.size(); ++v) {
        if (v / 42 == 0 && m % 3 == 0) volumes[m][v] = 0;
        if (v / 6 % 7 == 6 && m == 11) volumes[m][v] = nan_value;
      }
    write_all();
  }
  LearntMasks<float> learner(const Shape& shape, MaskRule rule) {
    auto loaded = load_volumes<float>(open(), {.shape = shape, .masks_later = true, .rule = rule});
    return {std::move(loaded.design), std::move(loaded.rim), loaded.coverage, rule};
  }
  LoadedVolumes<float> alone(const std::vector<Index>& rows, const Shape& shape, MaskRule rule) {
    std::vector<SampleFile> some;
    for (const Index row : rows) some.push_back(files[row]);
    return load_volumes<float>(open_volumes(some, OnMismatch::error),
                               {.shape = shape, .learn_mask = true, .rule = rule});
  }
};

TEST_F(LearntMask, IsThatOfTheTrainingVolumesAlone) {
  const std::vector<std::vector<Index>> sets = {{1, 2, 4, 5, 7}, {0, 1, 2, 3, 4, 5}, {10, 11, 13, 14}, {3, 6, 9, 12}};
  for (const Shape& shape : {grid.shape, Shape{3, 4, 3}})
    for (const MaskRule rule : {MaskRule::automatic, MaskRule::any}) {
      const LearntMasks<float> masks = learner(shape, rule);
      for (const std::vector<Index>& train : sets) {
        const auto given = alone(train, shape, rule);
        const Design<float> learnt = masks.volumes(train, train);
        ASSERT_EQ(learnt.region(), given.design.region()) << to_string(shape);
        EXPECT_EQ(masks.covered(train).mask, covered_voxels(*given.coverage, rule).mask);
        // Sums of up to 27 products in another order: 1e-6 of values of about 3.
        for (std::size_t i = 0; i < learnt.x().size(); ++i)
          ASSERT_NEAR(learnt.x()[i], given.design.x()[i], shape == grid.shape ? 0 : 3e-6) << i;
        // Others are seen through the same mask, whatever they lack.
        const std::vector<Index> both = {train[1], 15, 11};
        const Design<float> seen = masks.volumes(train, both);
        ASSERT_EQ(seen.region(), given.design.region());
        for (Index c = 0; c < seen.voxels(); ++c) {
          ASSERT_NEAR(seen.column(c)[0], learnt.column(c)[1], shape == grid.shape ? 0 : 3e-6);
          ASSERT_TRUE(std::isfinite(seen.column(c)[2]));
        }
      }
    }
}

// Noise, zeros or NaN in place of volumes that are not in the training set change no bit of what it learns.
TEST_F(LearntMask, KnowsNothingOfOtherVolumes) {
  const std::vector<Index> train = {1, 2, 4, 5, 7, 8};
  for (const Shape& shape : {grid.shape, Shape{3, 4, 3}}) {
    const Design<float> before = learner(shape, MaskRule::automatic).volumes(train, train);
    const std::vector<std::vector<float>> kept = volumes;
    for (const Index other : {0, 3, 6, 19})
      for (Index v = 0; v < grid.shape.size(); ++v)
        volumes[other][v] = v % 4 == 0 ? nan_value : v % 4 == 1 ? 0 : 5 + static_cast<float>(v % 7);
    write_all();
    const Design<float> after = learner(shape, MaskRule::automatic).volumes(train, train);
    ASSERT_EQ(before.region(), after.region());
    for (std::size_t i = 0; i < before.x().size(); ++i)
      ASSERT_NEAR(before.x()[i], after.x()[i], shape == grid.shape ? 0 : 3e-6);
    volumes = kept;
    write_all();
  }
}

TEST_F(LearntMask, ALeakAtTheEdgeDoesNotSeepIn) {
  // Slices 0 of every third volume are gone: in no training set that has one of them do they count, not even in part.
  const LearntMasks<float> masks = learner({3, 4, 3}, MaskRule::automatic);
  std::vector<Index> all(20);
  std::iota(all.begin(), all.end(), 0);
  const Design<float> x = masks.volumes(all, all);
  const CoveredVoxels covered = masks.covered(all);
  const Resizer resizer(grid.shape, {3, 4, 3});
  for (const Index m : {0, 1, 5, 19}) {
    std::vector<float> inside = volumes[m];
    for (std::size_t v = 0; v < inside.size(); ++v)
      if (!covered.mask[v]) inside[v] = 0;
    const std::vector<float> expected = resizer.shrink<float>(inside);
    for (Index c = 0; c < x.voxels(); ++c) ASSERT_NEAR(x.column(c)[m], expected[x.region().voxel(c)], 3e-6);
  }
}

TEST_F(LearntMask, AnEmptyOneSaysWhy) {
  for (Index v = 0; v < grid.shape.size(); ++v) volumes[3][v] = v % 2 ? volumes[3][v] : 0;
  for (Index v = 0; v < grid.shape.size(); ++v) volumes[4][v] = v % 2 ? 0 : volumes[4][v];
  write_all();
  EXPECT_SAYS(alone({2, 3, 4, 5}, grid.shape, MaskRule::automatic), "`mask auto`", "leaves no voxel",
              "alone takes away", "`mask union`");
  EXPECT_SAYS(learner(grid.shape, MaskRule::automatic).volumes(std::vector<Index>{3, 4}, {}), "leaves no voxel");
}

TEST_F(LearntMask, VolumesThatHoldNothingAreNamed) {
  volumes[6].assign(volumes[6].size(), 0);
  write_all();
  EXPECT_SAYS(learner(grid.shape, MaskRule::automatic), "/6.nii.gz", "nothing but 0 and NaN");
  volumes[6].assign(volumes[6].size(), nan_value);
  volumes[9].assign(volumes[9].size(), nan_value);
  write_all();
  EXPECT_SAYS(learner(grid.shape, MaskRule::automatic), "/6.nii.gz", "/9.nii.gz", "no finite number");
  EXPECT_SAYS(load_volumes<float>(open(), {.shape = grid.shape}), "/6.nii.gz", "no finite number");
}

}  // namespace
}  // namespace sturm
