// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <optional>
#include <thread>
#include <vector>

#include "sturm/core/error.h"

namespace sturm {
namespace {

TEST(Parallel, VisitsEachIndexOnceAndPassesErrorsOn) {
  std::optional<UseThreads> in_use;
  for (const int team : {1, 2, 5}) {
    in_use.emplace(team);
    for (const Index count : {1, 3, 100, 1003}) {
      std::vector<std::atomic<int>> visits(count);
      parallel_for(count, [&](Index i, int worker) {
        EXPECT_LT(worker, team);
        parallel_for(2, [&](Index, int inner) {  // this worker, and perhaps one that has nothing to do
          EXPECT_LT(inner, team);
          ++visits[i];
        });
      });
      for (const auto& v : visits) EXPECT_EQ(v, 2);
    }
    EXPECT_THROW(parallel_for(10,
                              [](Index i, int) {
                                if (i == 7) throw Error("seven");
                              }),
                 Error);
  }
  in_use.reset();
  EXPECT_THROW(UseThreads(-1), UsageError);
}

// Loops inside loops inside loops, called from several threads at once: every index once, at every depth, and errors
// reach the loop that they belong to.
TEST(Parallel, LoopsInsideLoopsFromManyCallers) {
  std::vector<std::thread> callers;
  for (int c = 0; c < 4; ++c)
    callers.emplace_back([c] {
      const UseThreads some(c < 2 ? 0 : 2 + c);  // two share the threads of the process, two have their own
      for (int round = 0; round < 50; ++round) {
        std::atomic<int> visits{0};
        parallel_for(3, [&](Index i, int) {
          parallel_for(5, [&](Index, int) { parallel_for(4, [&](Index, int) { ++visits; }); });
          if (i == 1) {
            EXPECT_THROW(parallel_for(6,
                                      [](Index j, int) {
                                        if (j == 2) throw Error("two");
                                      }),
                         Error);
          }
        });
        EXPECT_EQ(visits, 60);
      }
    });
  for (std::thread& caller : callers) caller.join();
}

// Long pieces are under way at the same time: each waits for all the others. Then one thread of four is left, and a
// piece that divides again gets it.
TEST(Parallel, LongPiecesSideBySide) {
  std::optional<UseThreads> in_use;
  in_use.emplace(4);
  for (int round = 0; round < 50; ++round) {
    std::latch begun(3), seen(3), divided(2);
    std::atomic<int> visits{0};
    side_by_side(3, [&](Index i) {
      begun.arrive_and_wait();
      EXPECT_EQ(free_threads(), 2);
      seen.arrive_and_wait();
      if (i == 0) side_by_side(2, [&](Index) { divided.arrive_and_wait(); });
      for (int loop = 0; loop < 20; ++loop) parallel_for(10, [&](Index, int) { ++visits; });
    });
    EXPECT_EQ(visits, 600);
    EXPECT_EQ(free_threads(), 4);
  }
  std::atomic<int> begun{0};
  EXPECT_THROW(side_by_side(1000,
                            [&](Index) {
                              ++begun;
                              throw Error("at once");
                            }),
               Error);
  EXPECT_LE(begun, 4) << "after an exception no other piece is begun";
  in_use.emplace(1);
  std::vector<Index> order;
  side_by_side(3, [&](Index i) { order.push_back(i); });
  EXPECT_EQ(order, (std::vector<Index>{0, 1, 2}));
  in_use.reset();
}

}  // namespace
}  // namespace sturm
