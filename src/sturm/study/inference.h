// SPDX-License-Identifier: BSD-3-Clause
// How much of the scores of a cross-validation may be luck: intervals, forced choice, p and paired comparisons of
// methods, by the groups of the samples. See docs/decisions/023-what-the-numbers-say.md.
#pragma once

#include "sturm/results/cv_results.h"
#include "sturm/study/method_outcomes.h"

namespace sturm {

/// Fills these parts of results that have their scores; `methods` are those of `results`, in their order.
void add_inference(const CvFacts& facts, const CvPlan& plan, const std::vector<MethodOutcomes>& methods,
                   CvResults& results);

}  // namespace sturm
