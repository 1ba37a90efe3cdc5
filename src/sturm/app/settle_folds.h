// SPDX-License-Identifier: BSD-3-Clause
// How many folds there are where the user did not say so, and whether those that were asked for fit.
#pragma once

#include "sturm/results/study_settings.h"
#include "sturm/study/cross_validation.h"

namespace sturm {

/// As many outer folds as the samples allow where the user did not say how many; a sentence where they are fewer than
/// usual.
void settle_outer(const SampleKeys& keys, CvOptions& options, FoldChoice& outer, std::vector<std::string>& notes);

/// Cuts the folds inside every training set before anything is fitted, so that what does not fit is said at once. Where
/// the user did not say how many, each set has as many as it allows; a sentence where some have fewer than usual.
void settle_inner(const FoldChoice& inner, const SampleKeys& keys, std::span<const double> weights, const CvPlan& plan,
                  CvOptions& options, std::vector<std::string>& notes);

/// Throws where a part of a training set that a learning curve asks for is too small to choose a setting on.
void check_learning(const FoldChoice& inner, const SampleKeys& keys, std::span<const double> weights,
                    const CvPlan& plan, std::uint64_t seed);

}  // namespace sturm
