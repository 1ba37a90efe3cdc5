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

// Numbers are no patients and controls: half of them would be right by chance.
TEST(Target, OfAnotherKindThanTheModels) {
  const auto judge = [](const char* cells, const Classes& classes) {
    const Table table = Table::parse(cells, "y.tsv");
    require_same_kind(table, read_known_target(table, "g", classes));
  };
  const Classes words{"control", "patient"}, numbers{"1", "2"}, rest{"not patient", "patient"};
  EXPECT_NO_THROW(judge("g\tx\ncontrol\t1\nn/a\t1\npatient\t1\n", words));
  EXPECT_NO_THROW(judge("g\n1.0\n2\n", numbers));
  EXPECT_NO_THROW(judge("g\nother\nanother\n", rest));
  EXPECT_NO_THROW(judge("g\tx\nn/a\t1\n", words));
  EXPECT_SAYS(judge("g\ncontrol\nsibling\n", words), "line 3", "'sibling'", "patient from control");
  EXPECT_SAYS(judge("g\n34\n35\n", words), "line 2", "'34'", "`target`");
  EXPECT_SAYS(judge("g\n34\n35\n", rest), "line 2", "no numbers", "`target`");
  EXPECT_SAYS(judge("g\nold\n", Classes{"not 2", "2"}), "no words");
}

TEST(Target, TheOnlyColumnBesideTheIdsNeedsNoName) {
  EXPECT_EQ(target_column(Table::parse("participant_id\tsession_id\tage\n", "y.tsv"), ""), "age");
  EXPECT_SAYS(target_column(Table::parse(text, "y.tsv"), ""), "`target`", "age, group, sex");
  EXPECT_SAYS(target_column(Table::parse("participant_id\n", "y.tsv"), ""), "y.tsv", "no column to predict");
}

TEST(Target, SaysWhatIsWrong) {
  const Table table = Table::parse(text, "y.tsv");
  EXPECT_SAYS(read_target(table, {"group", ""}), "y.tsv", "group", "control, patient", "`positive 'patient'`");
  EXPECT_SAYS(read_target(table, {"group", "Patient"}), "y.tsv", "group", "'Patient'", "control, patient");
  EXPECT_SAYS(read_target(Table::parse("g\na\na\n", "y.tsv"), {"", "a"}), "'a' alone");
  EXPECT_SAYS(read_target(Table::parse("age\n1\n2\n3\n4\nold\n", "y.tsv"), {}), "line 6", "'old'");
}

TEST(Target, EveryValueIsAClass) {
  const auto every = [](const char* table) { return read_target(Table::parse(table, "y.tsv"), {"", "", true}); };
  const Target words = every("g\nhouse\nface\nn/a\nshoe\nface\n");
  EXPECT_EQ(words.names, (std::vector<std::string>{"face", "house", "shoe"}));
  EXPECT_TRUE(words.classification());
  EXPECT_FALSE(words.classes);
  EXPECT_EQ(words.y[0], 1);
  EXPECT_TRUE(std::isnan(words.y[2]));
  EXPECT_EQ(words.y[3], 2);
  const Target numbers = every("g\n10\n2\n1\n2.0\n10\n");
  EXPECT_EQ(numbers.names, (std::vector<std::string>{"1", "2", "10"})) << "by size, and 2 and 2.0 are one class";
  EXPECT_EQ(numbers.y, (std::vector<double>{2, 1, 0, 1, 2}));
  const Target two = every("g\nb\na\nb\n");
  EXPECT_TRUE(two.names.empty());
  EXPECT_EQ(two.classes->positive, "b");
  EXPECT_EQ(two.y, (std::vector<double>{1, -1, 1}));
  EXPECT_SAYS(every("g\na\na\n"), "y.tsv", "column g", "'a' alone", "`classes`");
  EXPECT_SAYS(every("g\n1\n2\n3\n"), "another value in every row", "`classes`");
  EXPECT_SAYS(read_target(Table::parse("g\na\nb\nc\nb\n", "y.tsv"), {}), "a, b, c", "`classes`", "`positive`");
}

