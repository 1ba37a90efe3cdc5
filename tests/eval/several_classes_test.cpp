// SPDX-License-Identifier: BSD-3-Clause
// Nested cross-validation of several classes against the same done by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "eval/small_study.h"
#include "sturm/eval/permutation.h"
#include "sturm/eval/scores.h"
#include "sturm/models/registry.h"
#include "sturm/models/wrappers/one_vs_rest.h"

namespace sturm {
namespace {

NestedStudy<double> phantom(Index samples, double effect, std::uint64_t seed) {
  NestedStudy<double> study = test::small_study(samples, effect, seed, 3);
  study.options.method.solver.gap = 1e-8;
  return study;
}

NestedTask first_fold(const NestedStudy<double>& study) {
  const Folds outer = make_folds(study.keys, {FoldKind::count, 5, "", "outer"}, 1);
  return {outer.train(0), outer.test(0), {study.keys.y}, 7};
}

// The grid as said in the design, every setting scored by one model per class on the inner folds, and the chosen one
// fitted again: by hand, with tasks of two classes alone.
TEST(SeveralClasses, NestedIsWhatOneWouldDoByHand) {
  const NestedStudy<double> study = phantom(45, 0.7, 1);
  const NestedTask task = first_fold(study);
  for (const char* name : {"lasso", "svm", "sturm"}) {
    const Method<double>& method = find_method<double>(name);
    const NestedOutcome found = nested(study, Family<double>{&method}, task)[0][0];
    const Design<double> train = rows_of(study.resolutions[0].design, task.train);
    const FitData<double> data{linalg::cpu_backend(), train, {}};
    std::vector<double> y;
    for (const Index row : task.train) y.push_back(study.keys.y[row]);
    const auto task_of = [&](int c, const std::vector<double>& weights, const std::vector<double>& setting) {
      FitTask out{{}, weights, setting};
      for (const double label : y) out.y.push_back(label == c ? 1 : -1);
      return out;
    };
    std::vector<std::vector<std::vector<double>>> grids(3);
    for (int c = 0; c < 3; ++c) grids[c] = method.grid(data, task_of(c, {}, {}), GridKind::path);
    ASSERT_EQ(found.grid.size(), grids[0].size());
    SampleKeys keys = take(study.keys, task.train);
    const Folds inner = make_folds(keys, study.options.inner, 0, task.stream);
    const auto values_of = [&](const FitTask& one, const Design<double>* other) {
      std::vector<double> out;
      method.fit(data, {&one, 1}, study.options.method, [&](Index, std::unique_ptr<FittedModel<double>> model) {
        out = other == nullptr ? model->decision_values() : model->decision_values(*other);
      });
      return out;
    };
    std::vector<double> means;
    for (std::size_t s = 0; s < found.grid.size(); ++s) {
      std::vector<double> setting(grids[0][s].size());
      for (std::size_t p = 0; p < setting.size(); ++p)
        setting[p] = std::max({grids[0][s][p], grids[1][s][p], grids[2][s][p]});
      EXPECT_EQ(found.grid[s].setting, setting);
      double sum = 0;
      for (int fold = 0; fold < 3; ++fold) {
        std::vector<double> weights(y.size());
        for (const Index row : inner.train(fold)) weights[row] = 1;
        std::vector<std::vector<double>> values(3);
        for (int c = 0; c < 3; ++c) values[c] = values_of(task_of(c, weights, setting), nullptr);
        double right = 0;
        for (const Index row : inner.test(fold)) {
          int best = 0;
          for (int c = 1; c < 3; ++c)
            if (values[c][row] > values[best][row]) best = c;
          right += best == y[row];
        }
        const double accuracy = right / static_cast<double>(inner.test(fold).size());
        EXPECT_NEAR(found.grid[s].scores[fold], accuracy, 1e-12) << name << ", setting " << s << ", fold " << fold;
        sum += found.grid[s].scores[fold];
      }
      means.push_back(sum / 3);
    }
    EXPECT_NEAR(found.choice.best, *std::ranges::max_element(means), 1e-12) << name;
    const Design<double> test = rows_of(study.resolutions[0].design, task.test);
    ASSERT_EQ(found.decision.size(), 3 * task.test.size());
    ASSERT_EQ(found.coef.size(), static_cast<std::size_t>(3 * test::study_shape.size()));
    for (int c = 0; c < 3; ++c) {
      const std::vector<double> values = values_of(task_of(c, {}, found.chosen().setting), &test);
      for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_NEAR(found.decision[3 * i + c], values[i], 1e-3) << name << ", class " << c;
    }
  }
}

TEST(SeveralClasses, FindsWhatIsThereAndNothingWhereNothingIs) {
  for (const double effect : {1.5, 0.0}) {
    const NestedStudy<double> study = phantom(60, effect, 4);
    const Folds outer = make_folds(study.keys, {FoldKind::count, 5, "", "outer"}, 1);
    double right = 0;
    for (int fold = 0; fold < outer.count(); ++fold) {
      const NestedTask task{outer.train(fold), outer.test(fold), {study.keys.y}, static_cast<std::uint64_t>(fold)};
      const auto outcome = nested(study, Family<double>{&find_method<double>("svm")}, task)[0][0];
      const std::vector<double> labels = predicted_labels(outcome.decision, task.test.size());
      for (std::size_t i = 0; i < labels.size(); ++i) right += labels[i] == study.keys.y[task.test[i]];
    }
    // 60 draws of one in three lie within 1/3 +- 0.19 in 99.8 % of all cases.
    if (effect > 0)
      EXPECT_GE(right / 60, 0.9);
    else
      EXPECT_NEAR(right / 60, 1.0 / 3, 0.19);
  }
}

TEST(SeveralClasses, FamiliesAndLabelsSideBySideChangeNothing) {
  const NestedStudy<double> study = phantom(36, 0.7, 2);
  NestedTask task = first_fold(study);
  const Method<double>&lasso = find_method<double>("lasso"), &both = find_method<double>("lasso+svm");
  const auto alone = nested(study, Family<double>{&lasso}, task)[0][0],
             after = nested(study, Family<double>{&both}, task)[0][0];
  task.labels.push_back(permuted_targets(study.keys, Exchange::samples, 3, 1));
  const auto together = nested(study, Family<double>{&lasso, &both}, task);
  ASSERT_EQ(together.size(), 2U);
  ASSERT_EQ(together[0].size(), 2U);
  EXPECT_EQ(together[0][0].decision, alone.decision);
  EXPECT_EQ(together[0][0].coef, alone.coef);
  EXPECT_EQ(together[1][0].chosen().setting, after.chosen().setting);
  EXPECT_EQ(together[1][0].decision, after.decision);
  EXPECT_NE(together[0][1].decision, alone.decision) << "other labels, other answers";
}

}  // namespace
}  // namespace sturm
