// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/answers.h"

#include <fmt/core.h>

#include <cmath>

#include "sturm/core/table.h"
#include "sturm/core/text.h"
#include "sturm/report/words.h"
#include "sturm/results/findings.h"

namespace sturm {
namespace {

std::optional<Range> as_range(const OrNull<std::array<double, 2>>& interval) {
  if (!interval) return {};
  return Range{interval->front(), interval->back()};
}

std::string in_percent(double value) { return fmt::format("{:.1f} %", 100 * value); }

/// "lasso is right for 85.0 % of 60 samples": always of all predictions together, as the interval is.
std::string reached(const Study& study, const StudyMethod& best) {
  const double pooled = best.score(study.score).pooled, mean = best.score(study.score).mean;
  if (study.score == Measure::accuracy && !std::isnan(pooled))
    return fmt::format("is right for {} of {}", in_percent(pooled), plural(study.counts.samples, "sample"));
  const std::string words = facts_of(study.score).words;
  const bool vowel = words.starts_with("A") || study.score == Measure::accuracy || words.starts_with("R");
  return fmt::format("reaches {} {} of {} {}", vowel ? "an" : "a", words,
                     score_words(study.score, std::isnan(pooled) ? mean : pooled),
                     std::isnan(pooled) ? "on average over the folds" : "over all predictions together");
}

/// "always naming the larger class is right for 55.0 %".
std::string baseline(const Study& study) {
  if (study.score == Measure::r2) return "predicting the mean reaches 0";
  if (study.target.regression()) return "guessing reaches 0";
  if (study.score == Measure::accuracy && !std::isnan(study.majority))
    return fmt::format("always naming the {} class is right for {}",
                       study.target.several().empty() ? "larger" : "largest", in_percent(study.majority));
  return "guessing reaches " + score_words(study.score, study.chance);
}

std::string p_of_choice(double p, Index methods) {
  if (std::isnan(p)) return " (by its 95 % interval)";
  const double last = corrected(p, methods);
  return fmt::format(" ({}{})", p_in_prose(last),
                     methods > 1 ? fmt::format(", corrected for the choice among {} methods", methods) : "");
}

std::string interval_over(const CvResults& results) {
  if (!results.statistics) return {};
  const StatisticsFacts& how = *results.statistics;
  const std::string column = results.groups ? results.groups->column : "";
  // A person with one sample is a group of one.
  const bool people = column == "participant_id" && results.groups->count == how.count;
  if (people) return how.count == 1 ? "1 person" : fmt::format("{} people", how.count);
  if (how.units == Unit::samples) return plural(how.count, "sample");
  return plural(how.count, "group") + (column.empty() ? "" : " of " + column);
}

}  // namespace

std::string question_of(const Study& study, const std::string& data_set, bool volumes) {
  const StudyTarget& target = study.target;
  const std::string of = plural(study.counts.samples, volumes ? "volume" : "sample") +
                         (data_set.empty() ? "" : " of " + clipped(data_set));
  if (target.regression()) return fmt::format("{} from {}", clipped(target.column), of);
  const std::vector<std::string>& classes = *target.classes;
  if (classes.size() > 4)
    return fmt::format("Which of {} values of {}? {}", classes.size(), clipped(target.column), of);
  std::string names;
  if (target.positive)
    names = clipped(*target.positive) + " or " + clipped(target.negative.value_or("not"));
  else
    for (std::size_t c = 0; c < classes.size(); ++c)
      names += (c == 0 ? "" : c + 1 == classes.size() ? " or " : ", ") + clipped(classes[c]);
  return names + "? " + of;
}

StudyAnswers answers_of_cv(const Study& study, const CvResults& results) {
  StudyAnswers out;
  const StudyMethod* const best = best_method(study);
  if (best == nullptr) {
    out.sentence = "There is no score yet: no method has finished an outer fold.";
    return out;
  }
  if (best->interval) out.interval_of = interval_over(results);
  const Index methods = compared_in(study);
  const double p = p_of(*best, study.score);
  const bool permuted = !std::isnan(best->p.permutation), alone = methods < 2;
  const auto permutations = static_cast<Index>(best->null_scores.size());
  const std::string score = reached(study, *best), where = ", where " + baseline(study);
  const Shown shown =
      better_than_guessing(p, permuted ? permutations : 0, as_range(best->interval), guess_of(study), methods);
  const bool no_better = study.score == Measure::accuracy && best->score(study.score).pooled <= study.majority;
  if (shown == Shown::cannot) {
    out.sentence = best->name + " " + score + where + ". ";
    out.sentence +=
        permuted
            ? fmt::format("With {} p cannot be below {}, which is too much to call {} better than guessing.",
                          plural(permutations, "permutation"), p_words(1 / (1 + static_cast<double>(permutations))),
                          alone ? "it" : fmt::format("the best of {} methods", methods))
            : "There is neither p nor an interval to say whether that is better than guessing.";
    return out;
  }
  out.worked = shown == Shown::yes && !no_better ? Worked::yes : Worked::no;
  if (out.worked == Worked::yes)
    out.sentence = fmt::format("{} {}{}{}.", best->name, score, where, p_of_choice(p, methods));
  else
    out.sentence = fmt::format("{} {}: {} {}{}{}.", alone ? best->name + " is not" : "No method is",
                               shown == Shown::yes ? "right more often than always naming the largest class"
                                                   : "shown to be better than guessing",
                               alone ? "it" : "the best, " + best->name + ",", score, where,
                               shown == Shown::yes ? "" : p_of_choice(p, methods));
  return out;
}

StudyAnswers answers_of_fit(const FitResults& fit) {
  StudyAnswers out;
  out.sentence = fmt::format(
      "{} was fitted to all {}, so nothing was held out: how well it predicts cannot be told from this. A "
      "cross-validation (sturm cv) measures that.",
      fit.method, plural(fit.n_samples, "sample"));
  return out;
}

}  // namespace sturm
