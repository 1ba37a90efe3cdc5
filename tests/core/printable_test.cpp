// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/printable.h"

#include <gtest/gtest.h>

namespace sturm {
namespace {

TEST(Printable, WhatIsPrintedIsOneLineWithoutCommandsForATerminal) {
  EXPECT_EQ(printable("plain words, even \u00e9 and \u4e2d"), "plain words, even \u00e9 and \u4e2d");
  EXPECT_EQ(printable("two\nlines"), "two\\nlines");
  EXPECT_EQ(printable("\x1b[31mred\x7f\t"), "\\x1b[31mred\\x7f\\x09");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\x9b31m")
      << "the same command in one character";
}

}  // namespace
}  // namespace sturm
