// SPDX-License-Identifier: BSD-3-Clause
// Which voxels a loaded design has: those of the mask, or those that some mask may hold, and no more. Every comparison
// is of the same numbers in another place: there is nothing to round.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "imaging/loading.h"
#include "message.h"
#include "sturm/core/safetensors.h"
#include "sturm/imaging/cache.h"
#include "sturm/imaging/resize.h"

namespace sturm {
namespace {

using Mask = std::vector<std::uint8_t>;
using test::nan_value;

const Shape small{3, 4, 3};

class LoadRegion : public test::Loading {
 protected:
  /// Every fifth voxel is out, and so are two planes: at half the size voxels are left out, too.
  Mask given_mask() const {
    Mask out(static_cast<std::size_t>(grid.shape.size()), 1);
    for (std::size_t v = 0; v < out.size(); ++v) out[v] = v % 5 != 0 && v >= 2 * 42;
    return out;
  }
  /// A volume as it should stand in the box: 0 where it is not finite or outside the mask, then resized.
  std::vector<float> expected(Index m, const Mask& mask, const Shape& shape) const {
    std::vector<float> x = volumes[m];
    for (std::size_t v = 0; v < x.size(); ++v)
      if (!std::isfinite(x[v]) || (!mask.empty() && !mask[v])) x[v] = 0;
    return shape == grid.shape ? x : Resizer(grid.shape, shape).shrink<float>(x);
  }
  /// Voxels whose expected values are not one and the same in all volumes.
  Mask varying_by_hand(const Shape& shape) const {
    const std::vector<float> first = expected(0, {}, shape);
    Mask out(first.size());
    for (Index m = 1; m < 20; ++m) {
      const std::vector<float> x = expected(m, {}, shape);
      for (std::size_t v = 0; v < x.size(); ++v) out[v] = out[v] || x[v] != first[v];
    }
    return out;
  }
  /// The columns are the voxels of `inside`, and hold what they should.
  void expect_columns(const Design<float>& x, const Mask& inside, const Mask& mask, const Shape& shape) {
    EXPECT_EQ(x.shape(), shape);
    EXPECT_EQ(x.region(), Region(shape, inside));
    EXPECT_EQ(static_cast<Index>(x.x().size()), 20 * std::ranges::count(inside, 1));
    for (Index m = 0; m < 20; ++m)
      EXPECT_EQ(row(x, m), Region(shape, inside).gather<float>(expected(m, mask, shape))) << m;
  }
};

TEST_F(LoadRegion, HoldsTheVoxelsOfTheMaskAndNoMore) {
  volumes[2][5] = nan_value;  // outside both masks
  write_all();
  Mask given = given_mask();
  Mask learnt(given.size());
  for (std::size_t v = 0; v < learnt.size(); ++v) learnt[v] = v % 6 >= 2 && v % 6 <= 4;
  for (const bool learn : {false, true})
    for (const Shape& shape : {grid.shape, small}) {
      VolumeLoad load{.shape = shape, .learn_mask = learn};
      if (!learn) load.mask = given;
      Index asked = 0, checked = 0;
      load.check = [&](const Region& region, Index) {
        ++asked;
        checked = region.size();
      };
      const auto loaded = load_volumes<float>(open(), load);
      const Mask& mask = learn ? learnt : given;
      EXPECT_EQ(loaded.grid_mask, mask);
      const Mask inside = shape == grid.shape ? mask : resize_mask(Resizer(grid.shape, shape), mask);
      ASSERT_LT(std::ranges::count(inside, 1), shape.size()) << "the test would not see a whole box";
      expect_columns(loaded.design, inside, mask, shape);
      EXPECT_EQ(asked, 1);
      EXPECT_EQ(checked, loaded.design.voxels()) << "memory is checked for the design that is made";
    }
}

TEST_F(LoadRegion, WithoutAMaskItIsTheBox) {
  write_all();
  for (const Shape& shape : {grid.shape, small}) {
    const auto loaded = load_volumes<float>(open(), {.shape = shape});
    EXPECT_TRUE(loaded.design.region().whole());
    EXPECT_TRUE(loaded.grid_mask.empty());
    expect_columns(loaded.design, Mask(static_cast<std::size_t>(shape.size()), 1), {}, shape);
  }
  const Mask ones(static_cast<std::size_t>(grid.shape.size()), 1);
  EXPECT_TRUE(load_volumes<float>(open(), {.shape = grid.shape, .mask = ones}).design.region().whole());
}

// A voxel that differs in one volume alone is kept, one that has the same value everywhere is not, whatever the value.
TEST_F(LoadRegion, MasksLaterKeepsExactlyWhatVaries) {
  for (auto& x : volumes) {
    x[3 + 6] = 7;                                   // constant inside
    x[0] = std::numeric_limits<float>::infinity();  // counts as 0 everywhere: constant
    x[3 + 12] = x[2 + 12] = x[4 + 12] = 0;
  }
  volumes[19][5 + 12] = 1;         // in the last volume alone
  volumes[4][5 + 18] = nan_value;  // 0 like the others
  volumes[4][2 + 24] = nan_value;  // 0 unlike the others
  write_all();
  const auto loaded = load_volumes<float>(open(), {.shape = grid.shape, .masks_later = true});
  const Mask by_hand = varying_by_hand(grid.shape);
  for (const int v : {0, 3 + 6, 3 + 12, 5 + 18}) EXPECT_EQ(by_hand[v], 0) << v;
  for (const int v : {5 + 12, 2 + 24}) EXPECT_EQ(by_hand[v], 1) << v;
  expect_columns(loaded.design, by_hand, {}, grid.shape);
  EXPECT_TRUE(loaded.grid_mask.empty());
  EXPECT_FALSE(loaded.rim.has_value());
  EXPECT_EQ(loaded.not_finite[4], 3);
  EXPECT_EQ(loaded.not_finite[5], 1);

  // On a coarser grid: what every volume covers there, and beside it, on their own grid, what some of them lack.
  const auto coarse = load_volumes<float>(open(), {.shape = small, .masks_later = true});
  ASSERT_TRUE(coarse.rim.has_value());
  Mask always(by_hand.size(), 1);
  for (const auto& x : volumes)
    for (std::size_t v = 0; v < x.size(); ++v)
      if (x[v] == 0 || !std::isfinite(x[v])) always[v] = 0;
  const Mask rim = coarse.rim->region().mask();
  for (std::size_t v = 0; v < rim.size(); ++v) EXPECT_EQ(rim[v] != 0, by_hand[v] && !always[v]) << v;
  expect_columns(coarse.design, touched(Resizer(grid.shape, small), by_hand), always, small);
  for (Index m = 0; m < 20; ++m)
    for (Index c = 0; c < coarse.rim->voxels(); ++c)
      EXPECT_EQ(coarse.rim->column(c)[m], expected(m, {}, grid.shape)[coarse.rim->region().voxel(c)]);
}

TEST_F(LoadRegion, VolumesThatAreAllTheSameStayWhole) {
  for (auto& x : volumes) x = volumes[0];
  write_all();
  const auto loaded = load_volumes<float>(open(), {.shape = grid.shape, .masks_later = true});
  EXPECT_TRUE(loaded.design.region().whole());
  EXPECT_SAYS(auto_mask(loaded.design), "`mask auto`", "sturm check");
}

/// The mask of some rows, or what is said in its place.
std::string learnt(const Design<float>& x, std::span<const Index> rows) {
  try {
    const Mask mask = auto_mask(x, rows);
    return {mask.begin(), mask.end()};
  } catch (const Error& error) {
    return error.what();
  }
}

// What a fold's mask is learnt from: voxels that are the same in all volumes are so in some of them too. All pairs of
// rows, every row alone (where nothing varies), and 200 sets at random, of a brain in zeros and of one in noise, where
// the mask is cut by brightness and its holes are filled.
TEST_F(LoadRegion, MasksOfRowsAreThoseOfTheWholeBox) {
  for (const bool noisy : {false, true}) {
    if (noisy)
      for (std::size_t m = 0; m < volumes.size(); ++m) {
        const Tensor noise = random_normal(grid.shape, 21, m);
        for (Index v = 0; v < grid.shape.size(); ++v) {
          const bool hole = v == 3 + 6 * (3 + 7 * 2);
          const bool bright = v % 6 >= 2 && v % 6 <= 4 && !hole;
          // Faint noise but for a plane of zeros; the last volumes have none in another plane either.
          const bool dark = v % 6 == 0 || (v % 6 == 1 && m > 12);
          volumes[m][v] = dark ? 0 : static_cast<float>((bright ? 1000 : 1) * (1 + 0.1 * noise.data()[v]));
        }
      }
    volumes[6][3 + 12] = nan_value;
    write_all();
    for (const Shape& shape : {grid.shape}) {  // a coarser grid: learnt_mask_test.cpp
      const VolumeOptions zero{.nan = OnNan::zero};
      const auto whole = load_volumes<float>(open(), {.shape = shape, .options = zero}).design;
      const auto varying = load_volumes<float>(open(), {.shape = shape, .masks_later = true}).design;
      EXPECT_TRUE(whole.region().whole());
      if (shape == grid.shape) {
        EXPECT_LT(varying.voxels(), whole.voxels()) << "the test would say nothing";
      }
      EXPECT_EQ(learnt(varying, {}), learnt(whole, {}));
      for (Index a = 0; a < 20; ++a)
        for (Index b = a; b < 20; ++b) {
          const std::vector<Index> rows = a == b ? std::vector{a} : std::vector{a, b};
          ASSERT_EQ(learnt(varying, rows), learnt(whole, rows)) << a << " " << b;
        }
      Rng rng(5);
      for (int trial = 0; trial < 200; ++trial) {
        std::vector<Index> rows;
        for (Index m = 0; m < 20; ++m)
          if (rng.uniform() < 0.5) rows.push_back(m);
        if (rows.empty()) continue;
        ASSERT_EQ(learnt(varying, rows), learnt(whole, rows)) << trial;
      }
    }
  }
}

// The volumes of a 4-D file, in order or not, are what they are in files of their own.
TEST_F(LoadRegion, FourDimensionalFilesGiveTheSameDesign) {
  volumes[3][2 + 6] = nan_value;
  write_all();
  const std::vector<SampleFile> single = files;
  std::vector<float> all;
  for (const auto& x : volumes) all.insert(all.end(), x.begin(), x.end());
  write_volume(folder / "all.nii.gz", grid, all, {}, 20);
  std::vector<Index> order(20);
  std::iota(order.begin(), order.end(), 0);
  for (const bool shuffled : {false, true}) {
    if (shuffled) std::rotate(order.begin(), order.begin() + 7, order.end()), std::swap(order[2], order[11]);
    std::vector<SampleFile> many, one;
    for (Index m = 0; m < 20; ++m) {
      many.push_back({folder / "all.nii.gz", order[m], m, "all.nii.gz"});
      one.push_back(single[order[m]]);
    }
    VolumeLoad ways[] = {{.shape = small, .learn_mask = true},
                         {.shape = grid.shape, .mask = given_mask()},
                         {.shape = grid.shape, .masks_later = true},
                         {.shape = small, .masks_later = true}};
    for (VolumeLoad& load : ways) {
      load.options.nan = OnNan::zero;
      files = one;
      const auto a = load_volumes<float>(open(), load);
      files = many;
      const auto b = load_volumes<float>(open(), load);
      EXPECT_EQ(a.design.region(), b.design.region());
      EXPECT_TRUE(std::ranges::equal(a.design.x(), b.design.x()));
      EXPECT_EQ(a.grid_mask, b.grid_mask);
      EXPECT_EQ(a.not_finite, b.not_finite);
      EXPECT_EQ(a.not_finite_in_mask, b.not_finite_in_mask);
    }
  }
}

class CachedRegion : public LoadRegion {
 protected:
  CachedRegion() {
    volumes[3][2 + 6] = nan_value;                // outside the given mask
    volumes[3][2 + 6 * (3 + 7 * 2)] = nan_value;  // inside
    write_all();
    ways.resize(10);
    for (std::size_t w = 0; w < 8; ++w) ways[w].shape = w < 4 ? grid.shape : small;
    for (const std::size_t first : {0, 4}) {
      ways[first].learn_mask = true;
      ways[first + 1].mask = given_mask();
      ways[first + 2].masks_later = true;
    }
    Mask columns(static_cast<std::size_t>(small.size()));
    columns[5] = columns[20] = 1;
    ways[8].shape = small;
    ways[8].mask = given_mask();
    ways[8].region = Region(small, columns);
    ways[9] = ways[5];
    ways[9].region = Region(small);  // every voxel, where the mask alone would have some
    for (VolumeLoad& load : ways) load.options.nan = OnNan::zero;
  }
  std::vector<VolumeLoad>
      ways;  ///< learnt, given, varying, whole; the same at half the size; given columns, some and all
};

TEST_F(CachedRegion, GivesBackRegionBytesAndCounts) {
  const VolumeSet set = open();
  std::vector<std::string> keys;
  for (const VolumeLoad& load : ways) {
    keys.push_back(cache_key(set, load, 4));
    const auto loaded = load_volumes<float>(set, load);
    write_cache(folder / "cache", keys.back(), set, loaded);
    const auto kept = read_cache<float>(folder / "cache", keys.back(), set, load);
    ASSERT_TRUE(kept.has_value());
    EXPECT_EQ(kept->design.region(), loaded.design.region());
    EXPECT_EQ(kept->design.samples(), 20);
    EXPECT_TRUE(std::ranges::equal(kept->design.x(), loaded.design.x()));
    EXPECT_EQ(kept->grid_mask, loaded.grid_mask);
    EXPECT_EQ(kept->not_finite, loaded.not_finite);
    EXPECT_EQ(kept->not_finite_in_mask, loaded.not_finite_in_mask);
    EXPECT_EQ(kept->not_finite[3], 2);
    if (!load.mask.empty()) {
      EXPECT_EQ(kept->not_finite_in_mask[3], 1);
    }
    // The file holds these numbers and a header of 128 bytes.
    EXPECT_EQ(std::filesystem::file_size(folder / "cache" / (keys.back() + ".npy")),
              128 + 4 * loaded.design.x().size());
  }
  std::ranges::sort(keys);
  EXPECT_EQ(std::ranges::adjacent_find(keys), keys.end()) << "every way has a name of its own";
}

// A whole box under an older word for the layout, even where its name and its size fit: it is written anew.
TEST_F(CachedRegion, AnOlderLayoutIsNotUsed) {
  const VolumeSet set = open();
  const VolumeLoad& load = ways[8];
  const VolumeLoad box{.shape = small, .options = load.options};
  const std::string key = cache_key(set, load, 4);
  write_cache(folder / "cache", key, set, load_volumes<float>(set, box));
  const auto file = folder / "cache" / (key + ".safetensors");
  SafeTensors content = read_safetensors(file);
  for (const char* word : {"sturm-cache-1", ""}) {
    content.metadata["format"] = word;
    write_safetensors(file, content);
    EXPECT_FALSE(read_cache<float>(folder / "cache", key, set, load).has_value()) << word;
  }
  content.metadata.erase("format");
  write_safetensors(file, content);
  EXPECT_FALSE(read_cache<float>(folder / "cache", key, set, load).has_value());
  const auto loaded = load_volumes<float>(set, load);
  write_cache(folder / "cache", key, set, loaded);
  const auto kept = read_cache<float>(folder / "cache", key, set, load);
  ASSERT_TRUE(kept.has_value());
  EXPECT_EQ(kept->design.region(), loaded.design.region());
}

// Numbers of another region than the one that is told beside them.
TEST_F(CachedRegion, NumbersThatDoNotFitTheRegionAreNotUsed) {
  const VolumeSet set = open();
  for (const VolumeLoad* load : {&ways[0], &ways[3]}) {
    const VolumeLoad& other = load == &ways[0] ? ways[3] : ways[0];
    const std::string key = cache_key(set, *load, 4), wrong = cache_key(set, other, 4);
    write_cache(folder / "cache", key, set, load_volumes<float>(set, *load));
    write_cache(folder / "cache", wrong, set, load_volumes<float>(set, other));
    std::filesystem::copy_file(folder / "cache" / (wrong + ".npy"), folder / "cache" / (key + ".npy"),
                               std::filesystem::copy_options::overwrite_existing);
    EXPECT_FALSE(read_cache<float>(folder / "cache", key, set, *load).has_value());
  }
}

}  // namespace
}  // namespace sturm
