// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/table.h"

#include <gtest/gtest.h>

#include <cmath>

#include "message.h"
#include "sturm/core/files.h"
#include "temporary.h"

namespace sturm {
namespace {

TEST(Table, ReadsWhatPeopleWrite) {
  const std::string plain = "participant_id\tage\nsub-1\t30\nsub-2\tn/a\n";
  // Windows line ends, a byte order mark, no last newline, blank lines at the end, spaces, quotes: all the same table.
  for (const std::string& text :
       {plain, std::string("participant_id\tage\r\nsub-1\t30\r\nsub-2\tn/a\r\n"), "\xEF\xBB\xBF" + plain,
        plain.substr(0, plain.size() - 1), plain + "\n\r\n", std::string("participant_id\tage\rsub-1\t30\rsub-2\tn/a"),
        std::string("participant_id \t age\nsub-1\t 30\nsub-2\t\n"),
        std::string("\"participant_id\"\t\"age\"\n\"sub-1\"\t\"30\"\n\"sub-2\"\t\"n/a\"\n")}) {
    const Table table = Table::parse(text, "y.tsv");
    ASSERT_EQ(table.rows(), 2) << text;
    EXPECT_EQ(table.columns(), (std::vector<std::string>{"participant_id", "age"}));
    EXPECT_EQ(table.cell(0, 0), "sub-1");
    EXPECT_EQ(table.cell(0, 1), "30");
    EXPECT_TRUE(table.missing(1, 1));
    EXPECT_EQ(table.line(1), 3);
    EXPECT_TRUE(table.numeric(1));
    EXPECT_FALSE(table.numeric(0));
    EXPECT_EQ(table.numbers(1)[0], 30);
    EXPECT_TRUE(std::isnan(table.numbers(1)[1]));
  }
}

TEST(Table, QuotedFieldsHoldTabsQuotesAndNewlines) {
  const Table table = Table::parse("a\tb\n\"x\ty\"\t\"say \"\"no\"\"\"\n\"two\nlines\"\t2\nlast\t3\n", "y.tsv");
  EXPECT_EQ(table.cell(0, 0), "x\ty");
  EXPECT_EQ(table.cell(0, 1), "say \"no\"");
  EXPECT_EQ(table.cell(1, 0), "two\nlines");
  EXPECT_EQ(table.line(2), 5) << "lines are those of an editor, also behind a field of two lines";
}

TEST(Table, ABlankLineInTheMiddleOfOneColumnIsAMissingValue) {
  const Table table = Table::parse("age\n30\n\n40\n", "y.tsv");
  ASSERT_EQ(table.rows(), 3);
  EXPECT_TRUE(table.missing(1, 0));
}

TEST(Table, ErrorsNameFileLineAndColumn) {
  EXPECT_SAYS(Table::parse("a\tb\n1\t2\n3\n", "y.tsv"), "y.tsv, line 3", "1 fields", "2");
  EXPECT_SAYS(Table::parse("a\ta\n", "y.tsv"), "y.tsv, line 1", "'a' twice");
  EXPECT_SAYS(Table::parse("", "y.tsv"), "y.tsv", "empty");
  EXPECT_SAYS(Table::parse("\n\n", "y.tsv"), "y.tsv", "empty");
  EXPECT_SAYS(Table::parse("a\n\"open\n", "y.tsv"), "y.tsv, line 2", "never closed");
  EXPECT_SAYS(Table::parse("a\n\"x\"y\n", "y.tsv"), "y.tsv, line 2", "closing quote");
  EXPECT_SAYS(Table::parse(std::string("\xFF\xFE"
                                       "a\0",
                                       4),
                           "y.tsv"),
              "UTF-8");
  EXPECT_SAYS(Table::read("/nonexistent/y.tsv"), "/nonexistent/y.tsv", "cannot be opened");
  EXPECT_SAYS(Table::read("/tmp"), "cannot be opened");

  const Table table = Table::parse("id\tage\n1\t30\n2\told\n3\tinf\n", "y.tsv");
  EXPECT_SAYS(table.column("sex"), "y.tsv", "'sex'", "id, age");
  EXPECT_SAYS(table.numbers(1), "y.tsv, line 3, column age", "'old'");
  EXPECT_SAYS(Table::parse("a,b\n1,2\n", "y.csv").column("a"), "tabs, not commas");
}

TEST(Table, NumbersAreWholeFieldsInTheFormOfC) {
  EXPECT_EQ(parse_number("-1.5e3"), -1500);
  EXPECT_EQ(parse_number(" +2 "), 2);
  for (const char* text : {"", "1,5", "1.5x", "nan", "inf", "--1", "+-1", "0x10", "1 2"})
    EXPECT_TRUE(std::isnan(parse_number(text))) << text;
}

TEST(Table, ReadsFiles) {
  const test::TemporaryFolder folder;
  write_file(folder / "y.tsv", "age\n1\n");
  EXPECT_EQ(Table::read(folder / "y.tsv").rows(), 1);
}

TEST(Join, CutsLongLists) {
  EXPECT_EQ(join({"a", "b"}), "a, b");
  EXPECT_EQ(join({"a", "b", "c", "d"}, 2), "a, b and 2 more");
}

TEST(Table, SplitLeavesOutWhatIsEmpty) {
  EXPECT_EQ(split("a,bc,,d,", ','), (std::vector<std::string>{"a", "bc", "d"}));
  EXPECT_EQ(split("task-rest_bold", '_'), (std::vector<std::string>{"task-rest", "bold"}));
  EXPECT_TRUE(split("", ',').empty());
}

}  // namespace
}  // namespace sturm
