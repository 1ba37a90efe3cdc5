// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <string>

#include "message.h"
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

TEST(Files, OnlyFilesAreRead) {
  const test::TemporaryFolder folder;
  write_file(folder / "a", "one\ntwo");
  write_file(folder / "empty", "");
  EXPECT_EQ(read_file(folder / "a"), "one\ntwo");
  EXPECT_EQ(read_file(folder / "empty"), "");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink("loop", folder / "loop");
  EXPECT_SAYS(read_file(folder / "pipe"), "pipe", "it is a pipe");
  EXPECT_SAYS(read_file("/dev/zero"), "it is a device");
  EXPECT_SAYS(read_file(folder.path()), "it is a folder");
  EXPECT_SAYS(read_file(folder / "none"), "none", "does not exist");
  EXPECT_SAYS(read_file(folder / "a" / "b"), "not a folder");
  EXPECT_SAYS(read_file(folder / "loop"), "circle");
  EXPECT_SAYS(read_file(folder / std::string(300, 'n')), "too long");
}

}  // namespace
}  // namespace sturm
