// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <fstream>
#include <latch>
#include <optional>
#include <set>
#include <thread>

#include "sturm/core/files.h"
#include "sturm/core/npy.h"
#include "sturm/core/parallel.h"
#include "sturm/core/rng.h"
#include "temporary.h"

namespace sturm {
namespace {

TEST(Shape, RefusesEmptyAndOverflowing) {
  EXPECT_THROW((Shape{0, 3, 3}.check()), Error);
  EXPECT_THROW((Shape{3, -1, 3}.check()), Error);
  EXPECT_THROW((Shape{Index{1} << 31, Index{1} << 31, 2}.check()), Error);
  EXPECT_THROW((Shape{Index{1} << 30, Index{1} << 30, 1}.check()), Error) << "2^60 doubles overflow in bytes";
  EXPECT_THROW(Tensor(Shape{2, 0, 1}), Error);
  EXPECT_EQ((Shape{91, 109, 91}.check().size()), 902629);
}

TEST(Tensor, FirstIndexIsFastest) {
  Tensor a({2, 3, 4});
  a(1, 2, 3) = 5;
  EXPECT_EQ(a.flat()[1 + 2 * (2 + 3 * 3)], 5);
  EXPECT_EQ(a.slice(3)[5], 5);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.data()) % 64, 0U);
  const BasicTensorView<const double> view = a.view();
  EXPECT_EQ(view(1, 2, 3), 5);
  EXPECT_EQ(Tensor(view), a);
}

TEST(Rng, StreamsDifferAndRepeat) {
  Rng a(1, 0), b(1, 0), c(1, 1), d(2, 0);
  const auto first = a.bits();
  EXPECT_EQ(first, b.bits());
  EXPECT_NE(first, c.bits());
  EXPECT_NE(first, d.bits());
}

TEST(Rng, AStreamIsThatOfItsName) {
  EXPECT_EQ(stream_of("permutation/17"), stream_of("permutation/17"));
  std::set<std::uint64_t> streams;
  for (int n = 0; n < 1000; ++n) streams.insert(stream_of("permutation/" + std::to_string(n)));
  streams.insert(stream_of(""));
  EXPECT_EQ(streams.size(), 1001U);
}

TEST(Rng, MomentsAreRight) {
  Rng rng(5);
  const int n = 200000;
  double sum = 0, square = 0, fourth = 0;
  for (int i = 0; i < n; ++i) {
    const double v = rng.normal();
    sum += v;
    square += v * v;
    fourth += v * v * v * v;
  }
  // Five standard errors: 1/sqrt(n), sqrt(2/n), sqrt(96/n).
  EXPECT_NEAR(sum / n, 0, 5 / std::sqrt(n));
  EXPECT_NEAR(square / n, 1, 5 * std::sqrt(2.0 / n));
  EXPECT_NEAR(fourth / n, 3, 5 * std::sqrt(96.0 / n));
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 200; ++i) seen.insert(rng.below(7));
  EXPECT_EQ(seen.size(), 7U);
  EXPECT_EQ(*seen.rbegin(), 6U);
}

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

TEST(Npy, RoundTrip) {
  const test::TemporaryFolder folder;
  const Tensor a = random_normal({3, 4, 5}, 1);
  write_npy(folder / "a.npy", a);
  write_npy(folder / "f.npy", cast<float>(a));
  EXPECT_EQ(read_npy_tensor(folder / "a.npy"), a);
  EXPECT_EQ(read_npy_tensor(folder / "f.npy"), cast<double>(cast<float>(a)));
}

TEST(Npy, ReadsBothOrdersOfBytesAndAxes) {
  const test::TemporaryFolder folder;
  std::string bytes("\x93NUMPY\x01\x00", 8);
  std::string header = "{'descr': '>f8', 'fortran_order': False, 'shape': (2, 3), }";
  header.append(118 - header.size() - 1, ' ');
  header += '\n';
  bytes += static_cast<char>(118);
  bytes += '\0';
  bytes += header;
  for (int i = 0; i < 6; ++i) {
    const double v = i;
    char raw[8];
    std::memcpy(raw, &v, 8);
    for (int b = 7; b >= 0; --b) bytes += raw[b];
  }
  write_file(folder / "c.npy", bytes);
  const Tensor a = read_npy_tensor(folder / "c.npy");
  EXPECT_EQ(a.shape(), (Shape{2, 3, 1}));
  EXPECT_EQ(a(1, 0, 0), 3);
  EXPECT_EQ(a(0, 2, 0), 2);
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    write_file(folder / "cut.npy", bytes.substr(0, cut));
    EXPECT_THROW(read_npy_tensor(folder / "cut.npy"), Error) << cut;
  }
}

TEST(Npy, SaysWhatIsWrong) {
  const test::TemporaryFolder folder;
  const auto message = [&](const std::string& header) {
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(header.size());
    bytes += '\0';
    write_file(folder / "bad.npy", bytes + header);
    try {
      read_npy_tensor(folder / "bad.npy");
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(message("{'descr': '<i4', 'fortran_order': False, 'shape': (2,)}").find("<i4"), std::string::npos);
  EXPECT_NE(message("{'fortran_order': False, 'shape': (2,)}").find("descr"), std::string::npos);
  EXPECT_NE(message("{'descr': '<f4', 'fortran_order': False, 'shape': 2}").find("shape"), std::string::npos);
  EXPECT_NE(message("{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 9)}").find("memory"),
            std::string::npos);
  EXPECT_THROW(read_npy_tensor(folder / "absent.npy"), Error);
}

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
