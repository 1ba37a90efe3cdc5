// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/results/findings.h"

#include <gtest/gtest.h>

namespace sturm {
namespace {

MethodResults method(double accuracy, double p) {
  MethodResults out;
  out.scores[Measure::accuracy] = {accuracy, 0.1, accuracy, Range{accuracy - 0.1, accuracy + 0.1}};
  out.binomial_p = p;
  return out;
}

CvResults results_of(const Named<MethodResults>& methods) {
  CvResults out;
  out.labels = std::vector<std::string>{"control", "patient"};
  out.samples = 60;
  out.chance = 0.5;
  out.majority = 0.6;
  out.statistics.emplace() = {.level = 0.95, .draws = 5000, .units = Unit::samples, .count = 60};
  out.methods = methods;
  return out;
}

Comparison pair(const std::string& first, const std::string& second, double difference, double p) {
  Comparison out{.first = first, .second = second, .first_alone = {}, .second_alone = {}};
  out.difference = difference;
  out.p = out.p_adjusted = p;
  return out;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Findings, TheBestIsThatOfTheHeadlineAndNoBaseline) {
  CvResults results = results_of({{"svm", method(0.7, 0.01)}, {"sturm", method(0.8, 0.01)}, {"dummy", method(0.9, 1)}});
  EXPECT_EQ(best_method(results)->first, "sturm");
  EXPECT_EQ(methods_compared(results), 2);
  EXPECT_EQ(best_method(results_of({})), nullptr);
  results.score = Score::auc;
  EXPECT_EQ(best_method(results), nullptr) << "none has one";
}

TEST(Findings, NothingBetterThanTheMajorityIsSaid) {
  EXPECT_TRUE(
      has(guessing_sentence(results_of({{"svm", method(0.65, 0.2)}, {"sturm", method(0.64, 0.3)}})),
          "No method has been shown to be better than always naming the larger class: the best is svm (p = 0.4"));
  EXPECT_TRUE(has(guessing_sentence(results_of({{"svm", method(0.75, 0.001)}})),
                  "svm is better than always naming the larger class (p = 0.001)"));
  // Labels matter by permutation, and yet the largest class is right more often.
  CvResults permuted = results_of({{"svm", method(0.55, 0.9)}});
  permuted.permutations = 999;
  permuted.methods[0].second.permutation_p = 0.01;
  EXPECT_TRUE(has(guessing_sentence(permuted), "No method is right more often than always naming the larger class"));
  // Of three permutations no p is below 0.25.
  permuted.permutations = 3;
  permuted.methods[0].second.permutation_p = 0.25;
  EXPECT_TRUE(has(guessing_sentence(permuted), "3 permutations are too few"));
}

TEST(Findings, ARegressionGoesByItsInterval) {
  CvResults results = results_of({{"svm", {}}});
  results.labels.reset();
  results.score = Score::r2;
  results.methods[0].second.scores[Measure::r2] = {0.2, 0.1, 0.2, Range{-0.1, 0.4}};
  EXPECT_TRUE(
      has(guessing_sentence(results), "svm is not shown to be better than predicting the mean (by its interval)"));
  results.methods[0].second.scores[Measure::r2].interval = Range{0.1, 0.4};
  EXPECT_TRUE(has(guessing_sentence(results), "svm is better than predicting the mean"));
}

TEST(Findings, TheChoiceIsCorrectedFor) {
  EXPECT_EQ(better_than_guessing(0.01, 0, {}, 0.5, 4), Shown::yes);
  EXPECT_EQ(better_than_guessing(0.02, 0, {}, 0.5, 4), Shown::no);
  EXPECT_EQ(better_than_guessing(0.02, 49, {}, 0.5, 4), Shown::cannot) << "49 permutations cannot show it of four";
  EXPECT_EQ(better_than_guessing(not_known, 0, {}, 0.5, 1), Shown::cannot);
  EXPECT_EQ(better_than_guessing(not_known, 0, Range{0.51, 0.7}, 0.5, 1), Shown::yes);
  EXPECT_EQ(corrected(0.4, 3), 1);
}

TEST(Findings, TiesAreTies) {
  CvResults results = results_of({{"a", method(0.8, 0.01)}, {"b", method(0.7, 0.01)}, {"c", method(0.6, 0.01)}});
  EXPECT_EQ(comparison_sentence(results), "");
  results.comparisons = {pair("a", "b", 0.1, 0.3), pair("a", "c", 0.2, 0.01), pair("b", "c", 0.1, 0.2)};
  EXPECT_EQ(comparison_sentence(results),
            "There is no single winner: b cannot be told from a on the same samples (corrected p 0.3); c is worse "
            "(corrected p 0.01).");
  results.comparisons = {pair("a", "b", 0.1, 0.3), pair("a", "c", 0.2, 0.1)};
  EXPECT_TRUE(has(comparison_sentence(results),
                  "b and c cannot be told from a on the same samples (corrected p at least 0.1)"));
  results.comparisons = {pair("a", "b", 0.1, 0.03), pair("a", "c", 0.2, 0.01)};
  EXPECT_EQ(comparison_sentence(results), "b and c are worse than a on the same samples (corrected p at most 0.03).");
  // Who is second in a pair is worse or better by the sign.
  results.comparisons = {pair("b", "a", -0.1, 0.01), pair("a", "c", -0.2, 0.01)};
  EXPECT_TRUE(has(comparison_sentence(results), "c cannot be told from a")) << comparison_sentence(results);
  EXPECT_TRUE(has(comparison_sentence(results), "b is worse"));
}

TEST(Findings, SidesUnitsAndFloorsAreSaid) {
  CvResults results = results_of({{"a", method(0.8, 0.01)}});
  EXPECT_TRUE(has(p_sentence(results), "p is one-sided"));
  EXPECT_TRUE(has(interval_sentence(results), "at 95 %: the exact one of Clopper and Pearson for accuracy"));
  EXPECT_EQ(forced_choice_sentence(results), "");
  EXPECT_EQ(paired_sentence(results), "");
  results.groups = {"participant_id", 20};
  results.statistics->units = Unit::groups;
  results.statistics->count = 20;
  results.methods[0].second.forced_choice = 0.9;
  EXPECT_TRUE(has(interval_sentence(results), "5000 bootstrap draws of the 20 groups of participant_id"));
  EXPECT_TRUE(has(p_sentence(results), "not independent"));
  EXPECT_TRUE(has(forced_choice_sentence(results), "exact sign test"));
  results.permutations = 99;
  results.permuted = Exchange::within_groups;
  results.smallest_p = 0.01;
  EXPECT_TRUE(
      has(p_sentence(results), "one-sided, by 99 permutations of the labels (within groups); it cannot be below 0.01"));
  results.comparisons = {pair("a", "b", 0.1, 0.3)};
  EXPECT_TRUE(has(paired_sentence(results), "two-sided"));
  EXPECT_TRUE(has(paired_sentence(results), "Below it over the outer folds"));
  EXPECT_TRUE(has(paired_sentence(results, false), ". Over the outer folds: "));
  results.labels.reset();
  results.permutations = 0;
  EXPECT_EQ(p_sentence(results), "Without permutations of the labels there is no p.");
}

}  // namespace
}  // namespace sturm
