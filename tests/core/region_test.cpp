// SPDX-License-Identifier: BSD-3-Clause
// Regions of a box.
#include "sturm/core/region.h"

#include <gtest/gtest.h>

#include "core/small_box.h"
#include "message.h"
#include "sturm/core/rng.h"

namespace sturm {
namespace {

using test::box;
using test::thirds;

TEST(Region, OfAWholeBoxIsEveryVoxel) {
  const std::vector<std::uint8_t> all(box.size(), 1);
  for (const Region& region : {Region(box), Region(box, {}), Region(box, all)}) {
    EXPECT_TRUE(region.whole());
    EXPECT_EQ(region.size(), 24);
    EXPECT_EQ(region.voxel(17), 17);
    EXPECT_TRUE(region.mask().empty());
    EXPECT_EQ(region.column_shape(), box);
    EXPECT_EQ(region, Region(box));
  }
}

TEST(Region, OfAMaskIsItsVoxelsInTensorOrder) {
  const Region region(box, thirds(box));
  EXPECT_FALSE(region.whole());
  ASSERT_EQ(region.size(), 8);
  for (Index c = 0; c < 8; ++c) EXPECT_EQ(region.voxel(c), 3 * c + 1);
  EXPECT_EQ(region.box(), box);
  EXPECT_EQ(region.column_shape(), (Shape{8, 1, 1}));
  const std::vector<std::uint8_t> mask = region.mask();
  for (Index v = 0; v < 24; ++v) EXPECT_EQ(mask[v], v % 3 == 1);
}

TEST(Region, EqualityIsThatOfBoxAndVoxels) {
  std::vector<std::uint8_t> mask = thirds(box);
  const Region region(box, mask), copy = region;
  EXPECT_EQ(region, copy);
  EXPECT_EQ(region, Region(box, mask));
  EXPECT_FALSE(region == Region(box));
  EXPECT_FALSE(region == Region({3, 4, 2}, mask));
  mask[0] = 1;
  EXPECT_FALSE(region == Region(box, mask));
}

TEST(Region, SpreadsAndGathers) {
  const Region region(box, thirds(box));
  const std::vector<float> values{1, 2, 3, 4, 5, 6, 7, 8};
  const TensorF spread = region.spread<float>(values);
  EXPECT_EQ(spread.shape(), box);
  for (Index v = 0; v < 24; ++v) EXPECT_EQ(spread.flat()[v], v % 3 == 1 ? static_cast<float>(v / 3 + 1) : 0.0F);
  EXPECT_EQ(region.gather<float>(spread.flat()), values);
  EXPECT_EQ(region.gather<std::uint8_t>(region.mask()), std::vector<std::uint8_t>(8, 1));
  const Tensor whole = random_normal(box, 3);
  EXPECT_EQ(Region(box).spread<double>(whole.flat()), whole);
}

TEST(Region, RefusesMasksThatCannotBeMeant) {
  EXPECT_SAYS(Region(box, std::vector<std::uint8_t>(24)), "empty");
  EXPECT_SAYS(Region(box, std::vector<std::uint8_t>(25, 1)), "25", "24");
  EXPECT_THROW(Region(Shape{0, 3, 2}), Error);
}

}  // namespace
}  // namespace sturm
