// SPDX-License-Identifier: BSD-3-Clause
// Can the target be told from where volumes have values at all? Then a method may learn the edge of the scanner's
// window instead of the brain, and its accuracy says nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sturm/eval/sample_keys.h"
#include "sturm/eval/scores.h"

namespace sturm {

struct CoverageLeak {
  Measure measure = Measure::auc;  ///< or correlation, of a regression
  double value = 0;                ///< of samples left out; of several classes that of the class that is told best
  double chance = 0.5;
  double p = 1;                    ///< one-sided, by permutations that keep groups; of four statistics together
  Index permutations = 0;          ///< so that p is at least 1/(permutations + 1)
  std::vector<double> by_class{};  ///< of several classes: each against the rest
  bool clear = false;              ///< beats chance clearly: see coverage_leak()
};

/// Ridge regression of the target on which voxels a sample covers, cross-validated: ten folds, or as many as there are
/// groups, that keep groups whole. `differences` is samples x samples: the number of voxels in which two samples
/// differ. Where every group has the same samples of each class (two maps per person), groups are centred first, so
/// that what differs between people does not hide what differs within. The folds know nothing of the targets and
/// predictions have no intercept, so that targets in another order do exactly as well on average as chance. The same is
/// done with the few directions that most of the coverage varies in, and the better of the two counts. p looks at four
/// statistics and counts how often a permutation is as rare by any of them: the value of both kernels K, and y'K y of
/// both, which have more power where most voxels that vary tell the same. It beats chance clearly where p is at most
/// 0.0003 and the value is one that matters, or p at most 0.001 and the value five standard deviations of the
/// permutations from their mean, or p at most 0.01 with an AUC of 0.95 (a correlation of 0.9): small studies have no
/// smaller p. Nothing where there is nothing to tell by, fewer than six samples, more than 3000, fewer than three
/// groups, or one value of the target alone.
std::optional<CoverageLeak> coverage_leak(std::span<const double> differences, const SampleKeys& keys,
                                          std::uint64_t seed);

}  // namespace sturm
