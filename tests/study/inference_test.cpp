// SPDX-License-Identifier: BSD-3-Clause
// tests/cli/statistics_test.py has the same numbers from SciPy and NumPy, out of the program's own tables.
#include "sturm/study/inference.h"

#include <gtest/gtest.h>

#include <cmath>

#include "study/outcomes.h"
#include "sturm/eval/clustered_share.h"
#include "sturm/eval/forced_choice.h"
#include "sturm/eval/paired_tests.h"
#include "sturm/study/cv_results.h"

namespace sturm {
namespace {

CvResults results_of(const test::HandMade& study) { return results_of(study.facts, study.plan, study.methods()); }
const MethodResults& svm_of(const CvResults& results) { return results.methods.front().second; }

TEST(Inference, GroupsThatRepeatAreWhatIsDrawn) {
  const CvResults results = results_of(test::hand_made());
  EXPECT_EQ(results.statistics->units, Unit::groups);
  EXPECT_EQ(results.statistics->count, 2);
  EXPECT_EQ(results.statistics->paired_test, PairedTest::groups);
  const MethodResults& svm = svm_of(results);
  EXPECT_FALSE(svm.binomial_p) << "samples of a group are not independent";
  // Group g1 has 2 of 3 right, g2 all of them.
  EXPECT_EQ(*svm.group_p, clustered_share_p(std::vector<Index>{2, 3}, std::vector<Index>{3, 3}, 0.5));
  EXPECT_FALSE(svm.forced_choice) << "groups of three";
  const auto& interval = svm.scores.at(Measure::accuracy).interval;
  ASSERT_TRUE(interval);
  EXPECT_LE((*interval)[0], 5.0 / 6);
  EXPECT_GE((*interval)[1], 5.0 / 6);
}

TEST(Inference, WithoutGroupsTheExactIntervalAndTheBinomialTestStay) {
  test::HandMade study = test::hand_made();
  study.facts.keys.groups.clear();
  const CvResults results = results_of(study);
  EXPECT_EQ(results.statistics->units, Unit::samples);
  EXPECT_EQ(results.statistics->count, 6);
  EXPECT_EQ(results.statistics->paired_test, PairedTest::mcnemar);
  const MethodResults& svm = svm_of(results);
  const Interval exact = share_interval(5, 6);
  EXPECT_EQ((*svm.scores.at(Measure::accuracy).interval)[0], exact.low);
  EXPECT_EQ((*svm.scores.at(Measure::accuracy).interval)[1], exact.high);
  EXPECT_EQ(*svm.binomial_p, binomial_p(5, 6, 0.5));
  EXPECT_FALSE(svm.group_p);
  // Groups of one sample each are no groups.
  study.facts.keys.groups = study.facts.keys.ids;
  EXPECT_EQ(results_of(study).statistics->units, Unit::samples);
}

// lasso is right for the one sample for which svm is wrong.
TEST(Inference, MethodsAreComparedInPairs) {
  test::HandMade study = test::hand_made();
  study.facts.keys.groups.clear();
  const CvResults results = results_of(study);
  ASSERT_EQ(results.comparisons->size(), 1U);
  const Comparison& pair = results.comparisons->front();
  EXPECT_EQ(pair.first, "svm");
  EXPECT_EQ(pair.second, "lasso");
  EXPECT_NEAR(pair.difference, -1.0 / 6, 1e-15);
  EXPECT_EQ(pair.first_alone, 0);
  EXPECT_EQ(pair.second_alone, 1);
  EXPECT_EQ(pair.p, mcnemar_p(0, 1));
  EXPECT_EQ(pair.p_adjusted, pair.p) << "one pair needs no correction";
  // Folds of two: svm has 0.5, 1, 1, lasso 1, 1, 1; two test samples, four to train with.
  const TTest test = corrected_resampled_t(std::vector<double>{-0.5, 0, 0}, 0.5);
  EXPECT_NEAR(pair.fold_difference, -0.5 / 3, 1e-15);
  EXPECT_EQ(pair.t, test.t);
  EXPECT_EQ(pair.fold_p, test.p);
}

// Three groups with one sample of each class, each group a fold.
test::HandMade paired() {
  test::HandMade study = test::hand_made();
  study.facts.keys.groups = {"g1", "g2", "g3", "g2", "g3", "g1"};
  return study;
}

TEST(Inference, ForcedChoiceWhereEachGroupHasBothClasses) {
  // y of the groups' rows: g1 a (-1), f (+1); g2 b (+1), d (+1): not one of each.
  EXPECT_FALSE(svm_of(results_of(paired())).forced_choice);
  test::HandMade study = paired();
  study.facts.keys.groups = {"g1", "g1", "g2", "g2", "g3", "g3"};
  const MethodResults svm = svm_of(results_of(study));
  // svm takes a for +1 as it takes b, both with 1: a tie.
  EXPECT_NEAR(*svm.forced_choice, 2.5 / 3, 1e-15);
  EXPECT_NEAR(*svm.forced_choice_p, 0.25, 1e-12) << "the two groups that are no ties";
  const MethodResults right = results_of(study).methods[1].second;
  EXPECT_EQ(right.forced_choice, 1.0);
  const Interval exact = share_interval(3, 3);
  EXPECT_EQ((*right.forced_choice_interval)[0], mid_p_interval(3, 3).low);
  EXPECT_EQ((*right.forced_choice_interval)[1], 1);
  // All of three groups are right: no interval of a bootstrap, but what three trials allow.
  EXPECT_EQ((*right.scores.at(Measure::accuracy).interval)[0], exact.low);
  EXPECT_EQ((*right.scores.at(Measure::auc).interval)[0], exact.low);
}

TEST(Inference, OfARegressionComparesSquaredErrors) {
  test::HandMade study = test::hand_made(false);
  study.facts.keys.groups.clear();
  for (auto& [task, of_task] : study.outcomes)
    if (task.starts_with("svm"))
      for (double& d : of_task.begin()->second.front().decision) d += 0.5;
  const CvResults results = results_of(study);
  EXPECT_EQ(results.statistics->paired_test, PairedTest::samples);
  const Comparison& pair = results.comparisons->front();
  EXPECT_FALSE(pair.first_alone);
  EXPECT_NEAR(pair.difference, -6 * 0.25 / 17.5, 1e-12);  // of R2
  EXPECT_NEAR(pair.p, 2.0 / 64, 1e-15) << "six differences of 0.25, all of one sign";
  EXPECT_FALSE(svm_of(results).binomial_p || svm_of(results).group_p);
  EXPECT_TRUE(svm_of(results).scores.at(Measure::r2).interval);
}

TEST(Inference, WhatIsNotDoneIsLeftOut) {
  test::HandMade study = test::hand_made();
  std::erase_if(study.outcomes, [](const auto& task) { return task.first.starts_with("lasso/"); });
  const CvResults results = results_of(study);
  EXPECT_FALSE(results.methods[1].second.group_p);
  EXPECT_TRUE(std::isnan(results.comparisons->front().p));
  EXPECT_TRUE(std::isnan(results.comparisons->front().fold_p));
}

TEST(Inference, IsTheSameForTheSameSeed) {
  test::HandMade study = test::hand_made();
  const auto text = [&] { return result_files(study.facts, study.plan, study.outcomes).front().second; };
  EXPECT_EQ(text(), text());
}

}  // namespace
}  // namespace sturm
