// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/identity.h"

#include <gtest/gtest.h>

namespace sturm {
namespace {

TEST(StudyIdentity, TextComesBack) {
  const StudyIdentity settings = {{"inner", "9"}, {"a = b", "c = d\n\\n\\"}, {"empty", ""}, {"=", " = "}};
  EXPECT_EQ(parse_identity(to_text(settings)), settings);
  EXPECT_EQ(to_text({{"b", "2"}, {"a", "1\n"}}), "a = 1\\n\nb = 2\n");
}

TEST(StudyIdentity, DigestTellsThemApart) {
  EXPECT_EQ(digest({{"a", "1"}}), digest({{"a", "1"}}));
  EXPECT_NE(digest({{"a", "1"}}), digest({{"a", "2"}}));
  EXPECT_NE(digest({{"a", "1"}}), digest({{"a", "1"}, {"b", ""}}));
  EXPECT_NE(digest({{"a = b", "c"}}), digest({{"a", "b = c"}}));
}

TEST(StudyIdentity, DifferencesAreNamed) {
  EXPECT_EQ(difference({{"inner", "9"}, {"outer", "10"}}, {{"inner", "5"}, {"outer", "10"}}), "`inner` 9, now 5");
  EXPECT_EQ(difference({{"top", "1"}}, {{"seed", ""}}), "`seed` none, now ''; `top` 1, now none");
  EXPECT_EQ(difference({}, {{"a", "1"}, {"b", "1"}, {"c", "1"}, {"d", "1"}, {"e", "1"}}),
            "`a` none, now 1; `b` none, now 1; `c` none, now 1; and 2 more");
  EXPECT_EQ(difference({{"a", std::string(100, 'x')}}, {{"a", "y"}}), "`a` " + std::string(57, 'x') + "..., now y");
  EXPECT_EQ(difference({{"a", "1"}}, {{"a", "1"}}), "");
}

TEST(StudyIdentity, IsOfOptionsByNameAndOfTheData) {
  StudySettings settings;
  settings.options.folds.inner = "5";
  settings.options.intercept = false;
  settings.table = "3f2a";
  settings.numerics = 7;
  StudyIdentity identity = identity_of(settings);
  EXPECT_EQ(identity.at("inner"), "5");
  EXPECT_EQ(identity.at("intercept"), "no");
  EXPECT_EQ(identity.at("inner-gap"), "0.01");
  EXPECT_EQ(identity.at("the table"), "3f2a");
  for (const auto& [key, value] : identity) EXPECT_NE(key.front(), '-') << key;
  StudySettings other = settings;
  other.volumes = "other";
  EXPECT_EQ(difference(identity, identity_of(other)), "the volumes '', now other");
}

}  // namespace
}  // namespace sturm
