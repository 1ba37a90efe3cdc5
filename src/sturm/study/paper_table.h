// SPDX-License-Identifier: BSD-3-Clause
// table.md: the layout of the paper.
#pragma once

#include "sturm/study/method_outcomes.h"

namespace sturm {

/// A row for each method: mean and standard deviation over the folds, shares in percent; the best in bold, the second
/// best in italics, baselines apart.
std::string paper_table(const CvFacts& facts, const CvPlan& plan, const std::vector<MethodOutcomes>& methods);

}  // namespace sturm
