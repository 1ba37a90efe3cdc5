// SPDX-License-Identifier: BSD-3-Clause
// Memory that is freed is kept for the next array. In a process of its own, since it is a setting of the whole one.
#include "sturm/core/heap.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <vector>

#include "study/process.h"

namespace sturm {
namespace {

/// Pages that had to be fetched while three arrays of 3 MB were written and freed, 2,300 of them unless they are kept.
long fetched_pages() {
  const auto so_far = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
  };
  const long before = so_far();
  std::array<std::vector<char>, 3> arrays;
  for (auto& array : arrays) array.assign(3 << 20, 'x');
  for (auto& array : arrays) std::vector<char>().swap(array);
  return so_far() - before;
}

TEST(Heap, KeepsFreedMemory) {
  if (dlsym(RTLD_DEFAULT, "__asan_init") || dlsym(RTLD_DEFAULT, "__tsan_init") || !dlsym(RTLD_DEFAULT, "mallopt"))
    GTEST_SKIP() << "another allocator than the C library's";
  const int code = test::wait_for(test::start([] {
    keep_freed_memory();
    fetched_pages();
    return fetched_pages() < 200 ? 0 : 1;
  }));
  EXPECT_EQ(code, 0) << "1: pages were given back and fetched again";
}

}  // namespace
}  // namespace sturm
