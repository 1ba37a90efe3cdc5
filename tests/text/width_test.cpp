// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/text/width.h"

#include <gtest/gtest.h>

namespace sturm {
namespace {

TEST(Width, CountsCharacters) {
  EXPECT_EQ(width_of("abc"), 3);
  EXPECT_EQ(width_of("\u00e9\u2501"), 2);
}

TEST(Width, ShortensBetweenCharacters) {
  EXPECT_EQ(shortened("short", 10), "short");
  EXPECT_EQ(shortened("a longer text", 8), "a lon...");
  EXPECT_EQ(shortened("\u00e9\u00e9\u00e9\u00e9\u00e9", 4), "\u00e9...");
  EXPECT_EQ(shortened("text", 2), "..");
  EXPECT_EQ(shortened("text", 0), "");
  EXPECT_EQ(shortened("text", -3), "");
}

}  // namespace
}  // namespace sturm
