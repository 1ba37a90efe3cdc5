// SPDX-License-Identifier: BSD-3-Clause
// Made-up samples for tests of folds and permutations.
#pragma once

#include <numeric>

#include "sturm/core/rng.h"
#include "sturm/eval/sample_keys.h"

namespace sturm::test {

/// `rows` samples in `groups` groups (0: none) of random sizes, with targets 0, 1, ..., classes - 1 at random, or
/// normal where classes is 0. Where `constant`, a group has one target.
inline SampleKeys random_keys(Index rows, Index groups, int classes, Rng& rng, bool constant = false) {
  SampleKeys keys;
  keys.classification = classes > 0;
  const auto draw = [&] { return classes > 0 ? static_cast<double>(rng.below(classes)) : rng.normal(); };
  std::vector<double> target(groups);
  for (double& y : target) y = draw();
  for (Index m = 0; m < rows; ++m) {
    keys.ids.push_back("row" + std::to_string(m));
    const Index group = groups == 0 ? 0 : m < groups ? m : static_cast<Index>(rng.below(groups));  // none is empty
    if (groups > 0) keys.groups.push_back("sub" + std::to_string(group));
    keys.y.push_back(constant ? target[group] : draw());
  }
  return keys;
}

inline std::vector<Index> random_order(Index rows, Rng& rng) {
  std::vector<Index> order(rows);
  std::iota(order.begin(), order.end(), 0);
  shuffle(order, rng);
  return order;
}

}  // namespace sturm::test
