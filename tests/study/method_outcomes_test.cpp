// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/method_outcomes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "study/outcomes.h"

namespace sturm {
namespace {

TEST(MethodOutcomes, PutDecisionsInTheOrderOfTheStudy) {
  const test::HandMade study = test::hand_made();
  const std::vector<MethodOutcomes> methods = study.methods();
  ASSERT_EQ(methods.size(), 2U);
  EXPECT_EQ(methods[0].predicted().decision, (std::vector<double>{1, 1, -1, 1, -1, 1}));
  EXPECT_EQ(methods[0].predicted().actual, study.facts.keys.y);
  EXPECT_EQ(methods[0].by_fold(Measure::accuracy), (std::vector<double>{0.5, 1, 1}));
  EXPECT_FALSE(methods[0].has_map());
  EXPECT_TRUE(methods[1].has_map());
  EXPECT_EQ(methods[1].over_folds(&FoldOutcome::sparsity).mean, 0.5);
}

TEST(MethodOutcomes, WhatIsNotDoneIsLeftOut) {
  test::HandMade study = test::hand_made();
  study.outcomes.erase("svm/fold 2");
  study.outcomes.erase("svm/all");
  const MethodOutcomes svm = study.methods().front();
  EXPECT_EQ(svm.rows(), (std::vector<Index>{0, 2, 3, 5}));
  EXPECT_EQ(svm.done().size(), 2U);
  EXPECT_EQ(svm.all(), nullptr);
  EXPECT_TRUE(std::isnan(svm.by_fold(Measure::accuracy)[1]));
  EXPECT_EQ(find_outcome(study.plan, study.outcomes, "svm", 1), nullptr);
  EXPECT_EQ(find_outcome(study.plan, study.outcomes, "lasso", 1)->decision, (std::vector<double>{1, -1}));
}

// Of two deals of the folds a sample has two decision values, and what is said of all together is said of their mean.
TEST(MethodOutcomes, OfSeveralDealsAreMeans) {
  test::HandMade study = test::hand_made();
  study.plan = make_plan({"svm", "lasso"}, study.plan.outer, {}, 0, {{{0, 0, 1, 1, 2, 2}, study.plan.outer.names}});
  for (const CvTask& task : study.plan.tasks) {
    const std::string& method = study.plan.families[task.family].front();
    FoldOutcome outcome = study.outcomes.begin()->second.begin()->second.front();
    outcome.method = method;
    outcome.decision.clear();
    if (task.fold >= 0)
      for (const Index row : study.plan.test(task.fold))
        outcome.decision.push_back(study.facts.keys.y[row] * (study.plan.deal_of(task.fold) == 0 ? 1
                                                              : row < 2                          ? -3
                                                                                                 : 2));
    study.outcomes[task.id][method] = {outcome};
  }
  const MethodOutcomes svm = study.methods().front();
  EXPECT_EQ(svm.predicted().decision, (std::vector<double>{1, -1, -1.5, 1.5, -1.5, 1.5}));
  EXPECT_EQ(svm.by_fold(Measure::accuracy), (std::vector<double>{1, 1, 1, 0, 1, 1}));
  EXPECT_NEAR(svm.over_deals(Measure::accuracy).mean, 5.0 / 6, 1e-15);
  EXPECT_NEAR(svm.over_deals(Measure::accuracy).sd, std::sqrt(1.0 / 18), 1e-15);  // of 1 and 2/3
}

// A permutation counts when all of its folds are done, with the labels and the folds that it drew.
TEST(MethodOutcomes, ScoresOfPermutationsAreOfTheirOwnLabels) {
  test::HandMade study = test::hand_made();
  study.facts.keys.groups.clear();
  study.plan = make_plan({"svm"}, study.plan.outer, {FoldKind::group, 0, "", ""}, 2);
  const Exchange exchange = exchangeability(study.facts.keys).exchange;
  for (const CvTask& task : study.plan.tasks) {
    if (task.first == 0) continue;
    for (Index number = task.first; number < task.last; ++number) {
      const std::vector<double> y = labels_number(study.facts.keys, exchange, 0, number);
      FoldOutcome outcome;
      outcome.method = "svm";
      for (const Index row : study.plan.outer.test(task.fold))
        outcome.decision.push_back(number == 1 ? y[row] : -y[row]);
      study.outcomes[task.id]["svm"].push_back(outcome);
    }
  }
  EXPECT_EQ(study.methods().front().null(), (std::vector<double>{1, 0}));
  study.outcomes.erase(study.plan.tasks.back().id);
  EXPECT_TRUE(study.methods().front().null().empty());
}

}  // namespace
}  // namespace sturm
