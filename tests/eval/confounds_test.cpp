// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/confounds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "message.h"
#include "sturm/core/rng.h"

namespace sturm {
namespace {

Design<double> random_design(Index samples, const Shape& shape, std::uint64_t seed) {
  const Tensor values = random_normal({samples, shape.size(), 1}, seed);
  AlignedVector<double> x(values.flat().begin(), values.flat().end());
  return Design<double>::owning(shape, samples, std::move(x));
}

const Shape shape{3, 2, 2};

// The residual of a regression is orthogonal to what was regressed out and has the mean that was there: on the training
// samples exactly, to rounding.
TEST(Confounds, LeaveNothingOfThemselvesInTheTrainingSamples) {
  const Design<double> x = random_design(12, shape, 1);
  Rng rng(2);
  Confounds confounds{2, {}};
  for (int i = 0; i < 24; ++i) confounds.values.push_back(i % 2 == 0 ? 40 + 10 * rng.normal() : rng.normal() / 1000);
  const std::vector<Index> train{0, 1, 2, 3, 5, 7, 8, 9, 11};
  const Design<double> rest = without_confounds(x, confounds, train);
  for (Index v = 0; v < x.voxels(); ++v) {
    double before = 0, after = 0;
    for (const Index m : train) {
      before += x.column(v)[m];
      after += rest.column(v)[m];
    }
    EXPECT_NEAR(before, after, 1e-12);
    for (Index p = 0; p < 2; ++p) {
      double product = 0, size = 0;
      for (const Index m : train) {
        product += (rest.column(v)[m] - after / 9) * confounds.row(m)[p];
        size += std::abs(confounds.row(m)[p]);
      }
      EXPECT_NEAR(product, 0, 1e-12 * size);
    }
  }
}

TEST(Confounds, OfOtherSamplesDoNotCount) {
  Design<double> x = random_design(10, shape, 3);
  Confounds confounds{1, {}};
  for (int i = 0; i < 10; ++i) confounds.values.push_back(i * i);
  const std::vector<Index> train{0, 2, 4, 6, 8};
  const Design<double> one = without_confounds(x, confounds, train);
  AlignedVector<double> changed(x.x().begin(), x.x().end());
  for (Index v = 0; v < x.voxels(); ++v) changed[1 + 10 * v] += 100;
  confounds.values[3] = 1e6;
  const Design<double> two = without_confounds(Design<double>::owning(shape, 10, std::move(changed)), confounds, train);
  for (Index v = 0; v < x.voxels(); ++v)
    for (const Index m : train) EXPECT_EQ(one.column(v)[m], two.column(v)[m]);
}

TEST(Confounds, ThatSayTheSameTwiceAreTakenOnce) {
  const Design<double> x = random_design(8, shape, 4);
  Confounds once{1, {}}, twice{3, {}};
  for (int i = 0; i < 8; ++i) {
    once.values.push_back(i % 3);
    twice.values.insert(twice.values.end(), {i % 3 + 0.0, 7 - 2.0 * (i % 3), 5.0});
  }
  std::vector<Index> all(8);
  std::iota(all.begin(), all.end(), Index{0});
  const Design<double> a = without_confounds(x, once, all), b = without_confounds(x, twice, all);
  for (std::size_t i = 0; i < a.x().size(); ++i) EXPECT_NEAR(a.x()[i], b.x()[i], 1e-12);
}

// A model of some samples takes out of others what the same regression takes out when it sees them beside its own, to
// the last bit: that is what a prediction must do. Also of some of the voxels.
TEST(Confounds, OfAModelAreTakenOutOfOtherSamples) {
  const Design<double> x = random_design(10, shape, 5);
  Confounds confounds{2, {}};
  Rng rng(6);
  for (int i = 0; i < 20; ++i) confounds.values.push_back(rng.normal());
  const std::vector<Index> train{0, 1, 2, 3, 4, 5}, others{6, 7, 8, 9};
  const Design<double> together = without_confounds(x, confounds, train);
  const Design<double> known = rows_of(x, train);
  std::vector<Index> every(train.size());
  std::iota(every.begin(), every.end(), Index{0});
  const ConfoundModel model = fit_confounds(known, rows_of(confounds, train), every);
  const Confounds theirs = rows_of(confounds, others);
  const Design<double> apart = without_confounds(rows_of(x, others), theirs, model, x.region());
  for (Index v = 0; v < x.voxels(); ++v)
    for (std::size_t m = 0; m < others.size(); ++m) EXPECT_EQ(apart.column(v)[m], together.column(v)[others[m]]);
  std::vector<std::uint8_t> some(shape.size());
  some[3] = some[7] = 1;
  const Design<double> few = without_confounds(masked(rows_of(x, others), some), theirs, model, x.region());
  EXPECT_EQ(few.column(0)[1], apart.column(3)[1]);
  EXPECT_EQ(few.column(1)[2], apart.column(7)[2]);
}

TEST(Confounds, OfAModelAreReadFromAnotherTable) {
  const Table table = Table::parse("age\tsite\n20\tb\n30\ta\n40\tc\n50\tc\n", "t.tsv");
  const std::vector<std::string> columns{"age", "site"};
  const std::vector<Index> rows{0, 1, 2, 3};
  const ConfoundModel model{read_confounds(table, columns, rows).named, {30, 1.0 / 3, 1.0 / 3}, {}};
  const Confounds found = read_known_confounds(Table::parse("site\tage\nc\t7\na\t8\n", "u.tsv"), model);
  EXPECT_EQ(found.columns, 3);
  EXPECT_EQ(found.values, (std::vector<double>{7, 0, 1, 8, 0, 0}));
  const auto read = [&](const char* text) { return read_known_confounds(Table::parse(text, "u.tsv"), model); };
  EXPECT_SAYS(read("site\na\n"), "u.tsv", "no column 'age'");
  EXPECT_SAYS(read("site\tage\na\t1\nd\t1\n"), "line 3", "site", "'d'", "a, b, c");
  EXPECT_SAYS(read("site\tage\na\tn/a\n"), "line 2", "age", "no value");
}

TEST(Confounds, AreReadFromATable) {
  const Table table = Table::parse("age\tsite\n20\tb\n30\ta\n40\tc\n50\ta\n", "t.tsv");
  const std::vector<std::string> columns{"age", "site"};
  const std::vector<Index> rows{0, 1, 2, 3};
  const Confounds c = read_confounds(table, columns, rows);
  EXPECT_EQ(c.columns, 3);  // age, and two of three sites
  EXPECT_EQ(c.values, (std::vector<double>{20, 1, 0, 30, 0, 0, 40, 0, 1, 50, 0, 0}));
  const std::vector<std::string> notes = notes_on_confounds(table, columns, rows);
  ASSERT_EQ(notes.size(), 1);
  EXPECT_TRUE(test::has(notes[0], "site", "3 categories", "a (2)", "b (1)", "c (1)")) << notes[0];
}

/// A confound read from a column `name` with these values.
Confounds read(const std::string& name, const std::string& values, const std::string& target = {}) {
  const Table table = Table::parse(name + "\tx\n" + values, "t.tsv");
  std::vector<Index> rows(table.rows());
  std::iota(rows.begin(), rows.end(), Index{0});
  return read_confounds(table, std::vector{name}, rows, target);
}

TEST(Confounds, OfNumbersHoldNumbersAlone) {
  for (const char* slip : {"45,2", "1e400", "old"})
    EXPECT_SAYS(read("age", std::string("20\t1\n30\t1\n") + slip + "\t1\n"), "t.tsv, line 4, column age", slip);
  for (const char* missing : {"n/a", "NA", "nan", "N/A", "null", ""})
    EXPECT_SAYS(read("age", std::string("20\t1\n30\t1\n") + missing + "\t1\n"), "t.tsv, line 4, column age",
                "no value");
}

TEST(Confounds, ThatLeaveNothingAreRefused) {
  EXPECT_SAYS(read("group", "a\t1\nb\t1\na\t1\n", "group"), "column group", "predicted");
  for (const char* name : {"participant_id", "subject", "path"})
    EXPECT_SAYS(read(name, "a\t1\nb\t1\nc\t1\nc\t1\n"), std::string("column ") + name, "names samples or people");
  EXPECT_SAYS(read("scan", "a\t1\nb\t1\nc\t1\n"), "column scan", "another one in each of the 3 samples");
  EXPECT_SAYS(read("site", "a\t1\nA\t1\nb\t1\nb\t1\n"), "line 3, column site", "capitals");
  EXPECT_EQ(read("site_id", "a\t1\nb\t1\na\t1\n").columns, 1) << "not everything that ends in _id names people";
  const Table table = Table::parse("a\tb\n1\t2\n3\t4\n", "t.tsv");
  EXPECT_SAYS(read_confounds(table, std::vector<std::string>{"a", "b"}, std::vector<Index>{0, 1}), "2 confounds",
              "2 samples");
}

}  // namespace
}  // namespace sturm
