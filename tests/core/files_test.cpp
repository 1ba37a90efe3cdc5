// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/files.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "sturm/core/error.h"
#include "temporary.h"

namespace sturm {
namespace {

TEST(Files, FailedWritesLeaveNothing) {
  const test::TemporaryFolder folder;
  write_file(folder / "a", "one");
  write_file(folder / "a", "two");
  std::ifstream in(folder / "a");
  std::string text;
  in >> text;
  EXPECT_EQ(text, "two");
  EXPECT_THROW(write_file(folder / "none" / "a", "x"), Error);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

}  // namespace
}  // namespace sturm
