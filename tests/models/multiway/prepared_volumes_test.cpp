// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/multiway/prepared_volumes.h"

#include <gtest/gtest.h>

#include "models/classes.h"

namespace sturm {
namespace {

TEST(PreparedVolumes, AreZeroOutsideTheRegionAndOnTheirScaleInside) {
  const auto data = test::two_classes({2, 2, 2}, 3, 1, 1);
  const std::vector<std::uint8_t> mask = {1, 0, 1, 1, 0, 1, 0, 0};
  const Design<double> inside = masked(data.design, mask);
  const Tensor plain = volume_of(inside, 2, {});
  const Tensor scaled = volume_of(inside, 2, {{1, 2, 3, 4}, {1, 0, 2, 0.5}});
  std::size_t column = 0;
  for (Index v = 0; v < 8; ++v) {
    const double value = data.design.column(v)[2];
    EXPECT_EQ(plain.flat()[v], mask[v] ? value : 0);
    const double mean[] = {1, 2, 3, 4}, inverse[] = {1, 0, 2, 0.5};
    EXPECT_EQ(scaled.flat()[v], mask[v] ? (value - mean[column]) * inverse[column] : 0);
    column += mask[v];
  }
}

}  // namespace
}  // namespace sturm
