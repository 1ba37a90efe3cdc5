// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/grid_blocks.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "sturm/models/linear/penalised_method.h"
#include "sturm/results/rows.h"

namespace sturm {
namespace {

const std::string head = "method\tfold\tresize\tsetting\tchosen\tscore\tscores\tsparsity\tworst_gap\tunconverged\n";

std::string row(const std::string& fold, const std::string& setting, bool chosen, double score, double resize = 1) {
  return fmt::format("m\t{}\t{}\t{}\t{}\t{}\t{}\t0.5\t0\t0\n", fold, resize, setting, chosen ? 1 : 0, score, score);
}

TEST(GridBlocks, FoldsArePutTogetherByPosition) {
  std::string text = head;
  for (const auto& [fold, largest] : {std::pair{"1", 10.0}, std::pair{"2", 20.0}})
    for (const double l2 : {1.0, 2.0})
      for (const double ratio : {1.0, 0.1, 0.01})
        text += row(fold, fmt::format("gamma={} l2={}", ratio * largest, l2), l2 == 2 && ratio == 0.1,
                    ratio + l2 + largest);
  text += row("all", "gamma=7 l2=1", true, 99);  // the model of all samples is no outer fold
  const auto blocks = grid_blocks(read_rows<GridRow>(Table::parse(text, "grid.tsv")), "m");
  ASSERT_EQ(blocks.size(), 1U);
  const auto& axes = blocks[0].axes;
  ASSERT_EQ(axes.size(), 2U);
  EXPECT_EQ(axes[0].name, "l2");  // changes slowest
  EXPECT_EQ(axes[0].values.size(), 2U);
  EXPECT_EQ(axes[0].values[1], 2.0);
  EXPECT_EQ(axes[1].name, "gamma / largest");  // differs from fold to fold
  EXPECT_NEAR(axes[1].values[1], 0.1, 1e-15);
  EXPECT_NEAR(blocks[0].score[4], 0.1 + 2 + 15, 1e-12);
  EXPECT_EQ(blocks[0].chosen, (std::vector<Index>{0, 0, 0, 0, 2, 0}));
}

TEST(GridBlocks, ThePathOfSturmHasBalanceAndStrengthAndTheBestOfTheRest) {
  std::string text = head;
  double n = 0;
  for (const double balance : path_balances)
    for (const double strength : path_strengths)
      for (const double eta : {10.0, 50.0}) {
        text += row(
            "1", fmt::format("tau={} gamma={} eta={} C=1", balance * strength * 7, (1 - balance) * strength * 3, eta),
            n == 21, n, 0.5);
        ++n;
      }
  const auto blocks = grid_blocks(read_rows<GridRow>(Table::parse(text, "grid.tsv")), "m");
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_EQ(blocks[0].resize, 0.5);
  EXPECT_EQ(blocks[0].axes[0].name, "balance");
  EXPECT_EQ(blocks[0].best_over, (std::vector<std::string>{"eta"}));  // C has one value, and the rest is named
  EXPECT_EQ(blocks[0].axes[1].name, "strength");
  ASSERT_EQ(blocks[0].score.size(), path_balances.size() * path_strengths.size());
  EXPECT_EQ(blocks[0].score[10], 21);  // the better of points 20 and 21
  EXPECT_EQ(blocks[0].chosen[10], 1);
}

TEST(GridBlocks, AnUnknownOrderIsAListOfPositions) {
  const std::string text =
      head + row("1", "a=1 b=2", false, 1) + row("1", "a=2 b=5", true, 2) + row("1", "a=2 b=2", false, 3);
  const auto blocks = grid_blocks(read_rows<GridRow>(Table::parse(text, "grid.tsv")), "m");
  EXPECT_EQ(blocks[0].axes[0].name, "setting");
  EXPECT_EQ(blocks[0].score, (std::vector<double>{1, 2, 3}));
  EXPECT_TRUE(grid_blocks(read_rows<GridRow>(Table::parse(head + row("1", "n/a", true, 1), "grid.tsv")), "m")
                  .empty());  // the dummy
}

}  // namespace
}  // namespace sturm
