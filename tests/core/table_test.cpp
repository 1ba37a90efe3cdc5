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
  EXPECT_SAYS(Table::parse("a\tb\n1\t2\n3\n", "y.tsv"), "y.tsv, line 3", "1 field where", "2", "tabs");
  EXPECT_SAYS(Table::parse("a\ta\n", "y.tsv"), "y.tsv, line 1", "'a' twice");
  EXPECT_SAYS(Table::parse("", "y.tsv"), "y.tsv", "empty");
  EXPECT_SAYS(Table::parse("\n\n", "y.tsv"), "y.tsv", "empty");
  EXPECT_SAYS(Table::parse("a\n\"open\n", "y.tsv"), "y.tsv, line 2", "never closed");
  EXPECT_SAYS(Table::parse("a\n\"x\"y\n", "y.tsv"), "y.tsv, line 2", "closing quote");
  EXPECT_SAYS(Table::parse(std::string("\xFF\xFE"
                                       "a\0",
                                       4),
                           "y.tsv"),
              "UTF-16", "UTF-8");
  EXPECT_SAYS(Table::parse(std::string("a\0b\0", 4), "y.tsv"), "UTF-16");
  EXPECT_SAYS(Table::parse("g\nok\ncaf\xE9\n", "y.tsv"), "y.tsv, line 3", "after 'caf'", "as UTF-8");
  EXPECT_SAYS(Table::parse("g\rok\rcaf\xE9\r", "y.tsv"), "y.tsv, line 3");
  EXPECT_SAYS(Table::parse("\n1\n", "y.tsv"), "y.tsv, line 1", "no column");
  EXPECT_SAYS(Table::parse("a\t\t\n1\t2\t3\n", "y.tsv"), "line 1", "without a name");
  EXPECT_SAYS(Table::read("/nonexistent/y.tsv"), "/nonexistent/y.tsv", "cannot be opened");
  EXPECT_SAYS(Table::read("/tmp"), "cannot be opened");

  const Table table = Table::parse("id\tage\n1\t30\n2\told\n3\tinf\n", "y.tsv");
  EXPECT_SAYS(table.column("sex"), "y.tsv", "'sex'", "id, age");
  EXPECT_SAYS(table.numbers(1), "y.tsv, line 3, column age", "'old'");
}

TEST(Table, ItsHeaderSaysWhatSeparatesTheColumns) {
  const auto cells = [](const std::string& text) {
    const Table table = Table::parse(text, "y.csv");
    std::vector<std::string> out = table.columns();
    for (Index row = 0; row < table.rows(); ++row)
      for (Index c = 0; c < static_cast<Index>(table.columns().size()); ++c) out.push_back(table.cell(row, c));
    return out;
  };
  const std::vector<std::string> expected = {"id", "age", "s1", "30", "s2", ""};
  EXPECT_EQ(cells("id,age\ns1,30\ns2,NA\n"), expected);
  EXPECT_EQ(cells("id;age\r\ns1;30\r\ns2;\r\n"), expected);
  EXPECT_EQ(cells("\"id\", \"age\"\n\"s1\" ,30\ns2,nan\n"), expected);
  EXPECT_EQ(cells("a\tb,c\n1\t2,3\n"), (std::vector<std::string>{"a", "b,c", "1", "2,3"})) << "a tab goes before";
  EXPECT_EQ(cells("a,b\n\"x, y\",\"say \"\"no\"\"\"\n"), (std::vector<std::string>{"a", "b", "x, y", "say \"no\""}));
  EXPECT_EQ(cells("\"a,b\"\n1\n"), (std::vector<std::string>{"a,b", "1"}))
      << "a comma between quotes separates nothing";
  EXPECT_SAYS(cells("a,b\n1,2,3\n"), "y.csv, line 2", "3 fields", "commas", "quotes");
}

TEST(Table, ColumnsThatAreMeantAsNumbersSayWhereTheyAreNone) {
  const auto of = [](const std::string& values) { return Table::parse("age\n" + values, "y.tsv"); };
  for (const char* values : {"1\n2\nx\n", "45,2\n46,1\n", "1\n2\n1e400\n", "1.234,5\n2\nn/a\n"}) {
    EXPECT_TRUE(of(values).meant_as_numbers(0)) << values;
    EXPECT_FALSE(of(values).numeric(0)) << values;
  }
  for (const char* values : {"a\nb\n3\n", "1\nx\n", "n/a\n", "1,2,3\n4,5,6\n", "12.03.2020\n13.03.2020\n"})
    EXPECT_FALSE(of(values).meant_as_numbers(0)) << values;
  EXPECT_SAYS(of("1\n45,2\n").numbers(0), "y.tsv, line 3, column age", "'45,2'", "comma", "45.2");
  EXPECT_SAYS(of("1.234,5\n").numbers(0), "1234.5");
  EXPECT_SAYS(of("1\n1e400\n").numbers(0), "line 3", "'1e400'", "hold");
  EXPECT_SAYS(of("1\n2\nx\n").numbers(0), "line 4", "'x'", "n/a");
}

TEST(Table, AnythingMissingIsMissing) {
  const Table table = Table::parse("id\tage\nNA\tNaN\nN/A\tnull\ns\t4\n", "y.tsv");
  for (Index row = 0; row < 2; ++row)
    for (Index column = 0; column < 2; ++column) EXPECT_TRUE(table.missing(row, column));
  EXPECT_TRUE(table.numeric(1));
}

TEST(Table, WhatIsNoTableOfSamplesIsRefused) {
  std::string wide = "a0";
  for (int c = 1; c < 1000000; ++c) wide += "\ta" + std::to_string(c);
  EXPECT_SAYS(Table::parse(wide, "y.tsv"), "y.tsv, line 1", "1000000 columns");
  const std::string cell(10 << 20, 'x');
  EXPECT_SAYS(Table::parse("a\n1\n" + cell + "\n", "y.tsv"), "y.tsv, line 3", "1 MiB");
  const std::string message = test::message_of([&] { Table::parse("a\n", "y.tsv").column(cell); });
  EXPECT_LT(message.size(), 300);
  EXPECT_EQ(Table::parse("a\tb\n", "y.tsv").rows(), 0);
}

TEST(Table, RowsAndColumnsOfOneMakeAnother) {
  const Table table = Table::parse("id\tage\na\t1\nb\t2\nc\t3\n", "y.tsv");
  const std::vector<Index> rows = {2, 0, 0};
  const Table some = table.with_rows(rows).with_column("run", {"x", "y", "z"});
  ASSERT_EQ(some.rows(), 3);
  EXPECT_EQ(some.texts(0), (std::vector<std::string>{"c", "a", "a"}));
  EXPECT_EQ(some.texts(some.column("run")), (std::vector<std::string>{"x", "y", "z"}));
  EXPECT_EQ(some.line(0), 4) << "lines are those of the file";
  EXPECT_EQ(some.place(1, 2).field, "run");
  EXPECT_EQ(lines_of(table, rows, 2), "lines 4, 2 and 1 more");
  EXPECT_EQ(lines_of(table, std::vector<Index>{1}), "line 3");
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
