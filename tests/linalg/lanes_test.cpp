// SPDX-License-Identifier: BSD-3-Clause
// Which lane kernels are chosen, and that a choice between those with the same bits is one.
#include "sturm/linalg/cpu/lanes/lanes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "linalg/matrices.h"
#include "sturm/linalg/simd.h"

namespace sturm::linalg {
namespace {

TEST(LaneChoice, IsOneOfThoseThatRunHere) {
  const std::vector<const LaneKernels*> available = available_lane_kernels();
  EXPECT_EQ(std::ranges::count(available, &lane_kernels()), 1);
  if (narrow_lane_kernels()) {
    EXPECT_EQ(narrow_lane_kernels(), available[1]);
  }
  EXPECT_NE(simd_level().find(lane_kernels().name), std::string::npos);
  EXPECT_NE(simd_level().find(std::to_string(lane_kernels().f32.width) + " float lanes"), std::string::npos);
  EXPECT_EQ(simd_level().find("pairs") != std::string::npos, pair_kernel() != nullptr);
}

TEST(LaneChoice, EachPrecisionHasItsOwnKernels) {
  const LaneKernels& kernels = lane_kernels();
  EXPECT_EQ(&kernel_for<float>(kernels), &kernels.f32);
  EXPECT_EQ(&kernel_for<double>(kernels), &kernels.f64);
  EXPECT_EQ(kernels.f32.width, 2 * kernels.f64.width) << "a float has half the bytes";
  EXPECT_EQ(voxel_kernel<float>().dot, kernels.f32.voxels.dot);
  EXPECT_EQ(voxel_kernel<double>().dot, kernels.f64.voxels.dot);
}

// Which kernel a matrix goes through may depend on the number of threads, so the narrow ones must not differ by a bit.
TEST(NarrowLanes, GiveTheSameBits) {
  if (!narrow_lane_kernels()) GTEST_SKIP() << "this processor has one set of kernels with fused multiply-add";
  const auto same = [](const auto& wide, const auto& narrow, auto real) {
    using Real = decltype(real);
    for (const auto& [rows, cols] : {std::pair<Index, Index>{1, 1}, {7, 12}, {32, 27}, {43, 51}})
      for (const bool complex : {false, true}) {
        const Matrix m = random_matrix(rows, cols, complex, 9);
        const double top = shrink_exactly(m, 0).values.front();
        Group<Real> a(m, complex, {0.5 * top, 0.1 * top, 2 * top}), b(m, complex, {0.5 * top, 0.1 * top, 2 * top});
        a.run(wide, m, complex, 0.03);
        b.run(narrow, m, complex, 0.03);
        for (std::size_t lane = 0; lane < 3; ++lane) {
          EXPECT_EQ(a.lanes[lane].nuclear, b.lanes[lane].nuclear);
          EXPECT_EQ(a.lanes[lane].rank, b.lanes[lane].rank);
          EXPECT_TRUE(std::equal(a.lanes[lane].re, a.lanes[lane].re + rows * cols, b.lanes[lane].re));
          if (complex) {
            EXPECT_TRUE(std::equal(a.lanes[lane].im, a.lanes[lane].im + rows * cols, b.lanes[lane].im));
          }
        }
      }
  };
  same(lane_kernels().f32, narrow_lane_kernels()->f32, float{});
  same(lane_kernels().f64, narrow_lane_kernels()->f64, double{});
}

}  // namespace
}  // namespace sturm::linalg
