// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "sturm/core/error.h"
#include "sturm/core/rng.h"

namespace sturm {
namespace {

using Ids = std::vector<std::string>;

TEST(Shard, IsReadFromItsFlag) {
  const Shard shard = parse_shard("2/8");
  EXPECT_EQ(shard.index, 2);
  EXPECT_EQ(shard.count, 8);
  EXPECT_EQ(shard.name(), "2-of-8");
  for (const char* wrong : {"", "2", "0/8", "9/8", "2/", "/8", "2/8x", "-1/8", "a/b", "2 / 8"})
    EXPECT_THROW(parse_shard(wrong), UsageError) << wrong;
}

// Every task in one part, and no part with more than the mean and one task: the bound of dealing to the least loaded.
TEST(Shard, PartsAreAPartitionAndBalanced) {
  Rng rng(1);
  for (int round = 0; round < 100; ++round) {
    Ids ids;
    std::vector<double> costs;
    const auto tasks = rng.below(60);
    for (std::uint64_t t = 0; t < tasks; ++t) {
      ids.push_back("task/" + std::to_string(t));
      costs.push_back(static_cast<double>(1 + rng.below(20)));
    }
    const int parts = 1 + static_cast<int>(rng.below(9));
    const double mean = std::accumulate(costs.begin(), costs.end(), 0.0) / parts;
    const double dearest = costs.empty() ? 0 : *std::ranges::max_element(costs);
    std::vector<Index> all;
    for (int part = 1; part <= parts; ++part) {
      const std::vector<Index> ours = tasks_of({part, parts}, ids, costs);
      EXPECT_TRUE(std::ranges::is_sorted(ours));
      double cost = 0;
      for (const Index task : ours) cost += costs[task];
      EXPECT_LE(cost, mean + dearest);
      std::ranges::copy(ours, std::back_inserter(all));
    }
    EXPECT_EQ(all.size(), tasks);
    EXPECT_EQ(std::set(all.begin(), all.end()).size(), tasks);
  }
}

TEST(Shard, DoesNotDependOnTheOrderOfTheList) {
  const Ids ids = {"a", "b", "c", "d", "e"}, turned = {"e", "c", "a", "d", "b"};
  const std::vector<double> costs = {5, 1, 1, 2, 5}, turned_costs = {5, 1, 5, 2, 1};
  for (int part = 1; part <= 2; ++part) {
    std::set<std::string> one, other;
    for (const Index task : tasks_of({part, 2}, ids, costs)) one.insert(ids[task]);
    for (const Index task : tasks_of({part, 2}, turned, turned_costs)) other.insert(turned[task]);
    EXPECT_EQ(one, other);
  }
  EXPECT_EQ(tasks_of({1, 2}, ids), (std::vector<Index>{0, 2, 4}));
  EXPECT_THROW(tasks_of({1, 2}, Ids{"a", "a"}), std::logic_error);
}

}  // namespace
}  // namespace sturm
