// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/choose.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "message.h"

namespace sturm {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
using Grid = std::vector<Candidate>;

TEST(Choose, TheBestMean) {
  const Choice choice = choose(Grid{{{0.5, 0.5}, 0.9}, {{0.9, 0.7}, 0.1}, {{0.6, 0.8}, 0.5}});
  EXPECT_EQ(choice.chosen, 1);
  EXPECT_DOUBLE_EQ(choice.mean, 0.8);
  EXPECT_DOUBLE_EQ(choice.best, 0.8);
  EXPECT_NEAR(choice.standard_error, 0.1, 1e-15);  // sd = 0.2/sqrt(2), over sqrt(2)
}

TEST(Choose, OfEqualsTheSparserThenTheLargerPenalty) {
  EXPECT_EQ(choose(Grid{{{0.8}, 0.2}, {{0.8}, 0.9}, {{0.8}, 0.9}, {{0.7}, 1}}).chosen, 1);
  EXPECT_EQ(choose(Grid{{{0.7}, 1}, {{0.8}, 0.5}, {{0.8}, 0.5}}).chosen, 1);
  // The same scores in another order, whose sums differ in the last digit.
  EXPECT_EQ(choose(Grid{{{0.1, 0.2, 0.3}, 0.5}, {{0.3, 0.2, 0.1}, 0.5}}).chosen, 0);
  EXPECT_EQ(choose(Grid{{{0.3, 0.2, 0.1}, 0.5}, {{0.1, 0.2, 0.3}, 0.5}}).chosen, 0);
}

TEST(Choose, OneStandardErrorTakesTheSparsestInReach) {
  const Grid grid = {{{0.6, 0.6, 0.6}, 0.99}, {{0.7, 0.8, 0.75}, 0.9}, {{0.9, 0.7, 0.8}, 0.1}};
  EXPECT_EQ(choose(grid).chosen, 2);
  const Choice choice = choose(grid, {.one_standard_error = true});  // 0.8 - 0.1/sqrt(3) = 0.742
  EXPECT_EQ(choice.chosen, 1);
  EXPECT_DOUBLE_EQ(choice.mean, 0.75);
  EXPECT_DOUBLE_EQ(choice.best, 0.8);
}

TEST(Choose, ScoresThatAreMissing) {
  // No candidate has a score in the second fold: it does not count. The first lacks one that the other has.
  EXPECT_EQ(choose(Grid{{{none, none, 0.9}, 1}, {{0.6, none, 0.6}, 0}}).chosen, 1);
  EXPECT_SAYS(choose(Grid{{{none, none}, 1}, {{none, none}, 0}}), "`inner`");
  EXPECT_SAYS(choose(Grid{{{none, 1}, 1}, {{1, none}, 0}}), "grid");
}

// By hand: the best is 0.8 with an error of 0.15, so that 0.65 is near enough.
TEST(Choose, TheSparsestNearTheBest) {
  const Grid grid = {{{0.66, 0.66}, 1}, {{0.6, 0.6}, 0.99}, {{0.7, 0.7}, 0.9}, {{0.95, 0.65}, 0.1}};
  const Sparsest found = sparsest_near_best(grid, 3);
  EXPECT_EQ(found.position, 2) << "the first leaves nothing but zeros, the second is too far";
  EXPECT_DOUBLE_EQ(found.mean, 0.7);
  EXPECT_DOUBLE_EQ(found.best, 0.8);
  EXPECT_NEAR(found.standard_error, 0.15, 1e-12);
  // Of equally sparse ones the chosen, and otherwise the better.
  const Grid equal = {{{0.7, 0.7}, 0.5}, {{0.95, 0.65}, 0.5}, {{0.75, 0.75}, 0.5}};
  EXPECT_EQ(sparsest_near_best(equal, 0).position, 0);
  EXPECT_EQ(sparsest_near_best(equal, 2).position, 2);
  EXPECT_EQ(sparsest_near_best(Grid{{{0.7, 0.7}, 0.5}, {{0.95, 0.65}, 0.5}, {{0.1, 0.1}, 0.9}}, 2).position, 1);
  // Without noise nothing is near the best, and of maps without a voxel there is but the chosen one.
  EXPECT_EQ(sparsest_near_best(Grid{{{0.7, 0.7}, 0.9}, {{0.8, 0.8}, 0.5}}, 1).position, 1);
  EXPECT_EQ(sparsest_near_best(Grid{{{0.5, 0.5}, 1}, {{0.5, 0.5}, 1}}, 0).position, 0);
}

TEST(Choose, ThoseThatCouldBeTheSparsest) {
  const Grid grid = {{{0.6, 0.6}, 0.99}, {{0.7, 0.7}, 0.9}, {{0.95, 0.65}, 0.1}};
  EXPECT_EQ(could_be_sparsest(grid, 2, 0), (std::vector<Index>{1}));
  // The first with 0.66; the second; and the third with 0.86, of which 0.7 is more than 0.15 short.
  EXPECT_EQ(could_be_sparsest(grid, 2, 0.06), (std::vector<Index>{0, 1, 2}));
}

// By hand: with 0.1 more the second has 0.85 against 0.8, and the first 0.7.
TEST(Choose, ThoseThatCouldBeChosen) {
  const Grid grid = {{{0.6, 0.6}, 0.9}, {{0.75, 0.75}, 0.5}, {{0.8, 0.8}, 0.1}};
  EXPECT_EQ(could_be_chosen(grid, 0), (std::vector<Index>{2}));
  EXPECT_EQ(could_be_chosen(grid, 0.1), (std::vector<Index>{1, 2}));
  EXPECT_EQ(could_be_chosen(grid, 0.2), (std::vector<Index>{0, 1, 2}));  // a tie goes to the sparser
  // Within one standard error, 0.15, of the best the sparsest is taken: the second, and the first with 0.1 more.
  const Grid spread = {{{0.6, 0.6}, 0.9}, {{0.75, 0.75}, 0.5}, {{0.95, 0.65}, 0.1}};
  EXPECT_EQ(could_be_chosen(spread, 0, {.one_standard_error = true}), (std::vector<Index>{1}));
  EXPECT_EQ(could_be_chosen(spread, 0.1, {.one_standard_error = true}), (std::vector<Index>{0, 1}));
}

}  // namespace
}  // namespace sturm
