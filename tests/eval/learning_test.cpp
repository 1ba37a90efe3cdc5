// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/learning.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "eval/keys.h"
#include "message.h"

namespace sturm {
namespace {

TEST(Learning, SharesAsPeopleWriteThem) {
  EXPECT_EQ(parse_shares("4"), (std::vector<double>{0.25, 0.5, 0.75}));
  EXPECT_EQ(parse_shares("0.5,0.25,0.5"), (std::vector<double>{0.25, 0.5}));
  EXPECT_EQ(parse_shares("0.3"), (std::vector<double>{0.3}));
  EXPECT_TRUE(parse_shares("").empty());
  for (const char* wrong : {"0", "1", "1.5", "-3", "0.2,5", "nan", "half", "1000"})
    EXPECT_SAYS(parse_shares(wrong), "`learning-curve`", "0.25,0.5");
}

std::vector<Index> first(Index count) {
  std::vector<Index> out(count);
  std::iota(out.begin(), out.end(), Index{0});
  return out;
}

// Whole groups, one part inside the next, no row that is not in training, and the share of each class but for a group.
TEST(Learning, PartsAreNestedWholeAndInProportion) {
  Rng rng(3);
  for (const Index groups : {0, 20}) {
    const SampleKeys keys = test::random_keys(120, groups, 2, rng, groups > 0);
    const std::vector<Index> train = first(100);
    std::set<Index> smaller;
    for (const double share : {0.2, 0.4, 0.6, 0.8, 0.999}) {
      const std::vector<Index> rows = share_of(keys, train, share, 7, 1);
      EXPECT_TRUE(std::ranges::is_sorted(rows));
      const std::set<Index> part(rows.begin(), rows.end());
      EXPECT_EQ(part.size(), rows.size());
      EXPECT_TRUE(std::ranges::includes(part, smaller));
      EXPECT_LT(*part.rbegin(), 100);
      for (const Index inside : train)
        for (const Index row : rows) {
          if (groups > 0 && keys.groups[inside] == keys.groups[row]) {
            EXPECT_TRUE(part.contains(inside)) << "a group torn apart";
          }
        }
      if (groups == 0)
        for (const double label : {0.0, 1.0}) {
          const auto of = [&](const auto& among) {
            return static_cast<double>(std::ranges::count_if(among, [&](Index m) { return keys.y[m] == label; }));
          };
          EXPECT_NEAR(of(rows), share * of(train), 1);
        }
      smaller = part;
    }
    EXPECT_EQ(share_of(keys, train, 0.4, 7, 1), share_of(keys, train, 0.4, 7, 1));
    EXPECT_NE(share_of(keys, train, 0.4, 7, 1), share_of(keys, train, 0.4, 7, 2)) << "another fold draws anew";
  }
}

TEST(Learning, TwoOfEachClassAtLeast) {
  SampleKeys keys;
  keys.classification = true;
  for (int m = 0; m < 12; ++m) {
    keys.ids.push_back("s" + std::to_string(10 + m));
    keys.y.push_back(m < 3 ? 1 : -1);
  }
  const std::vector<Index> rows = share_of(keys, first(12), 0.01, 1, 1);
  EXPECT_EQ(rows.size(), 4U);
  EXPECT_EQ(std::ranges::count_if(rows, [](Index m) { return m < 3; }), 2);
}

}  // namespace
}  // namespace sturm
