// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/settings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "eval/small_study.h"
#include "sturm/models/registry.h"
#include "sturm/models/wrappers/one_vs_rest.h"

namespace sturm {
namespace {

TEST(Settings, ClassesShareTheLargest) {
  const NestedStudy<double> study = test::small_study(30, 1, 1, 3);
  const Method<double>& lasso = find_method<double>("lasso");
  const FitData<double> data = study.data(lasso, study.resolutions[0].design);
  std::vector<FitTask> classes;
  for (int c = 0; c < 3; ++c) classes.push_back({against_rest(study.keys.y, c), {}, {}});
  const auto shared = settings_of(lasso, data, classes, study.options);
  for (std::size_t s = 0; s < shared.size(); ++s) {
    double largest = 0;
    for (const FitTask& one : classes)
      largest = std::max(largest, settings_of(lasso, data, {&one, 1}, study.options)[s][0]);
    EXPECT_EQ(shared[s][0], largest);
  }
}

TEST(Settings, PercentsThatTheUserAskedFor) {
  NestedStudy<double> study = test::small_study(20, 1, 1);
  study.options.top = {5, 50};
  const Method<double>& method = find_method<double>("lasso+svm");
  const FitTask task{study.keys.y, {}, {}};
  const auto grid = settings_of(method, study.data(method, study.resolutions[0].design), {&task, 1}, study.options);
  std::set<double> percents;
  const std::vector<Parameter> parameters = method.parameters();
  const auto eta = std::ranges::find(parameters, std::string("eta"), &Parameter::name) - parameters.begin();
  for (const auto& setting : grid) percents.insert(setting[eta]);
  EXPECT_EQ(percents, (std::set<double>{5, 50}));
}

TEST(Settings, CandidatesByEitherSparsity) {
  GridPoint point;
  point.scores = {0.5, 1};
  point.sparsity = 0.9;
  point.sparsity_in_mask = 0.25;
  EXPECT_EQ(candidates_of({&point, 1}, &GridPoint::sparsity)[0].sparsity, 0.9);
  EXPECT_EQ(candidates_of({&point, 1}, &GridPoint::sparsity_in_mask)[0].sparsity, 0.25);
  EXPECT_EQ(candidates_of({&point, 1}, &GridPoint::sparsity)[0].scores, point.scores);
}

}  // namespace
}  // namespace sturm
