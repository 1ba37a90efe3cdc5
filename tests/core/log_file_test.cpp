// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/log_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <ctime>
#include <fstream>

#include "message.h"
#include "temporary.h"

namespace sturm {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(LogFile, GoesOnWithALogAndNothingElse) {
  const test::TemporaryFolder folder;
  const std::string log = folder / "log";
  EXPECT_TRUE(LogFile(log, "log-json").append("{\"event\":\"one\"}\n"));
  EXPECT_TRUE(LogFile(log, "log-json").append("{\"event\":\"two\"}\n"));
  EXPECT_EQ(text_of(log), "{\"event\":\"one\"}\n{\"event\":\"two\"}\n");
  for (const std::string text : {"path\tgroup\na.nii\tx\n", "{\"other\":1}\n", "[]", "5", "\n{\"event\":1}"}) {
    const std::string table = folder / "table";
    std::ofstream(table) << text;
    EXPECT_SAYS(LogFile(table, "log-json"), "table", "no log of sturm", "`log-json`");
    EXPECT_EQ(text_of(table), text) << "not a byte is added";
  }
}

TEST(LogFile, RefusesWhatIsNoFile) {
  const test::TemporaryFolder folder;
  EXPECT_SAYS(LogFile(folder.path(), "log-json"), "cannot be written", "`log-json`");
  EXPECT_SAYS(LogFile(folder / "none" / "log", "log-json"), "cannot be written");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_SAYS(LogFile(folder / "pipe", "log-json"), "pipe");  // and is not waited for
}

TEST(LogFile, AFullDiskIsToldOnceAndNoMore) {
  LogFile log("/dev/full", "log-json");
  EXPECT_FALSE(log.append("a line\n"));
  EXPECT_FALSE(log.append("a line\n"));
}

TEST(LogFile, TheTimeIsThatOfTheSystem) {
  char ours[25];
  std::tm parts{};
  std::time_t before = 0, after = 0;
  do {  // in one second
    before = std::time(nullptr);
    utc_time(ours);
    after = std::time(nullptr);
  } while (before != after);
  ::gmtime_r(&before, &parts);
  char theirs[32];
  std::strftime(theirs, sizeof theirs, "%Y-%m-%dT%H:%M:%S", &parts);
  EXPECT_EQ(std::string(ours).substr(0, 19), theirs);
  EXPECT_EQ(std::string(ours).size(), 24U);
  EXPECT_EQ(ours[23], 'Z');
}

}  // namespace
}  // namespace sturm
