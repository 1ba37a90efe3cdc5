// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/memory.h"

#include <gtest/gtest.h>

#include <fstream>

#include "message.h"
#include "temporary.h"

namespace sturm {
namespace {

class Memory : public testing::Test {
 protected:
  void put(const std::filesystem::path& file, const std::string& text) {
    std::filesystem::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  test::TemporaryFolder root_;
};

TEST_F(Memory, IsWhatTheMachineHasAvailable) {
  put("proc/meminfo", "MemTotal:  4000 kB\nMemFree: 1000 kB\nMemAvailable:  3000 kB\n");
  EXPECT_EQ(memory_available(root_.path()), 3000 * 1024);
  EXPECT_GT(memory_available(), Index{1} << 20) << "this machine";
}

TEST_F(Memory, IsLessInAControlGroupOrOneAboveIt) {
  put("proc/meminfo", "MemAvailable:  3000 kB\n");
  put("proc/self/cgroup", "0::/job/step\n");
  put("sys/fs/cgroup/job/memory.max", "1000000\n");
  put("sys/fs/cgroup/job/memory.current", "600000\n");
  put("sys/fs/cgroup/job/memory.stat", "anon 100\ninactive_file 200000\n");
  put("sys/fs/cgroup/job/step/memory.max", "max\n");
  put("sys/fs/cgroup/job/step/memory.current", "600000\n");
  EXPECT_EQ(memory_available(root_.path()), 600000) << "files kept in memory can be given up";
}

TEST_F(Memory, KnowsTheOldControlGroups) {
  put("proc/meminfo", "MemAvailable:  3000 kB\n");
  put("proc/self/cgroup", "5:cpu,memory:/job\n3:pids:/x\n");
  put("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "500000\n");
  put("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "500001\n");
  EXPECT_EQ(memory_available(root_.path()), 0);
}

TEST(Bytes, AreReadAsPeopleWriteThem) {
  EXPECT_EQ(parse_bytes("4G", "memory"), Index{4} << 30);
  EXPECT_EQ(parse_bytes("1.5 GiB", "memory"), Index{3} << 29);
  EXPECT_EQ(parse_bytes("512m", "memory"), Index{512} << 20);
  EXPECT_EQ(parse_bytes("100KB", "memory"), 102400);
  EXPECT_EQ(parse_bytes("123", "memory"), 123);
  for (const char* text : {"", "G", "-1G", "0", "4X", "4GG", "nan", "inf", "1e30"})
    EXPECT_SAYS(parse_bytes(text, "memory"), "`memory`", "4G");
  EXPECT_EQ(format_bytes(Index{3} << 29), "1.5 GiB");
  EXPECT_EQ(format_bytes(1000), "1000 bytes");
}

}  // namespace
}  // namespace sturm
