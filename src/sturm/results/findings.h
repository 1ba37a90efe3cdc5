// SPDX-License-Identifier: BSD-3-Clause
// What a cross-validation shows, in sentences: whether anything is better than guessing, and whether any method is
// better than another. table.md and the report say the same.
#pragma once

#include <string>

#include "sturm/results/cv_results.h"

namespace sturm {

/// "0.012", "3.1e-05"; "n/a" for NaN.
std::string p_words(double p);

/// The method with the best mean of the headline score, baselines apart; null where none has one.
const std::pair<std::string, MethodResults>* best_method(const CvResults& results);

/// The methods that are compared: all but baselines.
Index methods_compared(const CvResults& results);

/// p of the best of several methods: as many times p, at most 1 (Bonferroni).
double corrected(double p, Index methods);

/// The p of a method that counts: of permutations where there were any, otherwise that of its pooled accuracy. NaN
/// where there is neither.
double p_that_counts(const MethodResults& method);

/// What guessing reaches by a score: 0 for R2 and correlation, NaN where no number says.
double guessing(const CvResults& results, Measure measure);

enum class Shown {
  yes,     ///< better than guessing
  no,      ///< not shown to be better
  cannot,  ///< there were too few permutations to show it, or nothing to tell by
};
/// Whether the best of several methods is better than guessing: by the corrected p, or where there is none by the lower
/// end of its interval.
Shown better_than_guessing(double p, Index permutations, const std::optional<Range>& interval, double guess,
                           Index methods);

/// Whether the best method is better than guessing; empty where nothing can be said.
std::string guessing_sentence(const CvResults& results);

/// Which methods are worse than the best, and which cannot be told from it; empty where there is but one.
std::string comparison_sentence(const CvResults& results);

/// How the intervals were made.
std::string interval_sentence(const CvResults& results);

/// What p is, which side it is of, and how small it can be.
std::string p_sentence(const CvResults& results);

/// What forced choice is; empty where there is none.
std::string forced_choice_sentence(const CvResults& results);

/// How methods were compared in pairs; empty where they were not. `in_halves`: of a table with a test on either side of
/// its diagonal.
std::string paired_sentence(const CvResults& results, bool in_halves = true);

}  // namespace sturm
