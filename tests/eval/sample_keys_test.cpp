// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/sample_keys.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "eval/keys.h"
#include "message.h"

namespace sturm {
namespace {

TEST(SampleKeys, GroupsAndRowsAreInTheOrderOfNames) {
  SampleKeys keys;
  keys.ids = {"d", "b", "a", "c"};
  keys.y = {1, 2, 3, 4};
  EXPECT_EQ(rows_of_groups(keys), (std::vector<std::vector<Index>>{{2}, {1}, {3}, {0}})) << "each is its own group";
  keys.groups = {"x", "y", "x", "y"};
  EXPECT_EQ(rows_of_groups(keys), (std::vector<std::vector<Index>>{{2, 0}, {1, 3}}));
}

// Whatever is taken, in any order: every row keeps what belongs to it.
TEST(SampleKeys, TakenRowsKeepWhatIsTheirs) {
  Rng rng(1);
  SampleKeys keys = test::random_keys(30, 7, 3, rng);
  keys.group_column = "site";
  keys.class_names = {{0, "cat"}};
  std::vector<Index> rows = test::random_order(30, rng);
  rows.resize(11);
  const SampleKeys some = take(keys, rows);
  ASSERT_EQ(some.rows(), 11);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(some.ids[i], keys.ids[rows[i]]);
    EXPECT_EQ(some.groups[i], keys.groups[rows[i]]);
    EXPECT_EQ(some.y[i], keys.y[rows[i]]);
  }
  EXPECT_EQ(some.group_column, "site");
  EXPECT_EQ(some.class_name(0), "cat");
  EXPECT_EQ(some.class_name(2), "2") << "a class without a name goes by its number";
  keys.groups.clear();
  EXPECT_TRUE(take(keys, rows).groups.empty());
}

TEST(SampleKeys, SayWhatIsMissing) {
  SampleKeys keys;
  keys.ids = {"a", "b"};
  keys.y = {1, 2};
  keys.groups = {"x", ""};
  keys.group_column = "site";
  EXPECT_SAYS(check(keys), "'b'", "site");
  keys.groups.clear();
  EXPECT_NO_THROW(check(keys));
  keys.y[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_SAYS(check(keys), "'a'", "no target");
  keys.y[0] = 1;
  keys.ids[1] = "a";
  EXPECT_SAYS(check(keys), "'a'", "Two samples");
  keys.y.pop_back();
  EXPECT_THROW(check(keys), std::logic_error);
}

TEST(SampleKeys, EveryClassOnceInOrder) {
  EXPECT_EQ(classes_of(std::vector<double>{2, -1, 2, 0.5, -1}), (std::vector<double>{-1, 0.5, 2}));
}

}  // namespace
}  // namespace sturm
