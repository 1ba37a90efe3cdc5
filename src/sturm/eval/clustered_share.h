// SPDX-License-Identifier: BSD-3-Clause
// The binomial test for samples that come in groups.
#pragma once

#include <span>

#include "sturm/core/shape.h"

namespace sturm {

/// As many independent trials as have the variance that the share of successes has between groups; at most as many as
/// there are samples, and as many as groups where all samples succeed or fail. A little fewer, by (t_{n-1} / t_{G-1})^2
/// of the 97.5 % quantiles, as a variance of G groups is not quite known (Korn and Graubard 1998).
double effective_trials(std::span<const Index> successes, std::span<const Index> sizes);

/// P(at least so large a share of successes) where each sample succeeds by chance: binomial_p with effective_trials.
double clustered_share_p(std::span<const Index> successes, std::span<const Index> sizes, double chance);

}  // namespace sturm
