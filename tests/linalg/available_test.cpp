// SPDX-License-Identifier: BSD-3-Clause
// The lane kernels that this processor can run.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "sturm/linalg/blas_kernels.h"
#include "sturm/linalg/cpu/lanes/lanes.h"

namespace sturm::linalg {
namespace {

std::set<std::string> names() {
  std::set<std::string> out;
  for (const LaneKernels* set : available_lane_kernels()) out.insert(set->name);
  return out;
}

TEST(AvailableLanes, EndWithThoseThatRunEverywhereAndNoneIsNamedTwice) {
  const std::vector<const LaneKernels*> available = available_lane_kernels();
  ASSERT_FALSE(available.empty());
  EXPECT_STREQ(available.back()->name, "portable");
  EXPECT_EQ(names().size(), available.size());
  for (const LaneKernels* set : available) EXPECT_LE(set->f32.width, available.front()->f32.width) << set->name;
}

// blas_kernels.cpp asks the processor in its own way.
TEST(AvailableLanes, AreThoseOfTheProcessor) {
  const std::vector<std::string> features = processor_features();
  const auto has = [&](const char* name) { return std::ranges::count(features, name) > 0; };
  EXPECT_EQ(names().contains("avx2"), has("avx2") && has("fma"));
  EXPECT_EQ(names().contains("avx512"), names().contains("avx512vl")) << "the same instructions";
  if (names().contains("avx512")) {
    EXPECT_TRUE(has("avx512f"));
  }
  if (available_pair_kernel()) {
    EXPECT_TRUE(names().contains("avx512"));
  }
}

TEST(AvailableLanes, WideOnesCostAtMostTwice) {
  EXPECT_GE(wide_lane_cost(), 1);
  EXPECT_LE(wide_lane_cost(), 2) << "a register cut in halves";
}

}  // namespace
}  // namespace sturm::linalg
