// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/target.h"

#include <gtest/gtest.h>

#include <cmath>

#include "message.h"

namespace sturm {
namespace {

const char* const text = "participant_id\tage\tgroup\tsex\ns1\t30\tpatient\t1\ns2\t40\tcontrol\t2\ns3\tn/a\tn/a\t1.0\n";

TEST(Target, NumbersAreARegression) {
  const Target target = read_target(Table::parse(text, "y.tsv"), {"age", ""});
  EXPECT_FALSE(target.classes);
  EXPECT_EQ(target.y[1], 40);
  EXPECT_TRUE(std::isnan(target.y[2]));
}

TEST(Target, APositiveValueMakesClasses) {
  const Target target = read_target(Table::parse(text, "y.tsv"), {"group", "patient"});
  EXPECT_EQ(target.classes->negative, "control");
  EXPECT_EQ(target.y[0], 1);
  EXPECT_EQ(target.y[1], -1);
  EXPECT_TRUE(std::isnan(target.y[2]));
  const Target sex = read_target(Table::parse(text, "y.tsv"), {"sex", "1"});
  EXPECT_EQ(sex.y, (std::vector<double>{1, -1, 1})) << "1 and 1.0 are one class";
  const Target many = read_target(Table::parse("g\na\nb\nc\n", "y.tsv"), {"", "b"});
  EXPECT_EQ(many.classes->negative, "not b");
}

TEST(Target, TheOnlyColumnBesideTheIdsNeedsNoName) {
  EXPECT_EQ(target_column(Table::parse("participant_id\tsession_id\tage\n", "y.tsv"), ""), "age");
  EXPECT_SAYS(target_column(Table::parse(text, "y.tsv"), ""), "--target", "age, group, sex");
  EXPECT_SAYS(target_column(Table::parse("participant_id\n", "y.tsv"), ""), "y.tsv", "no column to predict");
}

TEST(Target, SaysWhatIsWrong) {
  const Table table = Table::parse(text, "y.tsv");
  EXPECT_SAYS(read_target(table, {"group", ""}), "y.tsv", "group", "control, patient", "--positive 'patient'");
  EXPECT_SAYS(read_target(table, {"group", "Patient"}), "y.tsv", "group", "'Patient'", "control, patient");
  EXPECT_SAYS(read_target(Table::parse("g\na\na\n", "y.tsv"), {"", "a"}), "'a' alone");
  EXPECT_SAYS(read_target(Table::parse("age\n1\n2\n3\n4\nold\n", "y.tsv"), {}), "line 6", "'old'");
}

TEST(Target, KnownTargetsMayBeOfOneClassOrMissing) {
  const Target target = read_known_target(Table::parse("g\nb\nn/a\n", "y.tsv"), "g", Classes{"a", "b"});
  EXPECT_EQ(target.y[0], 1);
  EXPECT_TRUE(std::isnan(target.y[1]));
  EXPECT_EQ(rows_without(Table::parse("g\nb\nn/a\nc\n", "y.tsv"), "g"), (std::vector<Index>{1}));
}

}  // namespace
}  // namespace sturm
