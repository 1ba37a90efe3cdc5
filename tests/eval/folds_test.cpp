// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/folds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "eval/keys.h"
#include "message.h"

namespace sturm {
namespace {

FoldChoice count(int folds) { return parse_folds(std::to_string(folds), "outer"); }

SampleKeys two_classes(Index negative, Index positive) {
  SampleKeys keys;
  keys.classification = true;
  keys.class_names = {{-1, "control"}, {1, "patient"}};
  for (Index m = 0; m < negative + positive; ++m) {
    keys.ids.push_back("s" + std::to_string(m));
    keys.y.push_back(m < negative ? -1 : 1);
  }
  return keys;
}

/// How many rows of each fold have a target.
std::vector<Index> spread(const SampleKeys& keys, const Folds& folds, double label) {
  std::vector<Index> in(folds.count(), 0);
  for (Index m = 0; m < keys.rows(); ++m)
    if (keys.y[m] == label) ++in[folds.of[m]];
  return in;
}

Index range(const std::vector<Index>& counts) {
  const auto [least, most] = std::ranges::minmax(counts);
  return most - least;
}

std::vector<Index> sizes(const Folds& folds) {
  std::vector<Index> in(folds.count(), 0);
  for (const int fold : folds.of) ++in[fold];
  return in;
}

TEST(Folds, TestAndTrainArePartsOfTheWhole) {
  const SampleKeys keys = two_classes(31, 22);
  const Folds folds = make_folds(keys, count(7), 3);
  std::vector<Index> tested;
  for (int fold = 0; fold < folds.count(); ++fold) {
    std::vector<Index> all = folds.test(fold);
    std::ranges::copy(all, std::back_inserter(tested));
    std::ranges::copy(folds.train(fold), std::back_inserter(all));
    std::ranges::sort(all);
    EXPECT_EQ(std::set(all.begin(), all.end()).size(), 53U);
    EXPECT_EQ(all.size(), 53U);
  }
  EXPECT_EQ(std::set(tested.begin(), tested.end()).size(), 53U);
  EXPECT_EQ(tested.size(), 53U);
}

TEST(Folds, WithoutGroupsNoTwoFoldsDifferByMoreThanOne) {
  Rng rng(1);
  for (int round = 0; round < 300; ++round) {
    const int classes = 2 + static_cast<int>(rng.below(3)), folds = 2 + static_cast<int>(rng.below(8));
    SampleKeys keys = test::random_keys(60 + static_cast<Index>(rng.below(60)), 0, classes, rng);
    for (int c = 0; c < classes; ++c)
      for (int m = 0; m < folds; ++m) keys.y[c * folds + m] = c;  // at least a sample of each for each fold
    const Folds made = make_folds(keys, count(folds), rng.bits());
    EXPECT_LE(range(sizes(made)), 1);
    for (int c = 0; c < classes; ++c) EXPECT_LE(range(spread(keys, made, c)), 1);
  }
}

TEST(Folds, NoGroupIsOnBothSides) {
  Rng rng(2);
  int made = 0;
  for (int round = 0; round < 500; ++round) {
    const Index groups = 12 + static_cast<Index>(rng.below(30));
    const SampleKeys keys = test::random_keys(groups + static_cast<Index>(rng.below(80)), groups,
                                              static_cast<int>(rng.below(3)) + (round % 2), rng, round % 3 == 0);
    Folds folds;
    try {
      folds = make_folds(keys, count(2 + static_cast<int>(rng.below(4))), rng.bits());
    } catch (const Error&) {
      continue;  // a class in too few groups
    }
    ++made;
    std::map<std::string, int> fold_of;
    for (Index m = 0; m < keys.rows(); ++m)
      EXPECT_EQ(fold_of.emplace(keys.groups[m], folds.of[m]).first->second, folds.of[m]);
    EXPECT_GT(std::ranges::min(sizes(folds)), 0);
  }
  EXPECT_GT(made, 300);
}

// Two maps per person, one of each class, as in the task data of the paper: the folds can be, and so must be, perfect.
TEST(Folds, PairsAreDealtEvenly) {
  SampleKeys keys = two_classes(40, 40);
  for (int m = 0; m < 80; ++m) keys.groups.push_back("sub" + std::to_string(m % 40));
  const Folds folds = make_folds(keys, count(10), 5);
  for (const double label : {-1, 1}) EXPECT_EQ(range(spread(keys, folds, label)), 0);
}

// The greedy rule has no bound as simple as without groups; what a class's share of a fold can miss is of the order of
// the largest group.
TEST(Folds, WithGroupsClassesAreBalancedToTheSizeOfAGroup) {
  Rng rng(3);
  for (int round = 0; round < 200; ++round) {
    const SampleKeys keys = test::random_keys(150, 50, 2, rng, round % 2 == 0);
    std::map<std::string, Index> size;
    for (const std::string& group : keys.groups) ++size[group];
    Index largest = 0;
    for (const auto& [name, rows] : size) largest = std::max(largest, rows);
    const Folds folds = make_folds(keys, count(5), rng.bits());
    for (const double label : {0, 1}) EXPECT_LE(range(spread(keys, folds, label)), largest);
  }
}

TEST(Folds, ARegressionHasEveryQuantileInEveryFold) {
  Rng rng(4);
  const SampleKeys keys = test::random_keys(60, 0, 0, rng);
  const Folds folds = make_folds(keys, count(6), 9);
  std::vector<Index> order(60);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](Index m) { return keys.y[m]; });
  for (int block = 0; block < 10; ++block) {
    std::set<int> in;
    for (int m = 0; m < 6; ++m) in.insert(folds.of[order[6 * block + m]]);
    EXPECT_EQ(in.size(), 6U) << "block " << block;
  }
}

