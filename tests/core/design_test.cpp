// SPDX-License-Identifier: BSD-3-Clause
// Designs that have columns for the voxels of a region alone.
#include "sturm/core/design.h"

#include <gtest/gtest.h>

#include "core/small_box.h"
#include "message.h"
#include "sturm/core/parallel.h"

namespace sturm {
namespace {

using test::box;
using test::thirds;

/// Element (m, voxel) is 1000 m + voxel: it says where it came from.
template <class Real>
Design<Real> numbered(const Region& region, Index samples) {
  AlignedVector<Real> x(samples * region.size());
  for (Index c = 0; c < region.size(); ++c)
    for (Index m = 0; m < samples; ++m) x[m + samples * c] = static_cast<Real>(1000 * m + region.voxel(c));
  return Design<Real>::owning(region, samples, std::move(x));
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
