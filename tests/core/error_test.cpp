// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/error.h"

#include <gtest/gtest.h>

#include "sturm/core/table.h"

namespace sturm {
namespace {

TEST(Error, ThePlaceBeginsTheSentence) {
  EXPECT_EQ(to_string(Place{"y.tsv", 3, "age"}), "y.tsv, line 3, column age");
  EXPECT_EQ(to_string(Place{"y.tsv", 3, ""}), "y.tsv, line 3");
  EXPECT_EQ(to_string(Place{"y.tsv", 0, "age"}), "y.tsv, column age");
  EXPECT_EQ(to_string(Place{"", 3, "age"}), "line 3, column age");
  EXPECT_STREQ(Error({"y.tsv", 3, "age"}, "is odd.").what(), "y.tsv, line 3, column age: is odd.");
}

TEST(Error, WithoutAPlaceNothingIsMadeUp) {
  const Error error("no input is named.");
  EXPECT_EQ(error.place(), Place{});
  EXPECT_STREQ(error.what(), "no input is named.");
}

// Whoever catches one need not take the sentence apart.
TEST(Error, ATableSaysWhichCellAsValues) {
  const Table table = Table::parse("id\tage\na\t31\n\"b\nb\"\tforty\n", "people.tsv");
  try {
    table.numbers(table.column("age"));
    FAIL() << "a word passed as a number";
  } catch (const Error& error) {
    EXPECT_EQ(error.place(), (Place{"people.tsv", 3, "age"}));
  }
}

TEST(Error, ATableSaysWhichLineAsValues) {
  try {
    Table::parse("id\tage\na\t31\nb\n", "people.tsv");
    FAIL() << "a row with one field passed";
  } catch (const Error& error) {
    EXPECT_EQ(error.place(), (Place{"people.tsv", 3, ""}));
  }
}

}  // namespace
}  // namespace sturm
