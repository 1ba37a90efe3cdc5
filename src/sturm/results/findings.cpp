// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/results/findings.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sturm/core/table.h"
#include "sturm/models/registry.h"

namespace sturm {
namespace {

constexpr double alarm = 0.05;

bool has_forced_choice(const CvResults& results) {
  return std::ranges::any_of(results.methods, [](const auto& named) { return named.second.forced_choice.has_value(); });
}

bool several(const CvResults& results) { return results.labels && results.labels->size() > 2; }

const char* largest_class(const CvResults& results) { return several(results) ? "largest class" : "larger class"; }

std::string units_words(const CvResults& results) {
  const StatisticsFacts& how = *results.statistics;
  if (how.units == Unit::samples) return fmt::format("the {}", plural(how.count, "sample"));
  return fmt::format("the {} of {}, each with all of its samples", plural(how.count, "group"),
                     results.groups ? results.groups->column : "the samples");
}

std::string list_of(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i)
    out += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return out;
}

std::optional<Range> interval_of(const MethodResults& method, Measure measure) {
  const auto found = method.scores.find(measure);
  return found == method.scores.end() ? std::nullopt : found->second.interval;
}

}  // namespace

std::string p_words(double p) {
  if (std::isnan(p)) return "n/a";
  return p < 1e-3 ? fmt::format("{:.1e}", p) : fmt::format("{:.3g}", p);
}

const std::pair<std::string, MethodResults>* best_method(const CvResults& results) {
  const Measure headline = measure_of(results.score);
  const std::pair<std::string, MethodResults>* best = nullptr;
  double highest = -std::numeric_limits<double>::infinity();
  for (const auto& named : results.methods) {
    const auto score = named.second.scores.find(headline);
    if (is_baseline(named.first) || score == named.second.scores.end()) continue;
    const double mean = score->second.mean.value_or(not_known);
    if (std::isnan(mean) || mean <= highest) continue;
    highest = mean;
    best = &named;
  }
  return best;
}

Index methods_compared(const CvResults& results) {
  return std::ranges::count_if(results.methods, [](const auto& named) { return !is_baseline(named.first); });
}

double corrected(double p, Index methods) {
  return std::isnan(p) ? p : std::min(1.0, p * static_cast<double>(std::max<Index>(1, methods)));
}

double p_that_counts(const MethodResults& method) {
  if (method.permutation_p) return *method.permutation_p;
  return method.binomial_p.value_or(method.group_p.value_or(not_known));
}

double guessing(const CvResults& results, Measure measure) {
  switch (measure) {
    case Measure::accuracy: return results.majority.value_or(not_known);
    case Measure::balanced_accuracy: return results.chance.value_or(not_known);
    case Measure::auc: return 0.5;
    case Measure::r2:
    case Measure::correlation: return 0;
    default: return not_known;
  }
}

Shown better_than_guessing(double p, Index permutations, const std::optional<Range>& interval, double guess,
                           Index methods) {
  if (!std::isnan(p)) {
    if (corrected(p, methods) <= alarm) return Shown::yes;
    const double least = permutations > 0 ? 1 / static_cast<double>(permutations + 1) : 0;
    return corrected(least, methods) <= alarm ? Shown::no : Shown::cannot;
  }
  if (!interval || std::isnan(guess)) return Shown::cannot;
  return interval->front() > guess ? Shown::yes : Shown::no;
}

std::string guessing_sentence(const CvResults& results) {
  const auto* const best = best_method(results);
  if (best == nullptr) return {};
  const auto& [name, method] = *best;
  const Measure headline = measure_of(results.score);
  const bool by_accuracy = headline == Measure::accuracy;
  const double p = by_accuracy || method.permutation_p ? p_that_counts(method) : not_known;
  const Index methods = methods_compared(results);
  const std::string what =
      method.permutation_p || !by_accuracy ? "guessing" : std::string("always naming the ") + largest_class(results);
  const std::string subject = results.labels ? what : "predicting the mean";
  const auto headline_score = method.scores.find(Measure::accuracy);
  const double right =
      headline_score == method.scores.end() ? not_known : headline_score->second.pooled.value_or(not_known);
  const std::string how =
      std::isnan(p)
          ? " (by its interval)"
          : fmt::format(" (p = {}{})", p_words(corrected(p, methods)),
                        methods > 1 ? fmt::format(", corrected for the choice among {} methods", methods) : "");
  switch (better_than_guessing(p, method.permutation_p ? results.permutations : 0, interval_of(method, headline),
                               guessing(results, headline), methods)) {
    case Shown::yes:
      if (by_accuracy && right <= guessing(results, headline))
        return fmt::format(
            "No method is right more often than always naming the {}: {:.1f} % where that is right for {:.1f} %.",
            largest_class(results), 100 * right, 100 * guessing(results, headline));
      return fmt::format("{} is better than {}{}.", name, subject, how);
    case Shown::no:
      return methods > 1
                 ? fmt::format("No method has been shown to be better than {}: the best is {}{}.", subject, name, how)
                 : fmt::format("{} is not shown to be better than {}{}.", name, subject, how);
    default:
      return method.permutation_p ? fmt::format("{} are too few to show that a method is better than guessing.",
                                                plural(results.permutations, "permutation"))
                                  : std::string();
  }
}

