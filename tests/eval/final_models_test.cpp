// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/final_models.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "eval/small_study.h"
#include "sturm/models/linear/pattern.h"
#include "sturm/models/registry.h"

namespace sturm {
namespace {

NestedTask all_of(const NestedStudy<double>& study) {
  NestedTask task{.labels = {study.keys.y}, .stream = 1, .keep_model = true, .readable = Readable::fitted};
  for (Index row = 0; row < study.keys.rows(); ++row) task.train.push_back(row);
  return task;
}

NestedOutcome outcome_of(const NestedStudy<double>& study, const NestedTask& task, const char* method) {
  return nested(study, Family<double>{&find_method<double>(method)}, task)[0][0];
}

// Confounds are those of the training samples: what is left of these does not go with them, and of the others it may.
TEST(FinalModels, VolumesAreWithoutConfoundsOfTheTrainingSamples) {
  NestedStudy<double> study = test::small_study(20, 1, 1);
  study.confounds = {1, {}, {{"age", {}}}};
  for (Index m = 0; m < 20; ++m) study.confounds.values.push_back(std::sin(static_cast<double>(m)));
  NestedTask task{.labels = {study.keys.y}};
  for (Index m = 0; m < 20; ++m) (m < 15 ? task.train : task.test).push_back(m);
  const TaskVolumes<double> volumes = volumes_of(study, task, 0);
  EXPECT_EQ(volumes.train.samples(), 15);
  EXPECT_EQ(volumes.unseen.samples(), 5);
  EXPECT_FALSE(volumes.explained.empty());
  double mean = 0;
  for (Index m = 0; m < 15; ++m) mean += study.confounds.values[m] / 15;
  for (Index v = 0; v < volumes.train.voxels(); ++v) {
    double product = 0;
    for (Index m = 0; m < 15; ++m) product += volumes.train.column(v)[m] * (study.confounds.values[m] - mean);
    EXPECT_NEAR(product, 0, 1e-12);
  }
  task.test.clear();
  EXPECT_EQ(volumes_of(study, task, 0).unseen.samples(), 15) << "those in training where none is left out";
}

TEST(FinalModels, MapsOfClassesFollowEachOther) {
  std::vector<float> maps;
  put_map(std::vector<double>{1, 2}, 1, 2, maps);
  put_map(std::vector<double>{3, 4}, 0, 2, maps);
  EXPECT_EQ(maps, (std::vector<float>{3, 4, 1, 2}));
}

// The readable setting is the one that its definition gives, its model the one that a fit of its own gives, to the bit
// and as exact as was asked for, and asking for it changes nothing else.
TEST(FinalModels, TheReadableModelIsTheSparsestNearTheBest) {
  NestedStudy<double> study = test::small_study(36, 0.5, 5);
  study.options.method.solver.gap = 1e-5;
  study.options.inner_gap = 1e-2;
  for (const char* name : {"sturm", "remurs", "lasso", "enet"}) {
    NestedTask task = all_of(study);
    const NestedOutcome with = outcome_of(study, task, name);
    ASSERT_TRUE(with.readable) << name;
    const ReadableOutcome& readable = *with.readable;
    const GridPoint &point = with.grid[readable.sparsest.position], &chosen = with.chosen();
    EXPECT_LE(point.worst_gap(), 1e-5) << name << ": what is chosen is exact";
    EXPECT_GE(point.sparsity_in_mask, chosen.sparsity_in_mask - 1e-12);
    EXPECT_LT(point.sparsity_in_mask, 1);
    EXPECT_GE(readable.sparsest.mean, readable.sparsest.best - readable.sparsest.standard_error - 1e-9);
    const double reach = readable.sparsest.best - readable.sparsest.standard_error;
    for (const GridPoint& other : with.grid) {
      if (other.sparsity_in_mask < 1 && mean_sd(other.scores).mean >= reach) {
        EXPECT_LE(other.sparsity_in_mask, point.sparsity_in_mask + 1e-12) << name;
      }
    }
    const bool same = readable.sparsest.position == with.choice.chosen;
    EXPECT_EQ(readable.coef.empty(), same);
    if (!same) {
      EXPECT_LE(readable.report.relative_gap, 1e-5) << name;
      const Method<double>& method = find_method<double>(name);
      const FitTask own{study.keys.y, {}, point.setting};
      method.fit(study.data(method, study.resolutions[0].design), {&own, 1}, study.options.method,
                 [&](Index, const auto& model) {
                   EXPECT_TRUE(std::ranges::equal(model->model().map().coef.flat(), readable.coef, {},
                                                  [](double v) { return static_cast<float>(v); }));
                 });
    }
    task.readable = Readable::looked_for;
    const NestedOutcome looked = outcome_of(study, task, name);
    EXPECT_EQ(looked.readable->sparsest.position, readable.sparsest.position);
    EXPECT_TRUE(looked.readable->coef.empty());
    for (std::size_t g = 0; g < with.grid.size(); ++g) EXPECT_EQ(looked.grid[g].scores, with.grid[g].scores);
    task.readable = Readable::not_asked;
    const NestedOutcome without = outcome_of(study, task, name);
    EXPECT_FALSE(without.readable);
    EXPECT_EQ(without.coef, with.coef);
    EXPECT_EQ(without.choice.chosen, with.choice.chosen);
    EXPECT_EQ(without.choice.mean, with.choice.mean);
    EXPECT_EQ(without.report.iterations, with.report.iterations);
  }
  EXPECT_FALSE(outcome_of(study, all_of(study), "svm").readable) << "no path from few voxels to many";
}

TEST(FinalModels, WhereTheSparsestIsChosenNothingIsFittedTwice) {
  NestedStudy<double> study = test::small_study(36, 0.5, 5);
  study.options.choice.one_standard_error = true;
  const NestedOutcome found = outcome_of(study, all_of(study), "lasso");
  ASSERT_TRUE(found.readable);
  EXPECT_EQ(found.readable->sparsest.position, found.choice.chosen);
  EXPECT_TRUE(found.readable->coef.empty());
}

// The pattern of a kept model is that of its coefficients and of the samples that it was trained on.
TEST(FinalModels, KeepsThePatternOfAMap) {
  const NestedStudy<double> study = test::small_study(24, 1, 2);
  const NestedOutcome found = outcome_of(study, all_of(study), "svm");
  LinearModel model{Tensor(found.shape), found.report.intercept, Normalize::none, {}};
  std::ranges::copy(found.coef, model.coef.data());
  const Tensor pattern = forward_pattern(model, study.resolutions[0].design, {});
  ASSERT_EQ(std::ssize(found.pattern), pattern.shape().size());
  // Coefficients in single precision have 7 digits.
  const double largest = std::abs(std::ranges::max(pattern.flat(), {}, [](double v) { return std::abs(v); }));
  for (Index v = 0; v < pattern.shape().size(); ++v) EXPECT_NEAR(found.pattern[v], pattern.data()[v], 1e-6 * largest);
  NestedTask fold = all_of(study);
  fold.keep_model = false;
  fold.readable = Readable::not_asked;
  EXPECT_TRUE(outcome_of(study, fold, "svm").pattern.empty());
}

}  // namespace
}  // namespace sturm
