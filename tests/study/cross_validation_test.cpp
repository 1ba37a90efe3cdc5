// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/cross_validation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "eval/small_study.h"
#include "message.h"
#include "sturm/core/parallel.h"
#include "sturm/core/rng.h"
#include "sturm/models/registry.h"

namespace sturm {
namespace {

Folds three_folds() { return {{0, 1, 2, 0, 1, 2}, {"a", "b", "c"}}; }

TEST(CvPlan, HasEveryTaskOnce) {
  const CvPlan plan = make_plan({"svm", "sturm+svm", "lasso", "sturm"}, three_folds(), {}, 10);
  ASSERT_EQ(plan.families.size(), 3U);
  EXPECT_EQ(plan.families[1], (std::vector<std::string>{"sturm", "sturm+svm"}));
  std::set<std::string> ids;
  Index labels = 0;
  for (const CvTask& task : plan.tasks) {
    ids.insert(task.id);
    if (task.family == 1 && task.fold == 2) labels += task.last - task.first;
  }
  EXPECT_EQ(ids.size(), plan.tasks.size());
  EXPECT_EQ(labels, 11);                                                           // the truth and ten permutations
  EXPECT_EQ(plan.tasks.size(), 3U * 3 + 3 + static_cast<std::size_t>(3 * 3 * 2));  // eight permutations at a time
}

// A second deal has folds of its own, and the first is that of a study with one deal: its tasks come to the same.
TEST(CvPlan, DealsTheFoldsAgain) {
  const NestedStudy<double> study = test::small_study(24, 1.5, 3);
  const FoldChoice three{FoldKind::count, 3, "", "outer"};
  const auto deal = [&](Index number) { return make_folds(study.keys, three, 0, outer_stream(number)); };
  const CvPlan one = make_plan({"svm"}, deal(0), three, 0), two = make_plan({"svm"}, deal(0), three, 0, {deal(1)});
  EXPECT_EQ(two.folds(), 6);
  EXPECT_EQ(two.fold_name(4), "2.2");
  EXPECT_EQ(one.fold_name(1), "2");
  EXPECT_NE(two.test(1), two.test(4));
  std::set<Index> tested;
  for (int fold = 3; fold < 6; ++fold)
    for (const Index row : two.test(fold)) EXPECT_TRUE(tested.insert(row).second);
  EXPECT_EQ(tested.size(), 24U);
  const auto decisions = [&](const CvPlan& plan, std::size_t task) {
    return decode(run_task<double>(study, plan, plan.tasks[task], {}), "t").front().decision;
  };
  EXPECT_EQ(decisions(one, 1), decisions(two, 1));
  EXPECT_EQ(decisions(two, 4).size(), two.test(4).size());
}

// Parts of the training sets: a task for each share, family and fold; smaller parts lie inside larger ones and in the
// training set of the fold; and the tasks of a study without them are the same.
TEST(CvPlan, TrainsOnPartsForALearningCurve) {
  NestedStudy<double> study = test::small_study(24, 1.5, 3);
  const FoldChoice three{FoldKind::count, 3, "", "outer"};
  const Folds outer = make_folds(study.keys, three, 0, outer_stream(0));
  const CvPlan plan = make_plan({"svm", "lasso"}, outer, three, 0, {}, {0.25, 0.5}),
               plain = make_plan({"svm", "lasso"}, outer, three, 0);
  EXPECT_EQ(plan.tasks.size(), 2U * 3 + 2 + static_cast<std::size_t>(2 * 2 * 3));
  for (std::size_t t = 0; t < plain.tasks.size(); ++t) EXPECT_EQ(plan.tasks[t].id, plain.tasks[t].id);
  EXPECT_EQ(plan.tasks[8].id, "svm/fold 1/share 0.25");
  EXPECT_LT(plan.tasks[8].cost, plan.tasks[0].cost);
  const auto rows = [&](int share) { return training_rows(plan, study.keys, {}, 0, 0, share); };
  EXPECT_EQ(rows(-1), outer.train(0));
  EXPECT_EQ(rows(0).size(), 4U);
  EXPECT_EQ(rows(1).size(), 8U);
  for (const Index row : rows(0)) EXPECT_TRUE(std::ranges::binary_search(rows(1), row));
  for (const Index row : rows(1)) EXPECT_TRUE(std::ranges::binary_search(rows(-1), row));
  // Eight samples in training of fold 1: what is not among them may be anything.
  const CvTask& task = plan.tasks[14];
  ASSERT_EQ(task.id, "svm/fold 1/share 0.5");
  const FoldOutcome found = decode(run_task<double>(study, plan, task, {}), "t").front();
  EXPECT_EQ(found.trained, 8);
  EXPECT_EQ(found.decision.size(), outer.test(0).size());
  EXPECT_TRUE(found.grid.empty() && !found.has_signs());
  AlignedVector<double> x(study.resolutions[0].design.x().begin(), study.resolutions[0].design.x().end());
  const std::vector<Index> used = rows(1), tested = outer.test(0);
  for (Index m = 0; m < 24; ++m)
    if (!std::ranges::binary_search(used, m) && !std::ranges::binary_search(tested, m))
      for (Index v = 0; v < test::study_shape.size(); ++v) x[m + 24 * v] = 1000;
  study.resolutions[0].design = Design<double>::owning(test::study_shape, 24, std::move(x));
  EXPECT_EQ(decode(run_task<double>(study, plan, task, {}), "t").front().decision, found.decision);
}

// As many tasks side by side as there are threads, and no more than each has room for in its part of the memory.
TEST(CvPlan, IsNoLongerThanAListCanBe) {
  EXPECT_SAYS(make_plan({"svm"}, three_folds(), {}, 1'000'000'000), "`permutations 1000000000`", "999");
  EXPECT_LE(make_plan({"svm"}, three_folds(), {}, 99'999).tasks.size(), 40'000U);
}

TEST(CvPlan, TasksShareTheMemory) {
  const UseThreads team(4);
  NestedStudy<double> study = test::small_study(12, 0.5, 1);
  const CvPlan plan = make_plan({"sturm"}, three_folds(), {}, 0);
  const auto at_once = [&](Index memory, Index tasks) {
    study.options.method.memory = memory;
    return tasks_at_once(study, plan, tasks);
  };
  EXPECT_EQ(at_once(0, 10), 4);
  EXPECT_EQ(at_once(0, 3), 3);
  EXPECT_EQ(at_once(1, 10), 1) << "one runs in any case";
  EXPECT_EQ(at_once(most_bytes_of_ends * 5 / 2, 10), 2);
  EXPECT_EQ(at_once(most_bytes_of_ends * 100, 10), 4);
}

// What a task leaves in the journal is what nested() finds for its fold, and nothing else.
TEST(RunTask, LeavesTheOutcomesOfItsFold) {
  const NestedStudy<double> study = test::small_study(24, 1.5, 3);
  Folds outer{{}, {"a", "b", "c"}};
  for (Index m = 0; m < 24; ++m) outer.of.push_back(static_cast<int>(m % 3));
  const CvPlan plan = make_plan({"lasso", "svm"}, outer, {}, 2);
  const auto outcomes_of_task = [&](const CvTask& task) {
    return decode(run_task<double>(study, plan, task, {}), task.id);
  };
  const CvTask& fold = plan.tasks[1];
  ASSERT_EQ(fold.id, "lasso/fold b");
  const std::vector<FoldOutcome> found = outcomes_of_task(fold);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].method, "lasso");
  EXPECT_EQ(found[0].decision.size(), 8U);
  EXPECT_TRUE(found[0].coef.empty()) << "of the model of all samples alone";
  NestedTask direct;
  for (Index m = 0; m < 24; ++m) (m % 3 == 1 ? direct.test : direct.train).push_back(m);
  direct.labels = {study.keys.y};
  direct.stream = stream_of("inner/b");
  const auto expected = nested(study, Family<double>{&find_method<double>("lasso")}, direct);
  EXPECT_EQ(found[0].decision, expected[0][0].decision);
  EXPECT_EQ(found[0].setting, expected[0][0].chosen().setting);
  EXPECT_EQ(found[0].grid.size(), expected[0][0].grid.size());

  const auto all = std::ranges::find_if(plan.tasks, [](const CvTask& t) { return t.fold < 0; });
  const std::vector<FoldOutcome> whole = outcomes_of_task(*all);
  EXPECT_TRUE(whole[0].decision.empty());
  EXPECT_FALSE(whole[0].coef.empty());

  const auto permuted = std::ranges::find_if(plan.tasks, [](const CvTask& t) { return t.first > 0; });
  const std::vector<FoldOutcome> null = outcomes_of_task(*permuted);
  ASSERT_EQ(null.size(), 2U) << "one for each vector of labels";
  EXPECT_TRUE(null[0].grid.empty());
  EXPECT_NE(null[0].decision, null[1].decision);
}

TEST(RunTask, GoesOnToldAndStops) {
  const NestedStudy<double> study = test::small_study(24, 1.5, 3);
  Folds outer{{}, {"a", "b", "c"}};
  for (Index m = 0; m < 24; ++m) outer.of.push_back(static_cast<int>(m % 3));
  const CvPlan plan = make_plan({"svm"}, outer, {}, 0);
  Index last = 0, of = 0;
  run_task<double>(study, plan, plan.tasks[0], [&](Index done, Index all) {
    EXPECT_GE(done, last);
    last = done;
    of = all;
    return true;
  });
  EXPECT_GT(last, 0);
  EXPECT_LE(last, of);
  EXPECT_THROW(run_task<double>(study, plan, plan.tasks[0], [](Index, Index) { return false; }), std::exception);
}

TEST(CvOutcomes, OfRecordsAndWhatIsMissing) {
  const CvPlan plan = make_plan({"svm"}, three_folds(), {}, 0);
  FoldOutcome outcome;
  outcome.method = "svm";
  const std::vector<Record> records = {{"svm/fold b", encode({&outcome, 1})}};
  EXPECT_EQ(outcomes_of(plan, records).at("svm/fold b").at("svm").size(), 1U);
  EXPECT_EQ(missing_tasks(plan, records), (std::vector<Index>{0, 2, 3}));
  EXPECT_SAYS(outcomes_of(plan, {{"mmk/fold b", ""}}), "mmk/fold b", "`force`");
}

}  // namespace
}  // namespace sturm
