// SPDX-License-Identifier: BSD-3-Clause
// Products of pairs of bfloat16, where the processor has them.
#include "sturm/linalg/pairs.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "solver/small_problem.h"
#include "sturm/linalg/cpu/lanes/lanes.h"

namespace sturm::linalg {
namespace {

class Pairs : public testing::Test {
 protected:
  void SetUp() override {
    if (!kernel) GTEST_SKIP() << "this processor has no products of bfloat16: they are not tested here";
  }
  const PairKernel* const kernel = available_pair_kernel();
};

double of_bits(std::uint32_t sixteen) { return static_cast<double>(std::bit_cast<float>(sixteen << 16)); }

TEST_F(Pairs, AreRoundedToTheNearest) {
  for (const std::size_t n : {1, 15, 16, 17, 40}) {
    std::vector<float> a, b, out(n + 1, 7.0F);
    Rng rng(n);
    for (std::size_t i = 0; i < n; ++i) {
      a.push_back(static_cast<float>(rng.normal()));
      b.push_back(static_cast<float>(1e10 * rng.normal()));
    }
    kernel->pack(a.data(), b.data(), out.data(), n);
    for (std::size_t i = 0; i < n; ++i) {
      const auto bits = std::bit_cast<std::uint32_t>(out[i]);
      // Eight bits: the distance to the nearest is at most 2^-9 of the power of two below.
      EXPECT_NEAR(of_bits(bits & 0xffffU), a[i], std::ldexp(1.0, std::ilogb(a[i]) - 8)) << n << ", " << i;
      EXPECT_NEAR(of_bits(bits >> 16), b[i], std::ldexp(1.0, std::ilogb(b[i]) - 8)) << n << ", " << i;
    }
    EXPECT_EQ(out[n], 7.0F);
  }
}

TEST_F(Pairs, NumbersThatAreNoneStaySo) {
  const std::vector<float> a(16, std::numeric_limits<float>::quiet_NaN()), b(16, 1.0F);
  std::vector<float> packed(16), h(256);
  kernel->pack(a.data(), b.data(), packed.data(), 16);
  const float* const column = packed.data();
  kernel->outer(&column, 1, 16, h.data(), nullptr, 0);
  EXPECT_TRUE(std::isnan(h[0]));
}

// Numbers of eight bits, so that packing loses nothing and their products are exact.
TEST_F(Pairs, TilesCoverTheLowerTriangleOnce) {
  for (const int n : {16, 17, 23, 24, 31, 40, 63, 64, 65, 97, 130}) {
    const int count = 33;
    Rng rng(n);
    std::vector<std::vector<float>> voxels(2 * count, std::vector<float>(n)), packed(count, std::vector<float>(n));
    for (std::vector<float>& voxel : voxels)
      for (float& x : voxel) x = std::round(static_cast<float>(40 * rng.normal()));
    std::vector<const float*> columns;
    std::vector<const void*> soon;
    soon.reserve(voxels.size());
    for (int k = 0; k < count; ++k) {
      kernel->pack(voxels[2 * k].data(), voxels[2 * k + 1].data(), packed[k].data(), n);
      columns.push_back(packed[k].data());
    }
    for (const std::vector<float>& voxel : voxels) soon.push_back(voxel.data());
    std::vector<float> h(n * n, 1.0F);
    kernel->outer(columns.data(), count, n, h.data(), soon.data(), n % 2 ? n * sizeof(float) : 0);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        double sum = 0;
        for (const std::vector<float>& voxel : voxels) sum += static_cast<double>(voxel[i]) * voxel[j];
        EXPECT_EQ(h[i + j * n], i < j ? 1 : 1 + sum) << n << ": " << i << ", " << j;
      }
  }
}

}  // namespace
}  // namespace sturm::linalg
