// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "sturm/report/words.h"

namespace sturm {
namespace {

PairVerdict verdict(double difference, double p, double fold_difference, double fold_p, bool regression = false) {
  Study study;
  if (!regression) study.target.classes = std::vector<std::string>{"control", "patient"};
  study.score = regression ? Measure::r2 : Measure::auc;
  Comparison c{.first = "svm", .second = "lasso"};
  c.difference = difference;
  c.p_adjusted = p;
  c.fold_difference = fold_difference;
  c.fold_p_adjusted = fold_p;
  study.comparisons = {c};
  return pair_verdicts(study).front();
}

TEST(PairVerdicts, WhatIsNotSignificantCannotBeToldApart) {
  const PairVerdict v = verdict(0.083, 0.2, 0.02, 0.6);
  EXPECT_EQ(v.same_samples, WhichIsBetter::neither);
  EXPECT_EQ(v.outer_folds, WhichIsBetter::neither);
  EXPECT_EQ(v.words,
            "svm and lasso cannot be told apart, neither on the same samples (corrected p = 0.2) nor over the outer "
            "folds (corrected p = 0.6).");
}

TEST(PairVerdicts, TheBetterOneIsNamed) {
  const PairVerdict v = verdict(-0.083, 0.01, -0.05, 0.02);
  EXPECT_EQ(v.same_samples, WhichIsBetter::second);
  EXPECT_EQ(v.outer_folds, WhichIsBetter::second);
  EXPECT_EQ(
      v.words,
      "lasso is better than svm: by 8.3 percentage points on the same samples (corrected p = 0.01) and by 0.050 in "
      "AUC over the outer folds (corrected p = 0.02).");
}

TEST(PairVerdicts, OneTestAloneSaysSo) {
  EXPECT_EQ(
      verdict(0.083, 0.01, 0.02, 0.6).words,
      "svm is better than lasso on the same samples (by 8.3 percentage points, corrected p = 0.01); over the outer "
      "folds they cannot be told apart (corrected p = 0.6).");
  EXPECT_EQ(verdict(0.1, 0.01, not_known, not_known, true).words,
            "svm is better than lasso on the same samples (by 0.100 in R², corrected p = 0.01).");
  EXPECT_EQ(verdict(not_known, not_known, not_known, not_known).words,
            "svm and lasso could not be tested against each other.");
}

}  // namespace
}  // namespace sturm
