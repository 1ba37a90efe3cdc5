// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/results/rows.h"

#include <gtest/gtest.h>

#include "message.h"
#include "sturm/results/cv_tables.h"

namespace sturm {
namespace {

TEST(Rows, ComeBack) {
  FoldRow row;
  row.method = "lasso";
  row.fold = "tab\there";
  row.setting.values = {{"tau", 0.1}, {"gamma", 2}};
  row.scores = {{Measure::r2, -0.25}, {Measure::correlation, not_known}};
  row.tubal_rank = 3;
  row.status = Status::iteration_limit;
  const std::string text = table_of<FoldRow>({row, row}, {});
  EXPECT_NE(text.find("\ttau=0.1 gamma=2\tn/a\t-0.25\tn/a\t"), std::string::npos) << text;
  const std::vector<FoldRow> back = read_rows<FoldRow>(Table::parse(text, "folds.tsv"));
  ASSERT_EQ(back.size(), 2U);
  EXPECT_EQ(table_of(back, {}), text);
  EXPECT_EQ(back[1].fold, row.fold);
  EXPECT_EQ(*back[1].tubal_rank, 3);
  EXPECT_EQ(back[1].scores.size(), 2U);
}

TEST(Rows, AnUnknownWordIsNamedWithItsLine) {
  EXPECT_SAYS(read_rows<FoldRow>(Table::parse("method\tstatus\na\tconverged\nb\tmaybe\n", "folds.tsv")), "folds.tsv",
              "line 3", "'maybe'");
}

TEST(Rows, ListsAndFlags) {
  GridRow row;
  row.chosen = true;
  row.scores = {0.5, not_known};
  const std::string text = table_of<GridRow>({row}, {});
  EXPECT_NE(text.find("\t1\tn/a\t0.5,n/a\t"), std::string::npos) << text;
  const GridRow back = read_rows<GridRow>(Table::parse(text, "grid.tsv")).front();
  EXPECT_TRUE(back.chosen);
  ASSERT_EQ(back.scores.size(), 2U);
  EXPECT_TRUE(std::isnan(back.scores[1]));
}

TEST(Rows, SettingsAreTakenApart) {
  const Setting setting = parse_setting("tau=0.1 gamma=2 nothing");
  ASSERT_EQ(setting.values.size(), 2U);
  EXPECT_EQ(setting.values[1].first, "gamma");
  EXPECT_EQ(setting.values[1].second, 2.0);
  EXPECT_EQ(setting_cell({}), "n/a");
}

}  // namespace
}  // namespace sturm
