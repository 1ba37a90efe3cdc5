// SPDX-License-Identifier: BSD-3-Clause
// From files to a design matrix, and through the cache.
#include "sturm/imaging/load.h"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <optional>

#include "imaging/loading.h"
#include "message.h"
#include "sturm/core/parallel.h"
#include "sturm/imaging/cache.h"
#include "sturm/imaging/resize.h"

namespace sturm {
namespace {

using test::Loading;
using test::nan_value;

TEST_F(Loading, PutsEveryVolumeInItsRow) {
  write_all();
  const VolumeSet set = open();
  const auto loaded = load_volumes<float>(set, {.shape = grid.shape, .learn_mask = true});
  ASSERT_EQ(loaded.design.samples(), 20);
  for (int m = 0; m < 20; ++m) EXPECT_EQ(on_box(loaded.design, m), volumes[m]);
  for (Index v = 0; v < grid.shape.size(); ++v) EXPECT_EQ(loaded.grid_mask[v], v % 6 >= 2 && v % 6 <= 4);
  EXPECT_EQ(loaded.grid_mask, loaded.design.region().mask());
}

TEST_F(Loading, DoesNotDependOnThreads) {
  volumes[3][10] = nan_value;
  write_all();
  const VolumeLoad load{.shape = {3, 4, 3}, .learn_mask = true};
  std::optional<UseThreads> team;
  team.emplace(1);
  const auto one = load_volumes<float>(open(), load);
  team.emplace(4);
  const auto four = load_volumes<float>(open(), load);
  team.reset();
  EXPECT_TRUE(std::ranges::equal(one.design.x(), four.design.x()));
  EXPECT_EQ(one.design.region(), four.design.region());
  EXPECT_EQ(one.not_finite, four.not_finite);
}

TEST_F(Loading, TurnsOtherOrientationsExactly) {
  write_all();
  Grid mirrored = grid;  // the same places, x the other way round
  mirrored.affine.rows[0] = {3, 0, 0, -6};
  std::vector<float> x(volumes[4].size());
  for (std::size_t v = 0; v < x.size(); ++v) x[v] = volumes[4][v / 6 * 6 + 5 - v % 6];
  write_volume(files[4].file, mirrored, x);
  const auto loaded = load_volumes<float>(open(), {.shape = grid.shape});
  EXPECT_EQ(row(loaded.design, 4), volumes[4]);
}

TEST_F(Loading, ListsEveryVolumeOnAnotherGrid) {
  write_all();
  Grid moved = grid;
  moved.affine.rows[1][3] += 1;
  for (const int m : {0, 7, 19}) write_volume(files[m].file, moved, volumes[m]);
  EXPECT_SAYS(open(), "3 of 20", "/0.nii.gz", "/7.nii.gz", "/19.nii.gz", "`on-mismatch resample`");
  const VolumeSet set = open_volumes(files, OnMismatch::resample);
  EXPECT_TRUE(same_grid(set.grid, grid));  // the grid of the most, not of the first
  const auto loaded = load_volumes<float>(set, {.shape = grid.shape, .options = {.nan = OnNan::zero}});
  EXPECT_EQ(row(loaded.design, 1), volumes[1]);
  EXPECT_NE(row(loaded.design, 7), volumes[7]);
}

TEST_F(Loading, CountsWhatIsNotFinite) {
  volumes[2][2 + 6] = nan_value;                           // varies otherwise
  volumes[2][0] = std::numeric_limits<float>::infinity();  // at the rim
  volumes[5][3 + 12] = -std::numeric_limits<float>::infinity();
  write_all();
  const VolumeSet set = open();
  EXPECT_SAYS(load_volumes<float>(set, {.shape = grid.shape}), "/2.nii.gz (2 voxels)", "/5.nii.gz (1 voxel)",
              "`nan zero`");
  const auto zero = load_volumes<float>(set, {.shape = grid.shape, .options = {.nan = OnNan::zero}});
  EXPECT_EQ(zero.not_finite[2], 2);
  EXPECT_EQ(row(zero.design, 2)[2 + 6], 0);
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(grid.shape.size()), 1);
  mask[0] = mask[2 + 6] = 0;
  EXPECT_SAYS(load_volumes<float>(set, {.shape = grid.shape, .mask = mask}), "inside the mask", "/5.nii.gz (1 voxel)");
  mask[3 + 12] = 0;
  const auto masked = load_volumes<float>(set, {.shape = grid.shape, .mask = mask});
  EXPECT_EQ(masked.not_finite[2], 2);
  EXPECT_EQ(masked.not_finite_in_mask[2], 0);
  const auto learnt = load_volumes<float>(set, {.shape = grid.shape, .learn_mask = true});
  EXPECT_EQ(learnt.design.region().mask()[2 + 6], 0);
  EXPECT_EQ(learnt.design.region().mask()[2 + 6 + 1], 1);
}

// What a mask leaves out does not seep into it when volumes are resized, whether the mask is given or learnt.
TEST_F(Loading, ResizesWhatIsInsideTheMask) {
  volumes[2][2 + 6] = nan_value;
  write_all();
  const auto learnt = load_volumes<float>(open(), {.shape = {3, 4, 3}, .learn_mask = true});
  const Resizer resizer(grid.shape, {3, 4, 3});
  for (const int m : {0, 2, 19}) {
    std::vector<float> x = volumes[m];
    for (std::size_t v = 0; v < x.size(); ++v)
      if (!learnt.grid_mask[v]) x[v] = 0;
    EXPECT_EQ(x[2 + 6], 0);
    EXPECT_EQ(row(learnt.design, m), learnt.design.region().gather<float>(resizer.shrink<float>(x)));
  }
  const auto given = load_volumes<float>(open(), {.shape = {3, 4, 3}, .mask = learnt.grid_mask});
  EXPECT_TRUE(std::ranges::equal(given.design.x(), learnt.design.x()));
  EXPECT_EQ(given.design.region(), learnt.design.region());
}

TEST_F(Loading, ListsEveryFileThatCannotBeRead) {
  write_all();
  std::ofstream(files[3].file, std::ios::trunc) << "nothing of the kind";
  std::ofstream(files[8].file, std::ios::trunc) << "";
  EXPECT_SAYS(open(), "3.nii.gz", "8.nii.gz");
}

TEST_F(Loading, TakesOneVolumeOfMany) {
  std::vector<float> two = volumes[0];
  two.insert(two.end(), volumes[1].begin(), volumes[1].end());
  write_volume(folder / "many.nii", grid, two, {}, 2);
  files = {{folder / "many.nii", 1, 0, "many.nii"}, {folder / "many.nii", 0, 1, "many.nii"}};
  const auto loaded = load_volumes<float>(open(), {.shape = grid.shape});
  EXPECT_EQ(row(loaded.design, 0), volumes[1]);
  EXPECT_EQ(row(loaded.design, 1), volumes[0]);
  files = {{folder / "many.nii", {}, 0, "many.nii"}};
  EXPECT_SAYS(open(), "many.nii", "2 volumes", "column 'volume'");
  files[0].volume = 2;
  EXPECT_SAYS(open(), "many.nii", "no volume 2");
}

TEST_F(Loading, TheCacheGivesTheSameAndKnowsChanges) {
  volumes[3][10] = nan_value;
  write_all();
  const VolumeLoad load{.shape = {3, 4, 3}, .learn_mask = true};
  const VolumeSet set = open();
  const std::string key = cache_key(set, load, 4);
  EXPECT_FALSE(read_cache<float>(folder / "cache", key, set, load).has_value());
  const auto loaded = load_volumes<float>(set, load);
  write_cache(folder / "cache", key, set, loaded);
  const auto kept = read_cache<float>(folder / "cache", key, set, load);
  ASSERT_TRUE(kept.has_value());
  EXPECT_TRUE(std::ranges::equal(kept->design.x(), loaded.design.x()));
  EXPECT_EQ(kept->design.region(), loaded.design.region());
  EXPECT_EQ(kept->grid_mask, loaded.grid_mask);
  EXPECT_EQ(kept->not_finite, loaded.not_finite);

  EXPECT_EQ(cache_key(open(), load, 4), key);
  EXPECT_NE(cache_key(set, load, 8), key);
  EXPECT_NE(cache_key(set, {.shape = grid.shape, .learn_mask = true}, 4), key);
  EXPECT_NE(cache_key(set, {.shape = {3, 4, 3}, .options = {.nan = OnNan::zero}}, 4), key);
  std::swap(files[0], files[1]);
  EXPECT_NE(cache_key(open(), load, 4), key);
  std::swap(files[0], files[1]);
  volumes[7][9] += 1;
  write_volume(files[7].file, grid, volumes[7]);
  EXPECT_NE(cache_key(open(), load, 4), key);
  std::filesystem::resize_file(folder / "cache" / (key + ".npy"), 500);
  EXPECT_FALSE(read_cache<float>(folder / "cache", key, set, load).has_value());
}

}  // namespace
}  // namespace sturm
