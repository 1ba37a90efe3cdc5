// SPDX-License-Identifier: BSD-3-Clause
// table.md: the layout of the paper, and below it what the paper's table cannot say.
#pragma once

#include "sturm/results/cv_results.h"
#include "sturm/study/method_outcomes.h"

namespace sturm {

/// A row for each method: mean and standard deviation over the folds, shares in percent; the best in bold, the second
/// best in italics, baselines apart. Then all predictions together with intervals and p, the methods in pairs, and what
/// follows. `results` are those of the same methods.
std::string paper_table(const CvFacts& facts, const CvPlan& plan, const std::vector<MethodOutcomes>& methods,
                        const CvResults& results);

}  // namespace sturm
