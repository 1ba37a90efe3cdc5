// SPDX-License-Identifier: BSD-3-Clause
// The part of words.h that is the headline.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sturm/core/table.h"
#include "sturm/models/registry.h"
#include "sturm/report/words.h"
#include "sturm/results/findings.h"

namespace sturm {
namespace {

std::optional<Range> range_of(const OrNull<std::array<double, 2>>& interval) {
  if (!interval) return {};
  return Range{(*interval)[0], (*interval)[1]};
}

/// "(95 % interval 0.700 to 0.900)".
std::string interval_words(Measure measure, const OrNull<std::array<double, 2>>& interval) {
  if (!interval) return {};
  if (facts_of(measure).percent)
    return fmt::format(" (95 % interval {:.1f} to {:.1f} %)", 100 * interval->front(), 100 * interval->back());
  return fmt::format(" (95 % interval {:.3f} to {:.3f})", interval->front(), interval->back());
}

std::string forced_choice_words(const StudyMethod& best) {
  if (!best.forced_choice) return {};
  return fmt::format(
      " Given the samples of one group, it tells which is which in {:.1f} % of cases{}: forced choice, one-sided p = "
      "{}.",
      100 * best.forced_choice->score, interval_words(Measure::accuracy, best.forced_choice->interval),
      p_words(best.forced_choice->p));
}

}  // namespace

double guess_of(const Study& study) {
  if (study.target.regression()) return study.score == Measure::mean_absolute_error ? not_known : 0;
  return study.score == Measure::accuracy && !std::isnan(study.majority) ? study.majority : study.chance;
}

double p_of(const StudyMethod& method, Measure headline) {
  if (!std::isnan(method.p.permutation)) return method.p.permutation;
  if (headline != Measure::accuracy) return not_known;
  return std::isnan(method.p.binomial) ? method.p.groups : method.p.binomial;
}

Index compared_in(const Study& study) {
  return std::ranges::count_if(study.methods, [](const StudyMethod& method) { return !is_baseline(method.name); });
}

const StudyMethod* best_method(const Study& study) {
  const StudyMethod* best = nullptr;
  double highest = -std::numeric_limits<double>::infinity();
  for (const StudyMethod& method : study.methods) {
    const double mean = method.score(study.score).mean;
    if (is_baseline(method.name) || std::isnan(mean) || mean <= highest) continue;
    highest = mean;
    best = &method;
  }
  return best;
}

std::string cv_verdict(const Study& study) {
  const StudyMethod* const best = best_method(study);
  if (best == nullptr) return "There is no score yet: no method has finished an outer fold.";
  const std::string& name = best->name;
  const bool of_accuracy = study.score == Measure::accuracy;
  const StudyScore score = best->score(study.score);
  const double p = p_of(*best, study.score), permutation = best->p.permutation;
  const std::size_t several = study.target.several().size();
  const auto permutations = std::ssize(best->null_scores);
  const bool alone = study.methods.size() < 2;
  const Shown shown = better_than_guessing(p, std::isnan(permutation) ? 0 : permutations, range_of(best->interval),
                                           guess_of(study), compared_in(study));
  std::string out = name;
  if (shown == Shown::no)
    out = alone ? name + " is not shown to be better than chance: it"
                : "No method has been shown to be better than chance: the best, " + name + ",";
  else if (of_accuracy && score.pooled <= study.majority)
    out = alone ? name + " is not right more often than always naming the largest class: it"
                : "No method is right more often than always naming the largest class: the best, " + name + ",";
  const std::string words = facts_of(study.score).words;
  if (of_accuracy && best->interval)
    out += fmt::format(" is right for {:.1f} % of {} samples{} (95 % interval {:.1f} to {:.1f} %)", 100 * score.pooled,
                       study.counts.samples, several > 0 ? fmt::format(" of {} classes", several) : "",
                       100 * best->interval->front(), 100 * best->interval->back());
  else
    out += fmt::format(
        " reaches {} {} of {} on average over the folds{}{}",
        words.starts_with("A") || words.starts_with("R") || of_accuracy ? "an" : "a", words,
        score_words(study.score, score.mean),
        std::isnan(score.sd) ? "" : fmt::format(" (standard deviation {})", score_words(study.score, score.sd)),
        best->interval ? fmt::format(", {} of all predictions together{}", score_words(study.score, score.pooled),
                                     interval_words(study.score, best->interval))
                       : "");
  if (of_accuracy && several > 0)
    out += fmt::format(
        ", where chance is {:.1f} %{}", 100 * study.chance,
        std::isnan(study.majority)
            ? ""
            : fmt::format(" and always naming the largest class is right for {:.1f} %", 100 * study.majority));
  else if (of_accuracy && !std::isnan(study.majority))
    out += fmt::format(", where always naming the larger class is right for {:.1f} %", 100 * study.majority);
  else if (!study.target.regression())
    out += fmt::format(", where chance is {}", score_words(study.score, study.chance));
  else
    out += ", where predicting the mean reaches 0";
  if (!std::isnan(permutation))
    out += fmt::format("; p = {} by {} of the labels, one-sided{}", p_words(permutation),
                       plural(permutations, "permutation"),
                       std::isnan(study.smallest_p) ? "" : ", and could not be below " + p_words(study.smallest_p));
  else if (!std::isnan(p))
    out += fmt::format("; p = {} by a one-sided binomial test{}, as no labels were permuted", p_words(p),
                       std::isnan(best->p.binomial) ? " that counts samples of a group as dependent" : "");
  else
    out += fmt::format("; the {} has no p, since no labels were permuted", words);
  return out + "." + forced_choice_words(*best);
}

std::string fit_verdict(const FitResults& fit) {
  const FitNumbers& n = fit.numbers;
  const bool several = fit.classes.has_value();
  std::string out = fmt::format("{} was fitted to {} samples", fit.method, fit.n_samples);
  if (several) out += fmt::format(" of {} classes, each against the rest", fit.classes->size());
  if (n.status == Status::iteration_limit)
    out += ", and did not converge";
  else if (n.status == Status::zero_solution)
    out += "; the solution is zero everywhere";
  if (!std::isnan(n.relative_gap))
    out += fmt::format(", with a relative duality gap of {}{:.1e}", several ? "at most " : "", n.relative_gap);
  if (!std::isnan(n.sparsity_in_mask))
    out += fmt::format("; {:.1f} % of the coefficients in the mask are 0{}", 100 * n.sparsity_in_mask,
                       several ? " in the mean over the classes" : "");
  return out + ". A fit says nothing about how well it predicts: that is what sturm cv measures.";
}

}  // namespace sturm
