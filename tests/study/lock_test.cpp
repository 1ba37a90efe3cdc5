// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/lock.h"

#include <gtest/gtest.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill() is POSIX's

#include <optional>

#include "message.h"
#include "study/process.h"
#include "sturm/core/host.h"
#include "temporary.h"

namespace sturm {
namespace {

/// A process that holds a lock until it is killed; returns when it has it.
pid_t start_holder(const std::filesystem::path& file) {
  int ready[2];
  EXPECT_EQ(::pipe(ready), 0);
  const pid_t holder = test::start([&] {
    const Lock lock(file, "The study");
    if (::write(ready[1], "x", 1) != 1) return 1;
    for (;;) ::pause();
  });
  char one = 0;
  EXPECT_EQ(::read(ready[0], &one, 1), 1);
  ::close(ready[0]);
  ::close(ready[1]);
  return holder;
}

TEST(Lock, SaysWhoHoldsItAndDiesWithTheProcess) {
  const test::TemporaryFolder folder;
  const pid_t holder = start_holder(folder / "lock");
  EXPECT_SAYS(Lock(folder / "lock", "The study in w"),
              "The study in w is being worked on by process " + std::to_string(holder) + " on host " + host_name() +
                  " since 20",
              "UTC", "`work`");
  ::kill(holder, SIGKILL);
  EXPECT_EQ(test::wait_for(holder), -SIGKILL);
  const Lock lock(folder / "lock", "The study in w");
  EXPECT_SAYS(Lock(folder / "lock", "x"), "process " + std::to_string(::getpid()) + " ");
}

TEST(Lock, IsOfOneHolderAndCanBeGivenBack) {
  const test::TemporaryFolder folder;
  std::optional<Lock> first(std::in_place, folder / "lock", "x");
  EXPECT_THROW(Lock(folder / "lock", "x"), Error) << "even inside one process";
  EXPECT_THROW(Lock(folder / "lock", "x"), Error) << "and a failed attempt takes nothing away";
  const Lock moved = std::move(*first);
  first.reset();
  EXPECT_THROW(Lock(folder / "lock", "x"), Error);
  const Lock other(folder / "other", "x");
}

TEST(Lock, IsWaitedForWhereThatIsAskedFor) {
  const test::TemporaryFolder folder;
  const pid_t holder = start_holder(folder / "lock");
  std::string by;
  const Lock lock(folder / "lock", "x", [&](const std::string& who) {
    by = who;
    EXPECT_THROW(Lock(folder / "lock", "x"), Error) << "it is held still";
    ::kill(holder, SIGKILL);
  });
  EXPECT_EQ(test::wait_for(holder), -SIGKILL);
  EXPECT_TRUE(by.starts_with("process " + std::to_string(holder) + " on host ")) << by;
  EXPECT_THROW(Lock(folder / "lock", "x"), Error) << "and is held now by the one that waited";
  const Lock other(folder / "other", "x", [](const std::string&) { FAIL() << "there is nothing to wait for"; });
}

TEST(Lock, NeedsAFolder) {
  const test::TemporaryFolder folder;
  EXPECT_SAYS(Lock(folder / "none" / "lock", "x"), "none/lock", "cannot be opened");
}

}  // namespace
}  // namespace sturm
