// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/inner_scores.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace sturm {
namespace {

/// One grid of one point in two folds, of three classes, with the models noted in the order given.
NestedOutcome noted(const std::vector<InnerPlace>& order) {
  std::vector<std::vector<NestedOutcome>> outcomes(1, std::vector<NestedOutcome>(1));
  GridPoint& point = outcomes[0][0].grid.emplace_back();
  point.scores = point.gaps = {-1, -1};
  const Folds folds{{0, 0, 0, 1, 1, 1}, {"1", "2"}};
  InnerScores scores(3, Score::accuracy);
  const std::vector<double> actual = {0, 1, 2};
  for (const InnerPlace& place : order) {
    FitReport report;
    report.sparsity = 0.1 * (place.part + 1) + 0.03 * place.fold;
    report.sparsity_in_mask = 2 * report.sparsity;
    report.relative_gap = place.part == 1 ? std::nan("") : 0.01 * (place.part + 1);
    report.status = place.fold == 1 && place.part > 0 ? Status::iteration_limit : Status::converged;
    std::vector<double> values(3, 0.0);
    values[place.fold == 0 ? place.part : 0] = 1;  // the second fold takes every sample for the first class
    scores.note(place, values, report, actual, point);
  }
  scores.set_sparsity(outcomes, {&folds, 1});
  return outcomes[0][0];
}

std::vector<InnerPlace> every_place() {
  std::vector<InnerPlace> out;
  for (int fold = 0; fold < 2; ++fold)
    for (int part = 0; part < 3; ++part) out.push_back({0, 0, 0, fold, part});
  return out;
}

TEST(InnerScores, ClassesAnswerTogether) {
  const GridPoint point = noted(every_place()).grid[0];
  EXPECT_EQ(point.scores[0], 1);
  EXPECT_DOUBLE_EQ(point.scores[1], 1.0 / 3) << "equal values are of the first class";
  EXPECT_DOUBLE_EQ(point.sparsity, (0.2 + 0.23) / 2);
  EXPECT_DOUBLE_EQ(point.sparsity_in_mask, 0.2 + 0.23);
  EXPECT_EQ(point.gaps, (std::vector<double>{0.03, 0.03})) << "the largest of those that are proven";
  EXPECT_EQ(point.unconverged, 2);
}

// To the bit, whatever comes first.
TEST(InnerScores, TheOrderOfTheModelsDoesNotMatter) {
  const GridPoint expected = noted(every_place()).grid[0];
  std::vector<InnerPlace> order = every_place();
  std::rotate(order.begin(), order.begin() + 2, order.end());
  for (int turn = 0; turn < 2; ++turn) {
    const GridPoint point = noted(order).grid[0];
    EXPECT_EQ(point.scores, expected.scores);
    EXPECT_EQ(point.sparsity, expected.sparsity);
    EXPECT_EQ(point.gaps, expected.gaps);
    EXPECT_EQ(point.unconverged, expected.unconverged);
    std::ranges::reverse(order);
  }
}

TEST(InnerScores, AFoldWithoutAllItsClassesHasNoScore) {
  std::vector<InnerPlace> order = every_place();
  order.pop_back();
  const GridPoint point = noted(order).grid[0];
  EXPECT_EQ(point.scores, (std::vector<double>{1, -1}));
  EXPECT_DOUBLE_EQ(point.sparsity, 0.1) << "of one fold, over both";
}

}  // namespace
}  // namespace sturm