TEST(Target, ValuesThatAreNoneOfTheClassesAreRefused) {
  const std::vector<std::string> names = {"1", "2", "10"};
  const Target known = read_known_classes(Table::parse("g\n10.0\nn/a\n1\n", "y.tsv"), "g", names);
  EXPECT_EQ(known.y[0], 2);
  EXPECT_TRUE(std::isnan(known.y[1]));
  EXPECT_EQ(known.y[2], 0);
  EXPECT_SAYS(read_known_classes(Table::parse("g\n1\n3\n", "y.tsv"), "g", names), "y.tsv, line 3, column g", "'3'",
              "1, 2, 10");
}

TEST(Target, NearTwinsAreNoTwoClasses) {
  const auto read = [](const char* values, const char* positive) {
    return read_target(Table::parse(std::string("g\n") + values, "y.tsv"), {"", positive, *positive == '\0'});
  };
  EXPECT_SAYS(read("Pat\ncon\npat\ncon\n", "Pat"), "y.tsv, line 4, column g", "'pat'", "'Pat' (line 2)", "alike");
  EXPECT_SAYS(read("pat\ncon\npat\nCON\n", "pat"), "line 5", "'con' (line 3)");
  EXPECT_SAYS(read("a\nb\nb\xC2\xA0\n", ""), "line 4", "spaces");
  EXPECT_EQ(read("1\n2\n1.0\n2\n", "1").y[2], 1);
}

TEST(Target, NotesSayWhatOneWouldNotExpect) {
  const auto notes = [](const std::string& values, const char* positive) {
    const Table table = Table::parse("g\n" + values, "y.tsv");
    return notes_on_target(table, read_target(table, {"", positive}));
  };
  EXPECT_TRUE(notes("a\nb\na\n", "a").empty());
  EXPECT_TRUE(notes("1\n2\n3\n", "").empty());
  const auto one = [&](const std::string& values, const char* positive) {
    const std::vector<std::string> found = notes(values, positive);
    EXPECT_EQ(found.size(), 1);
    return found.empty() ? std::string() : found[0];
  };
  const std::string lumped = one("a\nb\nc\nb\nn/a\n", "a");
  EXPECT_TRUE(test::has(lumped, "'a' (1 sample)", "2 values", "'b' (2)", "'c' (1)")) << lumped;
  const std::string many = one("28\n30\n30\n9\n65\n", "28");
  EXPECT_TRUE(test::has(many, "'28' (1 sample)", "3 values from 9 to 65", "4 samples", "regression")) << many;
  const std::string two = one("0\n1\n1\n", "");
  EXPECT_TRUE(test::has(two, "two values (0, 1)", "regression", "`positive 1`")) << two;
}

TEST(Target, DecimalCommasAreNamed) {
  EXPECT_SAYS(read_target(Table::parse("age\n1,5\n2,5\n", "y.tsv"), {"age", ""}), "y.tsv, line 2, column age", "'1,5'",
              "1.5");
}

TEST(Target, PeopleAreKnownByNameAndNumber) {
  const auto people = [](const std::string& name, const char* values) {
    return names_people(Table::parse(name + "\n" + values, "y.tsv"), 0);
  };
  for (const char* name : {"subject", "sub", "Subject_ID", "id", "patient", "patient_id", "SUB", "subj.no", "PTID"})
    EXPECT_TRUE(people(name, "a\nb\nc\nc\n")) << name;
  for (const char* name : {"site", "site_id", "group", "age", "run", "subtype"})
    EXPECT_FALSE(people(name, "a\nb\nc\n")) << name;
  EXPECT_FALSE(people("patient", "0\n1\n1\n")) << "a flag";
}

TEST(Target, KnownTargetsMayBeOfOneClassOrMissing) {
  const Target target = read_known_target(Table::parse("g\nb\nn/a\n", "y.tsv"), "g", Classes{"a", "b"});
  EXPECT_EQ(target.y[0], 1);
  EXPECT_TRUE(std::isnan(target.y[1]));
  EXPECT_SAYS(read_known_target(Table::parse("g\na\nB\n", "y.tsv"), "g", Classes{"a", "b"}), "y.tsv, line 3", "'B'",
              "'b'");
  EXPECT_EQ(rows_without(Table::parse("g\nb\nn/a\nc\n", "y.tsv"), "g"), (std::vector<Index>{1}));
}

}  // namespace
}  // namespace sturm
