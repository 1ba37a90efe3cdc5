// SPDX-License-Identifier: BSD-3-Clause
// Regions of a box, and designs that have columns for their voxels alone.
#include "sturm/core/region.h"

#include <gtest/gtest.h>

#include "message.h"
#include "sturm/core/design.h"
#include "sturm/core/parallel.h"
#include "sturm/core/rng.h"

namespace sturm {
namespace {

const Shape box{4, 3, 2};

/// Every third voxel, among them neither the first nor the last.
std::vector<std::uint8_t> thirds(const Shape& shape) {
  std::vector<std::uint8_t> out(shape.size());
  for (Index v = 1; v < shape.size(); v += 3) out[v] = 7;  // any byte but 0
  return out;
}

/// Element (m, voxel) is 1000 m + voxel: it says where it came from.
template <class Real>
Design<Real> numbered(const Region& region, Index samples) {
  AlignedVector<Real> x(samples * region.size());
  for (Index c = 0; c < region.size(); ++c)
    for (Index m = 0; m < samples; ++m) x[m + samples * c] = static_cast<Real>(1000 * m + region.voxel(c));
  return Design<Real>::owning(region, samples, std::move(x));
}

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

TEST(Design, PartsAreTheNumbersAskedFor) {
  // More columns than one piece of the parallel loop.
  const Shape large{30, 20, 9};
  const Region region(large, thirds(large));
  const std::vector<Index> rows{4, 0, 4};
  for (const int workers : {1, 3}) {
    const UseThreads team(workers);
    const Design<float> x = numbered<float>(large, 5), part = part_of(x, rows, region);
    EXPECT_EQ(part.region(), region);
    EXPECT_EQ(part.shape(), large);
    EXPECT_EQ(part.voxels(), region.size());
    ASSERT_EQ(part.samples(), 3);
    for (Index c = 0; c < part.voxels(); ++c)
      for (Index m = 0; m < 3; ++m) ASSERT_EQ(part.column(c)[m], static_cast<float>(1000 * rows[m] + region.voxel(c)));
  }
}

TEST(Design, PartsOfPartsAreParts) {
  const Design<double> x = numbered<double>(box, 4);
  std::vector<std::uint8_t> less = thirds(box);
  const Design<double> some = masked(x, less);
  less[4] = less[13] = 0;
  const Design<double> fewer = masked(some, less), at_once = masked(x, less);
  EXPECT_EQ(fewer.region(), at_once.region());
  EXPECT_TRUE(std::ranges::equal(fewer.x(), at_once.x()));
  const std::vector<Index> rows{2, 1};
  EXPECT_TRUE(std::ranges::equal(rows_of(fewer, rows).x(), part_of(x, rows, fewer.region()).x()));
}

TEST(Design, NothingIsCopiedWhereNothingIsLeftOut) {
  const Design<double> x = numbered<double>(box, 4);
  EXPECT_EQ(masked(x, {}).x().data(), x.x().data());
  EXPECT_EQ(masked(x, std::vector<std::uint8_t>(24, 1)).x().data(), x.x().data());
  const Design<double> some = masked(x, thirds(box));
  EXPECT_EQ(masked(some, thirds(box)).x().data(), some.x().data());
  EXPECT_EQ(some.with_region(Shape{2, 2, 2}).x().data(), some.x().data());
}

TEST(Design, RefusesWhatItDoesNotHave) {
  const Design<double> x = numbered<double>(box, 4), some = masked(x, thirds(box));
  std::vector<std::uint8_t> other = thirds(box);
  for (const Index missing : {0, 12, 23}) {  // before, among and behind those that were loaded
    other[missing] = 1;
    EXPECT_SAYS(masked(some, other), "not among those");
    other[missing] = 0;
  }
  EXPECT_THROW(part_of(some, {}, Region(box)), Error);
  EXPECT_THROW(part_of(x, {}, Region(Shape{4, 2, 3})), Error) << "another box";
  EXPECT_THROW(masked(x, std::vector<std::uint8_t>(24)), Error);
  EXPECT_THROW(masked(x, std::vector<std::uint8_t>(23, 1)), Error);
  EXPECT_THROW(rows_of(x, {}), Error);
  EXPECT_THROW(some.with_region(box), Error);
  EXPECT_THROW(Design<double>::owning(box, 0, {}), Error);
  EXPECT_THROW(Design<double>::owning(Region(box, thirds(box)), 4, AlignedVector<double>(96)), Error);
}

}  // namespace
}  // namespace sturm
