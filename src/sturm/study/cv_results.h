// SPDX-License-Identifier: BSD-3-Clause
// From the outcomes of folds to the numbers of a cross-validation, and to all of its files of text.
#pragma once

#include "sturm/results/cv_results.h"
#include "sturm/study/method_outcomes.h"

namespace sturm {

/// The content of results.json.
CvResults results_of(const CvFacts& facts, const CvPlan& plan, const std::vector<MethodOutcomes>& methods);

using ResultFiles = std::vector<std::pair<std::string, std::string>>;

/// Text files by name: results.json, folds.tsv, predictions.tsv, grid.tsv, fitted.tsv, table.md and, where there are
/// such, repeats.tsv, learning.tsv, groups.tsv, sites.tsv and null.tsv. The same outcomes give the same bytes. Outcomes
/// may be missing: what follows from those that are there is told. `truth`: of a phantom, how the maps of methods agree
/// with what was planted.
ResultFiles result_files(const CvFacts& facts, const CvPlan& plan, const CvOutcomes& outcomes,
                         const Named<TruthAgreement>& truth = {});

}  // namespace sturm
