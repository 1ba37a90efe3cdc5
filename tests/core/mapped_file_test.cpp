// SPDX-License-Identifier: BSD-3-Clause
// Files seen as memory.
#include "sturm/core/mapped_file.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "message.h"
#include "sturm/core/files.h"
#include "temporary.h"

namespace sturm {
namespace {

TEST(MappedFile, HasTheBytesOfTheFileAlsoAfterTheyWereReleased) {
  const test::TemporaryFolder folder;
  for (const std::size_t size : {1, 4095, 4096, 100000}) {
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(i * 31 % 251);
    write_file(folder / "bytes", bytes);
    const MappedFile file(folder / "bytes");
    ASSERT_EQ(file.size(), static_cast<Index>(size));
    EXPECT_EQ(std::memcmp(file.data(), bytes.data(), size), 0);
    file.release(0, file.size());
    file.release(5, 5);
    EXPECT_EQ(std::memcmp(file.data(), bytes.data(), size), 0) << "read again from the file";
  }
}

TEST(MappedFile, OutlivesTheNameOfItsFile) {
  const test::TemporaryFolder folder;
  write_file(folder / "bytes", "abc");
  const MappedFile file(folder / "bytes");
  std::filesystem::remove(folder / "bytes");
  EXPECT_EQ(std::memcmp(file.data(), "abc", 3), 0);
}

TEST(MappedFile, WhatCannotBeReadIsNamed) {
  const test::TemporaryFolder folder;
  EXPECT_SAYS(MappedFile(folder / "absent"), "absent", "does not exist");
  write_file(folder / "empty", "");
  EXPECT_SAYS(MappedFile(folder / "empty"), "empty", "cannot be read");
  EXPECT_SAYS(MappedFile(folder.path()), folder.path().string(), "it is a folder");
}

}  // namespace
}  // namespace sturm
