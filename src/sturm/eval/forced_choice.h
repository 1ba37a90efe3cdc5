// SPDX-License-Identifier: BSD-3-Clause
// Forced choice, for repeated measures: of a person's maps, which is which? It needs no threshold that fits everybody,
// so that it is often far above the accuracy of the same decision values.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sturm/eval/sample_keys.h"
#include "sturm/eval/scores.h"

namespace sturm {

/// Whether there are groups, at least two, and each has exactly one sample of each class.
bool has_forced_choice(const SampleKeys& keys);

/// For each group in `groups` the share of pairs of classes a, b that are told right: with samples x of a and y of b,
///     d_a(x) + d_b(y) > d_a(y) + d_b(x),
/// equal sums counting half. Of two classes, with one decision value, that is d(x) > d(y) for x the positive one. The
/// share that guessing reaches is 1/2, however many the classes. `decision` has the values of every row of the keys.
std::vector<double> forced_choices(const SampleKeys& keys, std::span<const std::vector<Index>> groups,
                                   std::span<const double> decision);

/// One-sided: the classes of a group's samples may change places. Of two classes the exact sign test over the groups
/// that are no ties; of several (b + 1)/(N + 1) of N = 9,999 draws of such changes in every group.
double forced_choice_p(const SampleKeys& keys, std::span<const std::vector<Index>> groups,
                       std::span<const double> decision, std::uint64_t seed);

/// Of two classes, where no group is a tie: the mid-P interval of a share of groups. At each end what was observed
/// counts half, P(X > right) + P(X = right) / 2 = (1 - level) / 2, and the same from the other side. That of Clopper
/// and Pearson counts it whole, and of 20 groups holds the truth in 97 to 99 % of studies in the place of 95 %.
Interval mid_p_interval(Index right, Index groups, double level = 0.95);

}  // namespace sturm
