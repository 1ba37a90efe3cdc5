// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/stability.h"

#include <gtest/gtest.h>

#include "study/outcomes.h"

namespace sturm {
namespace {

TEST(Stability, AddsSignsBySize) {
  test::HandMade study = test::hand_made();
  FoldOutcome& second = study.at("lasso/fold 2");
  second.positive = {0b0001};
  second.negative = {0b0110};
  FoldOutcome& small = study.at("lasso/fold 3");
  small.resize = 0.5;
  small.shape = {1, 1, 1};
  small.positive = {0};
  small.negative = {1};
  const std::vector<Stability> parts = stability_of("lasso", study.plan, study.outcomes);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].resize, 0.5);
  EXPECT_EQ(parts[0].folds, 1);
  EXPECT_EQ(parts[0].agree, std::vector<std::uint16_t>{1}) << "below 0 in every fold";
  // Voxel 0 twice above 0; 1 once below; 2 above and below; 3 never.
  EXPECT_EQ(parts[1].agree, (std::vector<std::uint16_t>{2, 1, 0, 0}));
  EXPECT_TRUE(stability_of("svm", study.plan, study.outcomes).empty()) << "no map, no stability";
}

TEST(Stability, OfSeveralClassesThatOfTheSteadiest) {
  test::HandMade study = test::hand_made();
  for (const char* fold : {"1", "2", "3"}) {
    FoldOutcome& outcome = study.at(std::string("lasso/fold ") + fold);
    const bool first = *fold == '1';
    // The first class changes its mind about voxel 0, the second never does; both do about voxel 1.
    outcome.positive = {static_cast<std::uint8_t>(first ? 0b11 : 0b00), static_cast<std::uint8_t>(first ? 0b10 : 0b00)};
    outcome.negative = {static_cast<std::uint8_t>(first ? 0b00 : 0b11), static_cast<std::uint8_t>(first ? 0b01 : 0b11)};
  }
  const std::vector<Stability> parts = stability_of("lasso", study.plan, study.outcomes);
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].agree, (std::vector<std::uint16_t>{3, 1, 0, 0}));
}

}  // namespace
}  // namespace sturm
