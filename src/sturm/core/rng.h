// SPDX-License-Identifier: BSD-3-Clause
// Random numbers that depend on a seed and a stream alone, never on threads or on the order of tasks.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "sturm/core/tensor.h"

namespace sturm {

/// xoshiro256++ seeded from (seed, stream): two streams of one seed do not overlap in practice.
class Rng {
 public:
  explicit Rng(std::uint64_t seed, std::uint64_t stream = 0);

  std::uint64_t bits();
  double uniform();                          ///< in [0, 1)
  double normal();                           ///< mean 0, variance 1
  std::uint64_t below(std::uint64_t bound);  ///< uniform in {0, ..., bound - 1}; bound > 0

 private:
  std::uint64_t state_[4];
  double spare_ = 0;
  bool has_spare_ = false;
};

/// The stream of a task, from its id: "permutation/17" has the same numbers wherever and whenever it runs.
std::uint64_t stream_of(std::string_view id);

/// Every order is equally likely.
template <class Value>
void shuffle(std::vector<Value>& values, Rng& rng) {
  for (std::uint64_t left = values.size(); left > 1; --left) std::swap(values[left - 1], values[rng.below(left)]);
}

/// Independent standard normal entries.
Tensor random_normal(const Shape& shape, std::uint64_t seed, std::uint64_t stream = 0);

}  // namespace sturm
