// SPDX-License-Identifier: BSD-3-Clause
// Random numbers on the host and what the tests of the jobs compare them with.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sturm/core/parallel.h"
#include "sturm/core/rng.h"

namespace sturm::test {

template <class Real>
std::vector<Real> draw(Index n, std::uint64_t seed, std::uint64_t stream) {
  Rng rng(seed, stream);
  std::vector<Real> out(n);
  for (Real& v : out) v = static_cast<Real>(rng.normal());
  return out;
}

/// Two of three columns, the third by the stream; at least one.
inline std::vector<std::uint8_t> some_columns(Index n, std::uint64_t stream) {
  std::vector<std::uint8_t> out(n);
  for (Index v = 0; v < n; ++v) out[v] = (static_cast<std::uint64_t>(v) + stream) % 3 != 1 ? 1 : 0;
  out.back() = 1;
  return out;
}

inline double soft(double t, double cut) { return std::copysign(std::max(std::abs(t) - cut, 0.0), t); }

/// Rounding of a handful of operations on numbers of size 1 to 5.
template <class Real>
constexpr double few_roundings = 20 * (sizeof(Real) == 4 ? 1e-6 : 1e-14);

/// Runs with so many threads, and puts them back.
template <class Body>
auto with_threads(int count, const Body& body) {
  const UseThreads team(count);
  auto out = body();
  return out;
}

}  // namespace sturm::test
