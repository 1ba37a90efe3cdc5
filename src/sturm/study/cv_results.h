// SPDX-License-Identifier: BSD-3-Clause
// From the outcomes of folds to the numbers and tables of a cross-validation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sturm/core/target.h"
#include "sturm/study/cross_validation.h"

namespace sturm {

/// What results say about the samples and the study beside the outcomes.
struct CvFacts {
  SampleKeys keys;
  std::vector<std::string> participants, paths;  ///< of each sample; empty: none
  std::vector<std::string> sites;                ///< where each was measured; empty: not known
  Target target;                                 ///< y and actual in the order of the keys
  Score score = Score::accuracy;                 ///< by which settings were chosen
  std::vector<double> resize;
  std::uint64_t seed = 0;
  StudySettings settings;
};

using ResultFiles = std::vector<std::pair<std::string, std::string>>;

/// Text files by name: results.json, folds.tsv, predictions.tsv, grid.tsv, groups.tsv, table.md and, where there are
/// sites, sites.tsv and, where labels were permuted, null.tsv. The same outcomes give the same bytes. Outcomes may be
/// missing: what follows from those that are there is told.
ResultFiles result_files(const CvFacts& facts, const CvPlan& plan, const CvOutcomes& outcomes);

/// In how many folds each voxel of the box was selected, as a share, by resize factor: folds may choose different ones.
struct Stability {
  double resize = 1;
  Shape shape;
  Index folds = 0;                   ///< that chose this factor
  std::vector<std::uint16_t> often;  ///< how many of them have the voxel
};
std::vector<Stability> stability_of(const std::string& method, const CvPlan& plan, const CvOutcomes& outcomes);

/// The outcome of a method with true labels, or null; fold -1 is the model of all samples.
const FoldOutcome* find_outcome(const CvPlan& plan, const CvOutcomes& outcomes, const std::string& method, int fold);

}  // namespace sturm
