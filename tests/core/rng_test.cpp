// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/rng.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

namespace sturm {
namespace {

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

}  // namespace
}  // namespace sturm
