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
  EXPECT_SAYS(OutputFolder(folder / "file" / "out", true, ours), "is a file, and folders are needed");
  EXPECT_SAYS(OutputFolder(fs::current_path(), true, ours), "the folder you are in");
}

// Each of these once was an endless loop, or was found out when everything had been computed.
TEST(OutputFolder, NamesThatLeadNowhereAreRefusedAtOnce) {
  const test::TemporaryFolder folder;
  fs::create_symlink("loop", folder / "loop");
  fs::create_symlink("nowhere", folder / "dangling");
  EXPECT_SAYS(OutputFolder(folder / "loop", false, ours), "loop", "circle", "`output`");
  EXPECT_SAYS(OutputFolder(folder / "loop" / "deep" / "out", false, ours), "circle");
  EXPECT_SAYS(OutputFolder(folder / "dangling", false, ours), "dangling", "a link to what does not exist");
  EXPECT_SAYS(OutputFolder(folder / std::string(300, 'n'), false, ours), "too long");
  EXPECT_SAYS(OutputFolder(folder / std::string(300, 'n') / "out", false, ours), "too long");
  // The draft's name is longer.
  EXPECT_SAYS(OutputFolder(folder / std::string(250, 'n'), false, ours), "too long by");
  EXPECT_SAYS(OutputFolder("/", false, ours), "root of the file system");
  EXPECT_SAYS(OutputFolder("", false, ours), "empty");
  EXPECT_EQ(entries(folder.path()), 2);
  { OutputFolder(folder / "line\nbreak/", false, ours).publish(); }
  EXPECT_TRUE(fs::is_directory(folder / "line\nbreak"));
}

TEST(OutputFolder, FoldersAboveThatWereMadeForNothingGo) {
  const test::TemporaryFolder folder;
  { write_file(OutputFolder(folder / "a" / "b" / "out", false, ours).draft() / "a.txt", "one"); }
  EXPECT_EQ(entries(folder.path()), 0);
  {
    OutputFolder output(folder / "a" / "b" / "out", false, ours);
    output.draft();
    write_file(folder / "a" / "another", "one");
  }
  EXPECT_TRUE(fs::exists(folder / "a" / "another"));
  EXPECT_FALSE(fs::exists(folder / "a" / "b"));
}

TEST(OutputFolder, KnowsWhatLiesInIt) {
  const test::TemporaryFolder folder;
  fs::create_directory(folder / "out");
  fs::create_symlink("out", folder / "link");
  EXPECT_TRUE(lies_in(folder / "out", folder / "out/"));
  EXPECT_TRUE(lies_in(folder / "out" / "work", folder / "out"));
  EXPECT_TRUE(lies_in(folder / "link" / "work", folder / "out"));
  EXPECT_TRUE(lies_in(folder / "new" / ".." / "out" / "w", folder / "out"));
  EXPECT_FALSE(lies_in(folder / "out.work", folder / "out"));
  EXPECT_FALSE(lies_in(folder.path(), folder / "out"));
  EXPECT_SAYS(refuse_inside(folder / "out", {{"cache", ""}, {"work", folder / "link"}}), "`work`", "`output`");
  EXPECT_EQ(test::message_of([&] {
              refuse_inside(folder / "out", {{"cache", ""}, {"work", folder / "w"}});
            }),
            "no error");
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