TEST(Folds, FollowTheSamplesAndNotTheRows) {
  Rng rng(5);
  for (const int classes : {0, 2})
    for (const Index groups : {0, 25}) {
      const SampleKeys keys = test::random_keys(70, groups, classes, rng);
      for (const char* how : {"5", "group"}) {
        const FoldChoice choice = parse_folds(how, "outer");
        const Folds folds = make_folds(keys, choice, 7);
        EXPECT_EQ(make_folds(keys, choice, 7).of, folds.of);
        const std::vector<Index> order = test::random_order(70, rng);
        const Folds turned = make_folds(take(keys, order), choice, 7);
        EXPECT_EQ(turned.names, folds.names);
        for (Index m = 0; m < 70; ++m) EXPECT_EQ(turned.of[m], folds.of[order[m]]);
      }
    }
}

TEST(Folds, DependOnTheSeedAndTheStream) {
  const SampleKeys keys = two_classes(50, 50);
  const Folds folds = make_folds(keys, count(5), 1);
  EXPECT_NE(make_folds(keys, count(5), 2).of, folds.of);
  EXPECT_NE(make_folds(keys, count(5), 1, 1).of, folds.of);
}

TEST(Folds, AreFixed) {  // a study that is resumed by another version must find its folds again
  EXPECT_EQ(make_folds(two_classes(5, 5), count(3), 1).of, (std::vector<int>{0, 0, 1, 1, 2, 2, 2, 0, 1, 0}));
}

