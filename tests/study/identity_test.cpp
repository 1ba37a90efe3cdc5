// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/identity.h"

#include <gtest/gtest.h>

namespace sturm {
namespace {

TEST(StudySettings, TextComesBack) {
  const StudySettings settings = {{"--inner", "9"}, {"a = b", "c = d\n\\n\\"}, {"empty", ""}, {"=", " = "}};
  EXPECT_EQ(parse_settings(to_text(settings)), settings);
  EXPECT_EQ(to_text({{"b", "2"}, {"a", "1\n"}}), "a = 1\\n\nb = 2\n");
}

TEST(StudySettings, DigestTellsThemApart) {
  EXPECT_EQ(digest({{"a", "1"}}), digest({{"a", "1"}}));
  EXPECT_NE(digest({{"a", "1"}}), digest({{"a", "2"}}));
  EXPECT_NE(digest({{"a", "1"}}), digest({{"a", "1"}, {"b", ""}}));
  EXPECT_NE(digest({{"a = b", "c"}}), digest({{"a", "b = c"}}));
}

TEST(StudySettings, DifferencesAreNamed) {
  EXPECT_EQ(difference({{"--inner", "9"}, {"--outer", "10"}}, {{"--inner", "5"}, {"--outer", "10"}}),
            "--inner 9, now 5");
  EXPECT_EQ(difference({{"--top", "1"}}, {{"--seed", ""}}), "--seed none, now ''; --top 1, now none");
  EXPECT_EQ(difference({}, {{"a", "1"}, {"b", "1"}, {"c", "1"}, {"d", "1"}, {"e", "1"}}),
            "a none, now 1; b none, now 1; c none, now 1; and 2 more");
  EXPECT_EQ(difference({{"a", std::string(100, 'x')}}, {{"a", "y"}}), "a " + std::string(57, 'x') + "..., now y");
  EXPECT_EQ(difference({{"a", "1"}}, {{"a", "1"}}), "");
}

}  // namespace
}  // namespace sturm
