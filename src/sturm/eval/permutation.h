// SPDX-License-Identifier: BSD-3-Clause
// Targets in another order, to learn what a study would score if there were nothing to find.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sturm/eval/sample_keys.h"

namespace sturm {

/// What may change places if the volumes say nothing about the targets.
enum class Exchange {
  samples,             ///< all of them: there are no groups
  within_groups,       ///< samples of a group: targets vary inside groups
  equal_sized_groups,  ///< whole groups of one size: the target is the group's, and each class keeps its samples
  groups,              ///< whole groups of any size: too few have a twin in size
};

struct Exchangeability {
  Exchange exchange = Exchange::samples;
  /// log of how many different targets there are: no p-value can be below exp(-log_arrangements).
  double log_arrangements = 0;
};

/// How the targets of a study may be permuted. Groups of equal size are preferred to groups of any size where they
/// leave at least `wanted` arrangements.
Exchangeability exchangeability(const SampleKeys& keys, Index wanted = 1000);

/// The targets of permutation number `number`, row by row. It depends on nothing but the samples, the seed and the
/// number: not on the order of the rows, nor on how many permutations there are.
std::vector<double> permuted_targets(const SampleKeys& keys, Exchange exchange, std::uint64_t seed, Index number);

/// (b + 1)/(N + 1), where b of the N scores under permutation reach the score observed. One that is NaN counts as
/// having reached it.
double permutation_p(double observed, std::span<const double> permuted);

}  // namespace sturm
