// SPDX-License-Identifier: BSD-3-Clause
// How many threads OpenMP gives to BLAS: one while we call it, and afterwards as many as the caller had.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <thread>

#include "sturm/linalg/cpu/blas/fortran.h"
#include "sturm/linalg/host.h"

namespace sturm::linalg {
namespace {

class BlasThreads : public testing::Test {
 protected:
  void SetUp() override {
    if (!get || !set) GTEST_SKIP() << "this BLAS library has not brought OpenMP along";
    before = get();
  }
  void TearDown() override {
    if (set) set(before);
  }
  int (*const get)() = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "omp_get_max_threads"));
  void (*const set)(int) = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "omp_set_num_threads"));
  int before = 1;
};

TEST_F(BlasThreads, AreOneInsideAndAsBeforeAfterwards) {
  for (const int mine : {1, 3}) {
    set(mine);
    {
      const fortran::OneBlasThread guard;
      EXPECT_EQ(get(), 1);
      {
        const fortran::OneBlasThread inner;
        EXPECT_EQ(get(), 1);
      }
      EXPECT_EQ(get(), 1);
    }
    EXPECT_EQ(get(), mine);
  }
}

TEST_F(BlasThreads, OfAnotherThreadAreNotTouched) {
  set(3);
  const fortran::OneBlasThread guard;
  int others = 0;
  std::thread([&] {
    set(2);
    double a = 2, b = 3, c = 0;
    host::multiply<double>(Op::none, Op::none, 1, 1, 1, 1, &a, 1, &b, 1, 0, &c, 1);
    others = c == 6 ? get() : -1;
  }).join();
  EXPECT_EQ(others, 2);
  EXPECT_EQ(get(), 1);
}

}  // namespace
}  // namespace sturm::linalg
