// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/number.h"

#include <gtest/gtest.h>

#include "message.h"

namespace sturm {
namespace {

TEST(Number, RealNumbersAsPeopleWriteThem) {
  EXPECT_EQ(real_number("0.5", "tau"), 0.5);
  EXPECT_EQ(real_number("1e-3", "tau"), 1e-3);
  EXPECT_EQ(real_number(" -2 ", "tau"), -2);
  EXPECT_EQ(real_number("+.5", "tau"), 0.5);
  EXPECT_EQ(real_number("007", "tau"), 7);
  EXPECT_EQ(real_text(" +1e5 ", "tau"), "1e5");
}

TEST(Number, NothingElseIsOne) {
  for (const std::string text : {"", " ", "\t"}) EXPECT_SAYS(real_number(text, "tau"), "`tau`", "is empty");
  for (const std::string text : {"nan", "NaN", "inf", "-inf", "infinity", "0x10", "1,5", "1.5.2", "5 6", "1_000",
                                 "word", "e5", "+-1", "--1", "+", "1e"})
    EXPECT_SAYS(real_number(text, "tau"), "`tau` is a number", "'" + text + "'");
  for (const std::string text : {"1e400", "-1e400", "1e-400"})
    EXPECT_SAYS(real_number(text, "tau"), "`tau`", "too large or too small", text);
}

TEST(Number, WholeNumbersKnowTheirRange) {
  EXPECT_EQ(whole_number("12", "threads", 0, 100), 12);
  EXPECT_EQ(whole_number("-12", "shift", -100, 100), -12);
  EXPECT_EQ(whole_number("010", "threads", 0, 100), 10) << "decimal, whatever it begins with";
  EXPECT_SAYS(whole_number("", "threads", 0, 100), "`threads` is empty");
  for (const std::string text : {"1.5", "1e3", "0x10", "ten", "1 2", "-", "nan"})
    EXPECT_SAYS(whole_number(text, "threads", 0, 100), "from 0 to 100, not '" + text + "'");
  for (const std::string text : {"-1", "101", "99999999999999999999", "-99999999999999999999"})
    EXPECT_SAYS(whole_number(text, "threads", 0, 100), "from 0 to 100, and '" + text + "' is outside");
}

// A seed is 64 bits wide, and two that are written in different ways must never be the same.
TEST(Number, SeedsAreFromZeroTo2To63) {
  EXPECT_EQ(number_text<std::uint64_t>("9223372036854775807", "seed"), "9223372036854775807");
  for (const std::string text : {"-1", "9223372036854775808", "18446744073709551615", "99999999999999999999"})
    EXPECT_SAYS(number_text<std::uint64_t>(text, "seed"), "from 0 to 9223372036854775807", text);
  EXPECT_EQ(number_text<int>("+5", "threads"), "5");
  EXPECT_SAYS(number_text<int>("2147483648", "threads"), "outside");
  EXPECT_EQ(number_text<double>("2147483648", "tau"), "2147483648");
}

}  // namespace
}  // namespace sturm