std::string comparison_sentence(const CvResults& results) {
  const auto* const best = best_method(results);
  if (best == nullptr || !results.comparisons) return {};
  std::vector<std::string> worse, tied;
  double largest = 0, smallest = 1;
  for (const Comparison& pair : *results.comparisons) {
    if (pair.first != best->first && pair.second != best->first) continue;
    if (std::isnan(pair.p_adjusted)) continue;
    const double ahead = pair.first == best->first ? pair.difference : -pair.difference;
    const std::string& other = pair.first == best->first ? pair.second : pair.first;
    if (pair.p_adjusted <= alarm && ahead > 0) {
      worse.push_back(other);
      largest = std::max(largest, pair.p_adjusted);
    } else {
      tied.push_back(other);
      smallest = std::min(smallest, pair.p_adjusted);
    }
  }
  const auto p = [](const char* how, double value, std::size_t count) {
    return count > 1 ? fmt::format("corrected p {} {}", how, p_words(value)) : "corrected p " + p_words(value);
  };
  if (worse.empty() && tied.empty()) return {};
  if (tied.empty())
    return fmt::format("{} {} worse than {} on the same samples ({}).", list_of(worse),
                       worse.size() == 1 ? "is" : "are", best->first, p("at most", largest, worse.size()));
  std::string out = fmt::format("There is no single winner: {} cannot be told from {} on the same samples ({})",
                                list_of(tied), best->first, p("at least", smallest, tied.size()));
  if (!worse.empty())
    out += fmt::format("; {} {} worse ({})", list_of(worse), worse.size() == 1 ? "is" : "are",
                       p("at most", largest, worse.size()));
  return out + ".";
}

std::string interval_sentence(const CvResults& results) {
  if (!results.statistics) return {};
  const StatisticsFacts& how = *results.statistics;
  const std::string draws = fmt::format("{} bootstrap draws of {} (BCa)", how.draws, units_words(results));
  std::string out = fmt::format("Intervals are for all predictions together, at {:g} %: ", 100 * how.level.value);
  if (how.units == Unit::samples && results.labels)
    out += "the exact one of Clopper and Pearson for accuracy, for the others from " + draws;
  else
    out += "from " + draws;
  if (has_forced_choice(results) && !several(results))
    out += "; for forced choice, the mid-P interval of a share of groups";
  return out + ".";
}

std::string p_sentence(const CvResults& results) {
  if (!results.labels && results.permutations == 0) return "Without permutations of the labels there is no p.";
  if (results.permutations > 0)
    return fmt::format("p is one-sided, by {} of the labels ({}); it cannot be below {}.",
                       plural(results.permutations, "permutation"), results.permuted ? to_word(*results.permuted) : "",
                       p_words(results.smallest_p.value_or(1 / static_cast<double>(results.permutations + 1))));
  std::string out = fmt::format(
      "p is one-sided: the chance of being right at least this often with answers no better than always naming the {} "
      "({:.1f} %)",
      largest_class(results), 100 * results.majority.value_or(not_known));
  if (results.statistics && results.statistics->units == Unit::groups)
    out += "; samples of a group are not independent, so the spread between groups says how many they count for";
  return out + ". Folds share training samples, so permutations of the labels are the stricter test.";
}

std::string forced_choice_sentence(const CvResults& results) {
  if (!has_forced_choice(results)) return {};
  return std::string("Forced choice: each group has one sample of each class; ") +
         (several(results) ? "for each two of them, how often their decision values tell which is which. "
                           : "how often the right one of the two has the larger decision value. ") +
         "Ties count half, and guessing reaches 50 %; its p is one-sided, " +
         (several(results) ? "by exchanging classes within groups." : "by an exact sign test over groups.");
}

std::string paired_sentence(const CvResults& results, bool in_halves) {
  if (!results.comparisons || !results.statistics) return {};
  std::string how;
  switch (results.statistics->paired_test) {
    case PairedTest::mcnemar: how = "McNemar's exact test, of the samples that only one of the two gets right"; break;
    case PairedTest::groups:
      how = std::string("a permutation test that exchanges the two methods in whole groups and compares ") +
            (results.labels ? "how many samples they get right" : "their squared errors");
      break;
    case PairedTest::samples:
      how = "a permutation test that exchanges the two methods in single samples and compares their squared errors";
      break;
  }
  return fmt::format(
      "p for the difference between two methods, two-sided and corrected for all pairs by Holm's method. {} the same "
      "samples: {}. {} the outer folds: the corrected resampled t-test of Nadeau and Bengio on the {}. Methods whose p "
      "is above 0.05 cannot be told apart.",
      in_halves ? "Above the diagonal on" : "On", how, in_halves ? "Below it over" : "Over",
      facts_of(measure_of(results.score)).words);
}

}  // namespace sturm
