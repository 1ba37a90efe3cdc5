// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/output_folder.h"

#include <gtest/gtest.h>

#include <fstream>

#include "message.h"
#include "sturm/core/files.h"
#include "temporary.h"

namespace sturm {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> ours = {"a.txt", "b.txt"};

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::ptrdiff_t entries(const fs::path& folder) { return std::distance(fs::directory_iterator(folder), {}); }

TEST(OutputFolder, AppearsAllAtOnce) {
  const test::TemporaryFolder folder;
  const fs::path target = folder / "deep" / "out";
  {
    OutputFolder output(target, false, ours);
    EXPECT_EQ(entries(folder.path()), 0) << "nothing is written before there is something to write";
    write_file(output.draft() / "a.txt", "one");
    EXPECT_FALSE(fs::exists(target));
    output.publish();
  }
  EXPECT_EQ(text_of(target / "a.txt"), "one");
  EXPECT_EQ(entries(folder / "deep"), 1);
}

TEST(OutputFolder, LeavesNothingWithoutPublish) {
  const test::TemporaryFolder folder;
  {
    OutputFolder output(folder / "out", false, ours);
    write_file(output.draft() / "a.txt", "one");
  }
  EXPECT_EQ(entries(folder.path()), 0);
}

TEST(OutputFolder, AFullFolderIsReplacedOnlyOnRequestAndOnlyIfOurs) {
  const test::TemporaryFolder folder;
  const fs::path target = folder / "out";
  fs::create_directory(target);
  { OutputFolder(target, false, ours).publish(); }  // empty: as good as new
  write_file(target / "a.txt", "one");
  EXPECT_SAYS(OutputFolder(target, false, ours), "out", "not empty", "`force`");
  {
    OutputFolder output(target, true, ours);
    write_file(output.draft() / "b.txt", "two");
    EXPECT_EQ(text_of(target / "a.txt"), "one") << "the old stays until the new is whole";
    output.publish();
  }
  EXPECT_FALSE(fs::exists(target / "a.txt"));
  EXPECT_EQ(text_of(target / "b.txt"), "two");
  EXPECT_EQ(entries(folder.path()), 1);
  write_file(target / "thesis.doc", "precious");
  EXPECT_SAYS(OutputFolder(target, true, ours), "thesis.doc", "`force` does not");
  EXPECT_EQ(text_of(target / "thesis.doc"), "precious");
}

TEST(OutputFolder, RefusesWhatIsNoPlaceForResults) {
  const test::TemporaryFolder folder;
  write_file(folder / "file", "x");
  EXPECT_SAYS(OutputFolder(folder / "file", true, ours), "file", "is a file");
  EXPECT_SAYS(OutputFolder(folder / "file" / "out", true, ours), "nothing can be written");
  EXPECT_SAYS(OutputFolder(fs::current_path(), true, ours), "the folder you are in");
}

TEST(OutputFolder, RemovesWhatAKilledRunLeft) {
  const test::TemporaryFolder folder;
  fs::path draft;
  {
    OutputFolder output(folder / "out", false, ours);
    draft = output.draft();
  }
  std::string name = draft.filename().string();
  const std::string prefix = name.substr(0, name.rfind('-') + 1);
  fs::create_directory(folder / (prefix + "2000000000"));  // above the largest process number there can be
  fs::create_directory(folder / (prefix + "1"));           // a process that runs
  fs::create_directory(folder / (prefix + "1x"));          // somebody else's name
  const OutputFolder output(folder / "out", false, ours);
  EXPECT_FALSE(fs::exists(folder / (prefix + "2000000000")));
  EXPECT_EQ(entries(folder.path()), 2);
}

}  // namespace
}  // namespace sturm