TEST(Folds, LeaveOneGroupOut) {
  SampleKeys keys = two_classes(3, 3);
  keys.groups = {"b", "a", "c", "a", "b", "c"};
  const Folds folds = make_folds(keys, parse_folds("group", "outer"), 1);
  EXPECT_EQ(folds.names, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(folds.of, (std::vector<int>{1, 0, 2, 0, 1, 2}));
  keys.groups.assign(6, "a");
  EXPECT_SAYS(make_folds(keys, parse_folds("group", "outer"), 1), "`outer group`", "participant_id has 1");
}

TEST(Folds, LeaveOneSampleOut) {
  SampleKeys keys = two_classes(2, 2);
  const FoldChoice loo = parse_folds("loo", "outer");
  Folds folds = make_folds(keys, loo, 1);
  EXPECT_EQ(folds.names, (std::vector<std::string>{"1", "2", "3", "4"}));
  EXPECT_EQ(folds.of, (std::vector<int>{0, 1, 2, 3}));
  keys.groups = {"b", "a", "a", "b"};
  folds = make_folds(keys, loo, 1);
  EXPECT_EQ(folds.names, (std::vector<std::string>{"a", "b"})) << "samples of a group stay together";
  keys.groups.assign(4, "a");
  EXPECT_SAYS(make_folds(keys, loo, 1), "`outer loo`", "participant_id has 1");
}

// Nobody said how many: as many as the smallest class, or the groups, allow. A number that was given is an error.
TEST(Folds, AsManyAsFit) {
  const FoldChoice automatic = parse_folds("auto", "outer");
  EXPECT_EQ(make_folds(two_classes(40, 40), automatic, 1).count(), 10);
  EXPECT_EQ(make_folds(two_classes(40, 40), parse_folds("auto", "inner"), 1).count(), 9);
  EXPECT_EQ(make_folds(two_classes(40, 40), automatic, 1).of, make_folds(two_classes(40, 40), count(10), 1).of);
  const SampleKeys few = two_classes(40, 6);
  EXPECT_EQ(make_folds(few, automatic, 1).of, make_folds(few, count(6), 1).of);
  EXPECT_EQ(folds_that_fit(few, automatic).because, "class 'patient' has 6 samples");
  SampleKeys grouped = two_classes(20, 20);
  for (int m = 0; m < 40; ++m) grouped.groups.push_back("sub" + std::to_string(m % 4));
  EXPECT_EQ(make_folds(grouped, automatic, 1).count(), 4);
  EXPECT_EQ(folds_that_fit(grouped, automatic).because, "there are 4 groups (column participant_id)");
  EXPECT_SAYS(make_folds(two_classes(40, 1), automatic, 1), "'patient' has 1 samples", "add samples of it");
}

TEST(Folds, FromAColumn) {
  SampleKeys keys = two_classes(3, 3);
  const FoldChoice choice = parse_folds("column:site", "outer");
  const std::vector<std::string> given = {"10", "2", "2", "10", "x", "x"};
  const Folds folds = make_folds(keys, choice, 1, 0, given);
  EXPECT_EQ(folds.names, (std::vector<std::string>{"2", "10", "x"}));
  EXPECT_EQ(folds.of, (std::vector<int>{1, 0, 0, 1, 2, 2}));
  keys.groups = {"a", "b", "b", "c", "d", "b"};
  EXPECT_SAYS(make_folds(keys, choice, 1, 0, given), "'b'", "participant_id", "'2' and 'x'", "site", "`groups`");
  EXPECT_SAYS(make_folds(keys, choice, 1, 0, std::vector<std::string>{"1", "", "1", "2", "2", "2"}), "'s1'", "site");
  EXPECT_SAYS(make_folds(keys, choice, 1, 0, std::vector<std::string>(6, "1")), "site", "one fold");
}

TEST(Folds, SayWhatCannotBeHad) {
  EXPECT_SAYS(make_folds(two_classes(4, 3), count(10), 1), "`outer 10`", "7 samples", "`outer 7` or fewer");
  EXPECT_SAYS(make_folds(two_classes(40, 3), count(10), 1), "'patient' has 3 samples", "10 folds",
              "`outer 3` or fewer");
  EXPECT_SAYS(make_folds(two_classes(40, 2), count(10), 1), "give `outer 2`.");
  EXPECT_SAYS(make_folds(two_classes(40, 1), count(10), 1), "add samples of it");
  SampleKeys keys = two_classes(20, 20);
  for (int m = 0; m < 40; ++m) keys.groups.push_back("sub" + std::to_string(m % 4));
  EXPECT_SAYS(make_folds(keys, count(5), 1), "4 groups (column participant_id)", "`outer 4` or fewer");
  keys = two_classes(3, 3);
  const FoldChoice column = parse_folds("column:site", "outer");
  EXPECT_SAYS(make_folds(keys, column, 1, 0, std::vector<std::string>{"a", "a", "a", "b", "b", "b"}),
              "Without fold 'a'", "'patient'");
  keys.ids[1] = "s0";
  EXPECT_SAYS(make_folds(keys, count(2), 1), "Two samples are called 's0'");
  for (const char* wrong : {"1", "0", "-3", "x", "", "5x", "column:", "1e1"})
    EXPECT_THROW(parse_folds(wrong, "inner"), UsageError) << wrong;
  EXPECT_SAYS(parse_folds("column:site", "inner"), "`inner`", "columns of folds are for `outer`");
}

}  // namespace
}  // namespace sturm
