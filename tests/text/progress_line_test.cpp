// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/text/progress_line.h"

#include <gtest/gtest.h>

#include "message.h"
#include "sturm/text/width.h"

namespace sturm {
namespace {

const ProgressLine now = {0.37, 200, "task 41 of 110: sturm and sturm+svm/fold 3  best so far: svm 0.71"};

TEST(ProgressLine, FitsAnyTerminalWithTheTimeFirst) {
  for (int columns = 1; columns < 200; ++columns)
    for (const bool utf8 : {false, true}) EXPECT_LE(width_of(progress_line(now, columns, utf8)), columns) << columns;
  const std::string narrow = progress_line(now, 60, false);
  EXPECT_TRUE(narrow.starts_with("about 3 min 20 s left   37 %  task 41 of 110")) << narrow;
  const std::string wide = progress_line(now, 120, false);
  EXPECT_TRUE(wide.ends_with(now.what)) << wide;
  EXPECT_TRUE(test::has(wide, "##", "--")) << "there is room for a bar";
  EXPECT_EQ(progress_line({0.5, -1, "reading"}, 20, false), " 50 %  reading");
}

TEST(ProgressLine, PlainLinesSayTheSame) {
  EXPECT_EQ(plain_progress({0.5, 12, "reading"}), "50 %  reading, about 12 s left");
  EXPECT_EQ(plain_progress({1.2, -1, "reading"}), "100 %  reading");
}

TEST(ProgressLine, SecondsInWords) {
  EXPECT_EQ(format_seconds(0), "0.0 s");
  EXPECT_EQ(format_seconds(59.6), "1 min 0 s");
  EXPECT_EQ(format_seconds(200), "3 min 20 s");
  EXPECT_EQ(format_seconds(7500), "2 h 5 min");
}

}  // namespace
}  // namespace sturm
