// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/journal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill() is POSIX's
#include <sys/mount.h>
#include <sys/resource.h>

#include <fstream>
#include <functional>
#include <thread>

#include "message.h"
#include "study/process.h"
#include "sturm/core/rng.h"
#include "temporary.h"

namespace sturm {
namespace {

namespace fs = std::filesystem;

const StudyIdentity settings = {{"inner", "9"}, {"seed", "1"}};

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void put_bytes(const fs::path& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

std::vector<Record> records_in(const fs::path& work) { return read_journals(work, settings).records; }

/// A payload that says whether it is the right one.
std::string payload_of(std::size_t task) {
  return std::string(100 + 37 * (task % 200), static_cast<char>('a' + task % 26));
}

TEST(Journal, GoesOnWhereItWas) {
  const test::TemporaryFolder folder;
  const fs::path work = folder / "deep" / "work";
  EXPECT_TRUE(records_in(work).empty());
  for (int run = 0; run < 3; ++run) {
    Journal journal(work, "1-of-1", settings);
    EXPECT_EQ(records_in(work).size(), 2U * run);
    for (int n = 0; n < 2; ++n) journal.append("task/" + std::to_string(2 * run + n), payload_of(n));
  }
  const std::vector<Record> records = records_in(work);
  ASSERT_EQ(records.size(), 6U);
  EXPECT_EQ(records[5], (Record{"task/5", payload_of(1)}));
  EXPECT_EQ(std::distance(fs::directory_iterator(work), {}), 2) << "a journal and its lock";
}

// A study that failed before its first task ended does not stand in the way of the corrected one.
TEST(Journal, AStudyWithoutATaskIsBegunAnew) {
  const test::TemporaryFolder folder;
  const StudyIdentity other = {{"inner", "99"}, {"seed", "1"}};
  {
    const Journal journal(folder.path(), "1", other);
    EXPECT_SAYS(records_in(folder.path()), "`inner` 99, now 9");  // somebody is at it
  }
  EXPECT_TRUE(records_in(folder.path()).empty());
  {
    Journal journal(folder.path(), "1", settings);
    journal.append("a", "one");
  }
  EXPECT_EQ(records_in(folder.path()).size(), 1U);
  EXPECT_SAYS(read_journals(folder.path(), other), "`inner` 9, now 99");  // what is done is kept
  EXPECT_SAYS(Journal(folder.path(), "1", other), "`inner` 9, now 99");
  EXPECT_EQ(read_journals(folder.path(), other, {"inner"}).records.size(), 1U) << "where it does not matter";
}

TEST(Journal, CutsATornEndBeforeItGoesOn) {
  const test::TemporaryFolder folder;
  fs::path file;
  {
    Journal journal(folder.path(), "1", settings);
    journal.append("a", "one");
    file = journal.file();
  }
  const std::string whole = bytes_of(file);
  const std::string next = encode_record(digest(settings), "b", "two");
  for (std::size_t cut = 1; cut < next.size(); ++cut) {
    put_bytes(file, whole + next.substr(0, cut));
    const StudyRecords found = read_journals(folder.path(), settings);
    EXPECT_EQ(found.records.size(), 1U);
    ASSERT_EQ(found.notes.size(), 1U);
    EXPECT_TRUE(test::has(found.notes[0], file.string(), "cut short"));
    EXPECT_EQ(bytes_of(file).size(), whole.size() + cut) << "reading changes nothing";
    Journal(folder.path(), "1", settings).append("c", "three");
    EXPECT_EQ(bytes_of(file), whole + encode_record(digest(settings), "c", "three"));
  }
}

TEST(Journal, RefusesAnotherStudyAndNamesTheDifference) {
  const test::TemporaryFolder folder;
  Journal(folder.path(), "1", settings).append("a", "one");
  const StudyIdentity now = {{"inner", "5"}, {"seed", "1"}};
  for (const auto& open : {std::function<void()>([&] { read_journals(folder.path(), now); }),
                           std::function<void()>([&] { Journal(folder.path(), "1", now); })})
    EXPECT_SAYS(open(), "The study in " + folder.path().string() + " was made with `inner` 9, now 5:", "`work`",
                "`force`");
}

TEST(Journal, RefusesDamageAndStrangers) {
  const test::TemporaryFolder folder;
  for (const char* task : {"a", "b", "c"}) Journal(folder.path(), "1", settings).append(task, "x");
  const fs::path file = folder / "journal-1.bin";
  const std::string whole = bytes_of(file);
  std::string bytes = whole;
  bytes[bytes.size() / 2] ^= 4;
  put_bytes(file, bytes);
  EXPECT_SAYS(records_in(folder.path()), file.string(), "damaged");
  EXPECT_SAYS(Journal(folder.path(), "1", settings), file.string(), "damaged");
  EXPECT_EQ(bytes_of(file), bytes) << "and leaves it to its owner";
  put_bytes(file, whole);
  put_bytes(folder / "journal-thesis.bin", "precious");
  EXPECT_SAYS(records_in(folder.path()), "journal-thesis.bin", "no journal");
  EXPECT_SAYS(remove_journals(folder.path()), "journal-thesis.bin", "`force` does not");
  EXPECT_TRUE(fs::exists(file));
  fs::remove(folder / "journal-thesis.bin");
  remove_journals(folder.path());
  EXPECT_FALSE(fs::exists(file));
  fs::create_directory(file);
  EXPECT_SAYS(records_in(folder.path()), "not a file");
  put_bytes(folder / "file", "");
  EXPECT_SAYS(records_in(folder / "file"), "cannot be read");
  EXPECT_SAYS(Journal(folder / "file", "1", settings), "cannot be made");
}

TEST(Journal, PartsAreMerged) {
  const test::TemporaryFolder folder;
  Journal first(folder.path(), "1-of-2", settings), second(folder.path(), "2-of-2", settings);
  first.append("a", "one");
  second.append("b", "two");
  second.append("a", "one");  // done twice, with the same result: harmless
  EXPECT_EQ(records_in(folder.path()), (std::vector<Record>{{"a", "one"}, {"b", "two"}}));
  EXPECT_SAYS(Journal(folder.path(), "2-of-2", settings), "being worked on");
  EXPECT_SAYS(remove_journals(folder.path()), "being worked on");
  first.append("b", "three");
  EXPECT_SAYS(records_in(folder.path()), "task b", "journal-1-of-2.bin", "journal-2-of-2.bin");
}

TEST(Journal, ManyThreadsMayAppend) {
  const test::TemporaryFolder folder;
  Journal journal(folder.path(), "1", settings);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t)
    threads.emplace_back([&journal, t] {
      for (std::size_t n = 0; n < 25; ++n) journal.append(std::to_string(25 * t + n), payload_of(25 * t + n));
    });
  for (std::thread& thread : threads) thread.join();
  const std::vector<Record> records = records_in(folder.path());
  EXPECT_EQ(records.size(), 100U);
  for (const Record& record : records) EXPECT_EQ(record.payload, payload_of(std::stoul(record.task)));
}

TEST(Journal, NoticesAnotherWriter) {
  const test::TemporaryFolder folder;
  Journal journal(folder.path(), "1", settings);
  journal.append("a", "one");
  std::ofstream(journal.file(), std::ios::app) << "words";
  EXPECT_SAYS(journal.append("b", "two"), "another process");
}

// A writer is killed at a random moment, again and again. Whatever it was told is on disk, is; the rest is whole or
// absent; and the next one goes on.
TEST(Journal, SurvivesBeingKilled) {
  const test::TemporaryFolder folder;
  Rng rng(1);
  std::size_t done = 0;
  for (int round = 0; round < 15; ++round) {
    int told[2];
    ASSERT_EQ(::pipe(told), 0);
    const pid_t writer = test::start([&] {
      Journal journal(folder.path(), "1", settings);
      for (std::size_t task = done;; ++task) {
        journal.append(std::to_string(task), payload_of(task));
        if (::write(told[1], "x", 1) != 1) return 1;
      }
    });
    ::close(told[1]);
    ::usleep(static_cast<useconds_t>(rng.below(40000)));
    ::kill(writer, SIGKILL);
    EXPECT_EQ(test::wait_for(writer), -SIGKILL);
    std::size_t acknowledged = 0;
    for (char one = 0; ::read(told[0], &one, 1) == 1;) ++acknowledged;
    ::close(told[0]);
    const std::vector<Record> records = records_in(folder.path());
    EXPECT_GE(records.size(), done + acknowledged);
    EXPECT_LE(records.size(), done + acknowledged + 1);
    for (std::size_t r = 0; r < records.size(); ++r) EXPECT_EQ(records[r], (Record{std::to_string(r), payload_of(r)}));
    done = records.size();
  }
  EXPECT_GT(done, 0U);
}

/// Appends until it fails; then checks, by exit code, that the journal holds all that succeeded, that a small record
/// still fits or fails as clearly, and that nothing torn is left.
int fill(const fs::path& work, const char* reason) {
  Journal journal(work, "1", settings);
  std::size_t done = 0;
  std::string said = "no error";
  while (done < 10000 && said == "no error") {
    said = test::message_of([&] { journal.append(std::to_string(done), payload_of(199)); });
    done += said == "no error";
  }
  if (done == 0) return 1;
  if (!test::has(said, "journal-1.bin", "cannot be written", reason, "kept")) return 2;
  const StudyRecords found = read_journals(work, settings);
  if (found.records.size() != done || !found.notes.empty()) return 3;
  journal.append("small", "");
  return records_in(work).size() == done + 1 ? 0 : 4;
}

TEST(Journal, AFileThatMayNotGrowIsLeftWhole) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(test::wait_for(test::start([&] {
              ::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{20000, 20000};
              return ::setrlimit(RLIMIT_FSIZE, &limit) == 0 ? fill(folder.path(), "File too large") : 9;
            })),
            0);
}

/// Mounts a file system of 64 KiB, seen by this process alone; needs no rights where user namespaces are allowed.
bool mount_small(const fs::path& folder) {
  const std::string user = "0 " + std::to_string(::getuid()) + " 1", group = "0 " + std::to_string(::getgid()) + " 1";
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
  put_bytes("/proc/self/uid_map", user);
  put_bytes("/proc/self/setgroups", "deny");
  put_bytes("/proc/self/gid_map", group);
  return ::mount("none", folder.c_str(), "tmpfs", 0, "size=65536") == 0;
}

TEST(Journal, AFullDiskLeavesItWhole) {
  const test::TemporaryFolder folder;
  constexpr int not_allowed = 77;
  const int code = test::wait_for(
      test::start([&] { return mount_small(folder.path()) ? fill(folder.path(), "No space left") : not_allowed; }));
  if (code == not_allowed) GTEST_SKIP() << "a file system cannot be made here";
  EXPECT_EQ(code, 0);
}

TEST(Journal, AFullDeviceIsAnError) {
  const int handle = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(handle, 0);
  EXPECT_SAYS(append_and_sync(handle, "bytes", "work/journal-1.bin"), "work/journal-1.bin", "No space left",
              "free space");
  ::close(handle);
  EXPECT_SAYS(append_and_sync(-1, "bytes", "x"), "Bad file descriptor");
}

}  // namespace
}  // namespace sturm
