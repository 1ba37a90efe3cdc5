// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/training_statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "message.h"
#include "models/fitting.h"

namespace sturm {
namespace {

/// Three samples of four voxels: one that varies, a constant one, one constant but for rounding, one that varies in the
/// sample that is left out alone.
Design<double> small_design() {
  AlignedVector<double> x = {1, 2, 6, 5, 5, 5, 1e6, 1e6 + 1e-3, 1e6, 3, 3, 99};
  return Design<double>::owning(Shape{2, 2, 1}, 3, std::move(x));
}

TEST(TrainingWeights, AllOneOrAsGiven) {
  EXPECT_EQ(training_weights({}, 3), (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(training_weights(std::vector<double>{2, 0, 1}, 3), (std::vector<double>{2, 0, 1}));
  EXPECT_SAYS(training_weights(std::vector<double>{2, 0}, 3), "3 volumes", "2 weights");
}

TEST(VoxelStatistics, OverTheSamplesThatCount) {
  const Design<double> x = small_design();
  const std::vector<double> weights = {1, 3, 0};
  const VoxelStatistics found = voxel_statistics(x, weights);
  EXPECT_DOUBLE_EQ(found.mean[0], 1.75);
  EXPECT_DOUBLE_EQ(found.deviation[0], std::sqrt((0.75 * 0.75 + 3 * 0.25 * 0.25) / 4));
  EXPECT_EQ(found.deviation[1], 0);
  EXPECT_EQ(found.deviation[2], 0) << "1e-9 of its value is rounding";
  EXPECT_EQ(found.deviation[3], 0) << "it varies only where the weight is 0";
  const std::vector<Index> some = {3, 0};
  EXPECT_EQ(voxel_statistics(x, some, weights).deviation, (std::vector<double>{0, found.deviation[0]}));
  EXPECT_EQ(inverse_deviation(0), 0);
  EXPECT_EQ(inverse_deviation(0.5), 2);
  EXPECT_EQ(inverse_deviation(std::numeric_limits<double>::quiet_NaN()), 0);
}

TEST(VoxelStatistics, WhatIsNotANumberCountsOnlyWhereTheSampleDoes) {
  AlignedVector<double> numbers = {1, 2, std::numeric_limits<double>::quiet_NaN()};
  const auto x = Design<double>::owning(Shape{1, 1, 1}, 3, std::move(numbers));
  EXPECT_TRUE(std::isnan(voxel_statistics(x, std::vector<double>{1, 1, 1}).deviation[0]));
  EXPECT_DOUBLE_EQ(voxel_statistics(x, std::vector<double>{1, 1, 0}).deviation[0], 0.5);
}

TEST(SampleStatistics, MeanAndLengthOfEveryVolume) {
  AlignedVector<double> numbers = {1, 7, 3, 7, 5, 7, 7, 7};  // two samples of four voxels; the second is constant
  const SampleStatistics found =
      sample_statistics(Design<double>::owning(Shape{2, 2, 1}, 2, std::move(numbers)), Normalize::sample);
  EXPECT_EQ(found.mean, (std::vector<double>{4, 7}));
  EXPECT_DOUBLE_EQ(found.inverse[0], 1 / std::sqrt(9.0 + 1 + 1 + 9));
  EXPECT_EQ(found.inverse[1], 0);
}

TEST(SampleStatistics, ScaleTheValuesOfAVoxel) {
  AlignedVector<double> numbers = {1, 7, 3, 7, 5, 7, 7, 7};
  const auto x = Design<double>::owning(Shape{2, 2, 1}, 2, std::move(numbers));
  EXPECT_TRUE(sample_statistics(x, Normalize::voxel).mean.empty()) << "samples are taken as they are";
  std::vector<double> out(2);
  EXPECT_EQ(scaled_samples(x, {}, 1, out.data()), 10);
  EXPECT_EQ(out, (std::vector<double>{3, 7}));
  EXPECT_DOUBLE_EQ(scaled_samples(x, sample_statistics(x, Normalize::sample), 1, out.data()), -1 / std::sqrt(20.0));
  EXPECT_EQ(out[1], 0);
}

TEST(ConstantVoxels, AreThoseOfOneValueThatIsNotZero) {
  AlignedVector<float> numbers = {1, 1, 5, 0, 0, 0, 2, 3, 2, 4, 4, 4};
  const auto x = Design<float>::owning(Shape{2, 2, 1}, 3, std::move(numbers));
  EXPECT_EQ(constant_voxels(x, std::vector<double>{1, 2, 0}), (std::vector<std::uint8_t>{1, 0, 0, 1}));
  EXPECT_EQ(constant_voxels(x, std::vector<double>{1, 0, 1}), (std::vector<std::uint8_t>{0, 0, 1, 1}));
  const auto one = part_of(x, {}, Region(Shape{2, 2, 1}, std::vector<std::uint8_t>{1, 1, 1, 0}));
  EXPECT_TRUE(constant_voxels(one, std::vector<double>{1, 1, 1}).empty());
}

}  // namespace
}  // namespace sturm
