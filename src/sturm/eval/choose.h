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

/// The sparsest of those that reach the best mean score less its standard error; of equals the chosen one, then the
/// better, then the first in the grid. Nothing but zeros (a sparsity of 1 in every fold) is not looked for; where
/// nothing else is left, the chosen one.
struct Sparsest {
  Index position = 0;
  double mean = 0, best = 0, standard_error = 0;  ///< as in Choice
};
Sparsest sparsest_near_best(std::span<const Candidate> candidates, Index chosen);

/// The candidates that would be the sparsest near the best if the score of each alone were higher by `margin`.
std::vector<Index> could_be_sparsest(std::span<const Candidate> candidates, Index chosen, double margin);

/// The candidates that would be chosen if the score of each alone were higher by `margin` in every fold. The one that
/// is chosen as things are is always among them.
std::vector<Index> could_be_chosen(std::span<const Candidate> candidates, double margin,
                                   const ChoiceOptions& options = {});

}  // namespace sturm
