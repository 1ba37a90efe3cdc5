// SPDX-License-Identifier: BSD-3-Clause
// Which setting of a grid is used, from its scores in the inner folds.
#pragma once

#include <span>
#include <vector>

#include "sturm/core/shape.h"

namespace sturm {

struct ChoiceOptions {
  bool one_standard_error = false;
};

template <class Field>
void describe(Field&& field, ChoiceOptions& o) {
  field("one-standard-error", o.one_standard_error,
        "choose the sparsest setting within one standard error of the best, not the best");
}

/// A setting of the grid. The grid goes from the largest penalties to the smallest.
struct Candidate {
  std::vector<double> scores;  ///< in each inner fold, larger is better; NaN where there is none
  double sparsity = 0;         ///< share of zeros, mean over the inner folds
};

struct Choice {
  Index chosen = 0;           ///< position in the grid
  double mean = 0;            ///< mean score of the chosen
  double best = 0;            ///< mean score of the best
  double standard_error = 0;  ///< of the best, over the folds; 0 where there is one fold
};

/// The best mean score; of equals (to 1e-12) the sparsest, then the first in the grid. With one_standard_error all
/// that reach the best less its standard error count as equal. A fold where no candidate has a score counts for none;
/// a candidate without a score elsewhere is never chosen. Throws where that leaves none.
Choice choose(std::span<const Candidate> candidates, const ChoiceOptions& options = {});

/// The candidates that would be chosen if the score of each alone were higher by `margin` in every fold. The one that
/// is chosen as things are is always among them.
std::vector<Index> could_be_chosen(std::span<const Candidate> candidates, double margin,
                                   const ChoiceOptions& options = {});

}  // namespace sturm
