// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/stand_in.h"

#include <gtest/gtest.h>

namespace sturm {
namespace {

TEST(StandIn, IsSmallAndOfTheSameProportions) {
  const Design<float> large = stand_in<float>(5, {181, 217, 181});
  EXPECT_EQ(large.samples(), 5);
  EXPECT_LE(large.voxels(), 4500);
  EXPECT_GE(large.voxels(), 3500);
  EXPECT_NEAR(static_cast<double>(large.shape().n2) / static_cast<double>(large.shape().n1), 217.0 / 181, 0.1);
  EXPECT_EQ(stand_in<double>(3, {4, 5, 6}).shape(), (Shape{4, 5, 6})) << "what is small stays";
  EXPECT_NE(large.column(0)[0], large.column(0)[1]);
}

}  // namespace
}  // namespace sturm
