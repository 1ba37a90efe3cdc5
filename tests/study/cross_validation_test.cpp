// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/cross_validation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "eval/small_study.h"
#include "sturm/core/parallel.h"

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

// As many tasks side by side as there are threads, and no more than each has room for in its part of the memory.
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

TEST(OutcomeRecord, ComesBackAsItWas) {
  FoldOutcome o;
  o.method = "sturm";
  o.grid = {{0.5,
             {1e-3, 2},
             {0.25, std::numeric_limits<double>::quiet_NaN()},
             0.75,
             {1e-4, std::numeric_limits<double>::quiet_NaN()},
             3}};
  o.resize = 0.5;
  o.setting = {1e-3, 2};
  o.inner_score = 0.1 + 0.2;
  o.decision = {-0.0, 1e-300, -3};
  o.relative_gap = std::numeric_limits<double>::quiet_NaN();
  o.status = Status::iteration_limit;
  o.iterations = 17;
  o.tubal_rank = 4;
  o.shape = {2, 3, 4};
  o.support = {1, 2, 255};
  o.coef = {0.5F, -1e-30F};
  o.trace = {{1, 2, 3, 4}};
  const std::string bytes = encode({&o, 1});
  const std::vector<FoldOutcome> back = decode(bytes, "a task");
  ASSERT_EQ(back.size(), 1U);
  EXPECT_EQ(encode(back), bytes);
  EXPECT_TRUE(std::isnan(back[0].grid[0].scores[1]));
  EXPECT_TRUE(std::signbit(back[0].decision[0]));
  EXPECT_EQ(back[0].coef, o.coef);
  EXPECT_EQ(back[0].status, o.status);
  EXPECT_EQ(back[0].grid[0].unconverged, 3);
}

TEST(OutcomeRecord, RefusesWhatItDidNotWrite) {
  const FoldOutcome o;
  const std::string bytes = encode({&o, 1});
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) EXPECT_THROW(decode(bytes.substr(0, cut), "a task"), Error);
  EXPECT_THROW(decode("\x81\x01", "a task"), Error);
}

}  // namespace
}  // namespace sturm
