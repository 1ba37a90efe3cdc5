// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/text.h"

#include <gtest/gtest.h>

namespace sturm {
namespace {

TEST(Utf8, TheFirstByteThatIsNoneIsFound) {
  constexpr auto none = std::string_view::npos;
  EXPECT_EQ(first_not_utf8("plain, \xC3\xA9, \xE2\x82\xAC, \xF0\x9F\xA7\xA0"), none);
  EXPECT_EQ(first_not_utf8("caf\xE9"), 3);            // Latin-1
  EXPECT_EQ(first_not_utf8("a\xC3"), 1);              // cut off
  EXPECT_EQ(first_not_utf8("a\xC0\xAF"), 1);          // a slash in two bytes
  EXPECT_EQ(first_not_utf8("a\xE0\x80\xAF"), 1);      // and in three
  EXPECT_EQ(first_not_utf8("a\xED\xA0\x80"), 1);      // half of a pair of UTF-16
  EXPECT_EQ(first_not_utf8("a\xF4\x90\x80\x80"), 1);  // beyond the last character
  EXPECT_EQ(first_not_utf8("a\x80"), 1);
}

TEST(Printable, NothingReachesATerminalThatItWouldObey) {
  EXPECT_EQ(printable("caf\xC3\xA9 1.5 'x'"), "caf\xC3\xA9 1.5 'x'");
  EXPECT_EQ(printable("\x1B[31mred\x1B[0m"), "\\x1b[31mred\\x1b[0m");
  EXPECT_EQ(printable("a\rb\ac\x7F"), "a\\x0db\\x07c\\x7f");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\xC2\x9B"
                      "31m"),
            "\\x9b31m");  // the escape sequence of 8-bit terminals
  EXPECT_EQ(printable("\xE2\x80\xAE"
                      "txt.nii"),
            "\\u202etxt.nii");  // written from right to left from here
  EXPECT_EQ(printable("caf\xE9"), "caf\\xe9");
  EXPECT_EQ(printable("a\tb"), "a b");
}

TEST(Printable, ALineEndStaysInAListAlone) {
  EXPECT_EQ(printable("2 problems:\n  one\n  two"), "2 problems:\n  one\n  two");
  EXPECT_EQ(printable("label\nsturm: all is well"), "label\\nsturm: all is well");
}

TEST(Quoted, LongTextsAreCutBetweenCharacters) {
  EXPECT_EQ(in_quotes("x"), "'x'");
  const std::string text = in_quotes(std::string(79, 'x') + "\xC3\xA9" + std::string(1000, 'y'));
  EXPECT_EQ(text, "'" + std::string(79, 'x') + "... (1081 bytes)'");
  EXPECT_EQ(first_not_utf8(text), std::string::npos);
}

TEST(Folded, SpellingsOfAWordAreOne) {
  for (const char* word : {"pat", "PAT ", "P at", "Pat\xC2\xA0", "\xE2\x80\x8Bpat"})
    EXPECT_EQ(folded(word), "pat") << word;
  EXPECT_EQ(folded("\xC3\x89T\xC3\x89"), folded("\xC3\xA9t\xC3\xA9"));  // French, Greek and Russian
  EXPECT_EQ(folded("\xCE\xA9"), folded("\xCF\x89"));
  EXPECT_EQ(folded("\xD0\x94"), folded("\xD0\xB4"));
  EXPECT_NE(folded("pat-1"), folded("pat1"));
  EXPECT_NE(folded("\xC3\x97"), folded("\xC3\xB7"));  // times and divided by are no letters
  EXPECT_EQ(folded("\xF0\x9F\xA7\xA0"), "\xF0\x9F\xA7\xA0");
}

TEST(Missing, HasManySpellings) {
  for (const char* word : {"", "n/a", "N/A", "NA", "na", "nan", "NaN", "NAN", "null", "NULL"})
    EXPECT_TRUE(means_missing(word)) << word;
  for (const char* word : {"0", "none", "nana", "n", "a", "-", "inf", "nulls"})
    EXPECT_FALSE(means_missing(word)) << word;
}

}  // namespace
}  // namespace sturm
