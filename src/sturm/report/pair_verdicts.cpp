// SPDX-License-Identifier: BSD-3-Clause
// The part of words.h that is about two methods at a time.
#include <fmt/core.h>

#include <cmath>

#include "sturm/report/words.h"
#include "sturm/results/findings.h"

namespace sturm {
namespace {

constexpr double pair_level = 0.05;

WhichIsBetter told_by(double difference, double p) {
  if (std::isnan(p) || std::isnan(difference)) return WhichIsBetter::unknown;
  if (p > pair_level || difference == 0) return WhichIsBetter::neither;
  return difference > 0 ? WhichIsBetter::first : WhichIsBetter::second;
}

/// "8.3 percentage points", "0.120 in R2".
std::string amount_words(Measure measure, double difference) {
  const MeasureFacts& facts = facts_of(measure);
  if (facts.percent) return fmt::format("{:.1f} percentage points", 100 * std::abs(difference));
  return fmt::format("{:.3f} in {}", std::abs(difference), facts.words);
}

std::string words_of(const Comparison& c, const PairVerdict& v, Measure same, Measure headline) {
  if (v.same_samples == WhichIsBetter::unknown && v.outer_folds == WhichIsBetter::unknown)
    return fmt::format("{} and {} could not be tested against each other.", c.first, c.second);
  const std::string p = "corrected p = " + p_words(c.p_adjusted),
                    fold_p = "corrected p = " + p_words(c.fold_p_adjusted);
  const auto better = [&](WhichIsBetter told) { return told == WhichIsBetter::first ? c.first : c.second; };
  const auto worse = [&](WhichIsBetter told) { return told == WhichIsBetter::first ? c.second : c.first; };
  const bool by_samples = v.same_samples == WhichIsBetter::first || v.same_samples == WhichIsBetter::second;
  const bool by_folds = v.outer_folds == WhichIsBetter::first || v.outer_folds == WhichIsBetter::second;
  if (!by_samples && !by_folds) {
    if (v.outer_folds == WhichIsBetter::unknown)
      return fmt::format("{} and {} cannot be told apart on the same samples ({}).", c.first, c.second, p);
    if (v.same_samples == WhichIsBetter::unknown)
      return fmt::format("{} and {} cannot be told apart over the outer folds ({}).", c.first, c.second, fold_p);
    return fmt::format(
        "{} and {} cannot be told apart, neither on the same samples ({}) nor over the outer folds ({}).", c.first,
        c.second, p, fold_p);
  }
  if (by_samples && by_folds && v.same_samples == v.outer_folds)
    return fmt::format("{} is better than {}: by {} on the same samples ({}) and by {} over the outer folds ({}).",
                       better(v.same_samples), worse(v.same_samples), amount_words(same, c.difference), p,
                       amount_words(headline, c.fold_difference), fold_p);
  if (by_samples && by_folds)
    return fmt::format(
        "The two tests disagree: {} is better on the same samples (by {}, {}), {} over the outer folds (by {}, {}).",
        better(v.same_samples), amount_words(same, c.difference), p, better(v.outer_folds),
        amount_words(headline, c.fold_difference), fold_p);
  if (by_samples)
    return fmt::format("{} is better than {} on the same samples (by {}, {}){}.", better(v.same_samples),
                       worse(v.same_samples), amount_words(same, c.difference), p,
                       v.outer_folds == WhichIsBetter::unknown
                           ? ""
                           : fmt::format("; over the outer folds they cannot be told apart ({})", fold_p));
  return fmt::format("{} is better than {} over the outer folds (by {}, {}){}.", better(v.outer_folds),
                     worse(v.outer_folds), amount_words(headline, c.fold_difference), fold_p,
                     v.same_samples == WhichIsBetter::unknown
                         ? ""
                         : fmt::format("; on the same samples they cannot be told apart ({})", p));
}

}  // namespace

std::vector<PairVerdict> pair_verdicts(const Study& study) {
  const Measure same = study.target.regression() ? Measure::r2 : Measure::accuracy;
  std::vector<PairVerdict> out;
  for (const Comparison& c : study.comparisons) {
    PairVerdict verdict{told_by(c.difference, c.p_adjusted), told_by(c.fold_difference, c.fold_p_adjusted), {}};
    verdict.words = words_of(c, verdict, same, study.score);
    out.push_back(std::move(verdict));
  }
  return out;
}

}  // namespace sturm
