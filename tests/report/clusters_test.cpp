// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/clusters.h"

#include <gtest/gtest.h>

#include "temporary.h"

namespace sturm {
namespace {

BrainMap empty_map(const Shape& shape) {
  return {TensorF(shape), {{{{-2, 0, 0, 10}, {0, 3, 0, -20}, {0, 0, 4, 5}}}}, true};
}

TEST(Clusters, FacesAndEdgesConnectAndCornersDoNot) {
  BrainMap map = empty_map({12, 12, 12});
  map.values(1, 1, 1) = 1;
  map.values(2, 2, 1) = -3;  // shares an edge with the first
  map.values(3, 3, 2) = 2;   // shares a corner with the second
  map.values(8, 8, 8) = 4;
  const ClusterList list = clusters_of(map, nullptr, nullptr);
  ASSERT_EQ(list.found, 3);
  EXPECT_EQ(list.rule, "connected voxels whose coefficient is not 0");
  // By weight: two clusters of 4, the first found first, then the one of 2.
  EXPECT_EQ(list.clusters[0].voxels, 2);
  EXPECT_EQ(list.clusters[0].peak_weight, -3);
  EXPECT_EQ(list.clusters[0].voxel, (std::array<Index, 3>{2, 2, 1}));
  EXPECT_EQ(list.clusters[0].peak, (Point{10 - 2 * 2, -20 + 3 * 2, 5 + 4 * 1}));
  EXPECT_DOUBLE_EQ(list.clusters[0].share, 0.4);
  EXPECT_DOUBLE_EQ(list.clusters[0].volume.value(), 2 * 24.0);
  EXPECT_EQ(list.clusters[1].voxel, (std::array<Index, 3>{8, 8, 8}));
  EXPECT_EQ(list.clusters[2].voxels, 1);
}

TEST(Clusters, OppositeEdgesOfTheBoxDoNotTouch) {
  BrainMap map = empty_map({10, 10, 10});
  map.values(9, 4, 4) = 1;
  map.values(0, 5, 4) = 1;  // the next voxel in memory
  EXPECT_EQ(clusters_of(map, nullptr, nullptr).found, 2);
}

TEST(Clusters, AMapWithoutZerosIsCutAtItsLargestWeights) {
  BrainMap map = empty_map({10, 10, 10});
  for (Index v = 0; v < 1000; ++v) map.values.flat()[v] = 0.01F;
  for (Index k = 2; k < 4; ++k)
    for (Index i = 3; i < 8; ++i)
      for (Index j = 5; j < 7; ++j) map.values(i, j, k) = i == 3 ? -2.0F : 1.0F;  // 20 voxels: 2 % of the box
  const ClusterList list = clusters_of(map, nullptr, nullptr);
  ASSERT_EQ(list.found, 1);
  EXPECT_EQ(list.clusters[0].voxels, 20);
  EXPECT_NE(list.rule.find("2 %"), std::string::npos);
}

TEST(Clusters, StabilityIsTheMeanOverTheVoxels) {
  BrainMap map = empty_map({10, 10, 10}), stability = map;
  map.values(4, 4, 4) = map.values(4, 4, 5) = 1;
  stability.values(4, 4, 4) = 1;
  stability.values(4, 4, 5) = 0.5;
  EXPECT_DOUBLE_EQ(clusters_of(map, &stability, nullptr).clusters[0].same_sign.value(), 0.75);
}

TEST(Clusters, AMapOfZerosHasNone) {
  EXPECT_TRUE(clusters_of(empty_map({4, 4, 4}), nullptr, nullptr).clusters.empty());
}

TEST(Clusters, RegionsAreLookedUpInTheWorld) {
  BrainMap map = empty_map({12, 12, 12});
  map.values(1, 2, 3) = 1;  // at (8, -14, 17)
  Atlas atlas{empty_map({5, 5, 5}), {}};
  atlas.map.affine = {{{{10, 0, 0, 0}, {0, 10, 0, -30}, {0, 0, 10, 0}}}};
  atlas.names[7] = "Left <b>";
  atlas.map.values(1, 2, 2) = 7;
  EXPECT_EQ(clusters_of(map, nullptr, &atlas).clusters[0].region, "Left <b>");
  EXPECT_EQ(atlas.region_at({1000, 0, 0}), "");
  atlas.names.clear();
  EXPECT_EQ(atlas.region_at({8, -14, 17}), "7");
}

}  // namespace
}  // namespace sturm
