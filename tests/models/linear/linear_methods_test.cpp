// SPDX-License-Identifier: BSD-3-Clause
// lasso, enet, ridge and dummy behind the interface of all methods.
#include <gtest/gtest.h>

#include <optional>

#include "models/linear/to_gap.h"
#include "sturm/core/parallel.h"
#include "sturm/models/linear/dummy_method.h"
#include "sturm/models/linear/lasso_method.h"
#include "sturm/models/linear/ridge_method.h"

namespace sturm {
namespace {

using test::fit_to_gap;

/// Every method with one setting.
std::vector<std::pair<std::unique_ptr<Method<double>>, std::vector<double>>> all_methods() {
  std::vector<std::pair<std::unique_ptr<Method<double>>, std::vector<double>>> out;
  out.emplace_back(make_lasso<double>(), std::vector<double>{2});
  out.emplace_back(make_enet<double>(), std::vector<double>{2, 1});
  out.emplace_back(make_ridge<double>(), std::vector<double>{1});
  out.emplace_back(make_dummy<double>(), std::vector<double>{});
  return out;
}

// A sample of weight 0 may hold anything finite and any label: no bit of the model or of a grid changes.
TEST(LinearMethods, LearnFromTheTasksSamplesAlone) {
  test::Study study = test::random_study({5, 4, 3}, 20, 8);
  std::vector<double> weights(20, 1.0);
  weights[2] = weights[11] = 0;
  test::Study other = study;
  other.volumes[2] = 7 * random_normal(study.volumes[2].shape(), 99);
  other.y[2] = 1e6;
  other.y[11] = std::nan("");
  const auto x = test::design_of<double>(study.volumes), z = test::design_of<double>(other.volumes);
  for (const Normalize normalize : {Normalize::none, Normalize::voxel, Normalize::sample})
    for (const auto& [method, setting] : all_methods()) {
      SCOPED_TRACE(method->name());
      const FitTask task{study.y, weights, setting}, same{other.y, weights, setting};
      const FitData<double> data{linalg::cpu_backend(), x, {}, normalize},
          changed{linalg::cpu_backend(), z, {}, normalize};
      const auto a = fit_to_gap<double>(*method, data, {task}), b = fit_to_gap<double>(*method, changed, {same});
      EXPECT_EQ(a[0]->model().map().coef, b[0]->model().map().coef);
      EXPECT_EQ(a[0]->model().map().intercept, b[0]->model().map().intercept);
      FitTask open = task, open_same = same;
      open.setting = open_same.setting = {};
      EXPECT_EQ(method->grid(data, open, GridKind::path), method->grid(changed, open_same, GridKind::path));
    }
}

// Folds, labels and settings in one call, on one thread or three, give what each gives alone.
TEST(LinearMethods, OneCallForManyTasks) {
  const test::Study study = test::random_study({5, 4, 3}, 20, 9);
  const auto x = test::design_of<double>(study.volumes);
  for (const auto& [method, setting] : all_methods()) {
    SCOPED_TRACE(method->name());
    std::vector<FitTask> tasks;
    for (int fold = 0; fold < 4; ++fold) {
      FitTask task{study.y, std::vector<double>(20, 1.0), setting};
      task.weights[fold] = 0;
      tasks.push_back(task);
      for (double& v : task.y) v = v > 3 ? 1 : -1;
      tasks.push_back(task);
    }
    std::optional<UseThreads> team;
    team.emplace(3);
    const auto together = fit_to_gap<double>(*method, {linalg::cpu_backend(), x, {}}, tasks);
    team.emplace(1);
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      const auto alone = fit_to_gap<double>(*method, {linalg::cpu_backend(), x, {}}, {tasks[t]});
      EXPECT_EQ(alone[0]->model().map().coef, together[t]->model().map().coef);
      EXPECT_EQ(alone[0]->decision_values(), together[t]->decision_values());
    }
    team.reset();
  }
}

TEST(LinearMethods, Grids) {
  const test::Study study = test::random_study({5, 4, 3}, 20, 10);
  const auto x = test::design_of<double>(study.volumes);
  const FitData<double> data{linalg::cpu_backend(), x, {}};
  const FitTask task{study.y, {}, {}};
  const auto lasso = make_lasso<double>();
  const auto path = lasso->grid(data, task, GridKind::path);
  EXPECT_EQ(path.size(), 25U);
  std::vector<FitTask> tasks;
  tasks.reserve(path.size() + 1);
  for (const auto& setting : path) tasks.push_back({study.y, {}, setting});
  tasks.push_back({study.y, {}, {path[0][0] / 0.9}});
  const auto fits = fit_to_gap<double>(*lasso, data, tasks);
  EXPECT_LT(fits[0]->report.sparsity, 1) << "every value of the path has a map";
  EXPECT_EQ(fits.back()->report.status, Status::zero_solution);
  const auto paper = lasso->grid(data, task, GridKind::paper);
  ASSERT_EQ(paper.size(), 13U);
  EXPECT_DOUBLE_EQ(paper.front()[0], 1e-3);
  EXPECT_DOUBLE_EQ(paper[1][0], 5e-3);
  EXPECT_DOUBLE_EQ(paper.back()[0], 1e3);
  EXPECT_EQ(make_enet<double>()->grid(data, task, GridKind::paper).size(), 169U);
  EXPECT_EQ(make_enet<double>()->grid(data, task, GridKind::path).front().size(), 2U);
  EXPECT_EQ(make_ridge<double>()->grid(data, task, GridKind::path).size(), 13U);
  EXPECT_EQ(make_dummy<double>()->grid(data, task, GridKind::path).size(), 1U);
  // A loss of twice the weight takes penalties twice as large.
  const FitData<double> doubled{linalg::cpu_backend(), x, {}, Normalize::none, true, 2};
  for (const auto& method : {make_lasso<double>(), make_enet<double>(), make_ridge<double>()}) {
    const auto one = method->grid(data, task, GridKind::path), two = method->grid(doubled, task, GridKind::path);
    for (std::size_t i = 0; i < one.size(); ++i)
      for (std::size_t p = 0; p < one[i].size(); ++p) EXPECT_DOUBLE_EQ(two[i][p], 2 * one[i][p]) << method->name();
  }
  EXPECT_DOUBLE_EQ(lasso->relative_setting(doubled, task, 0.9, 0.5)[0], 2 * path[0][0]);
}

// Folds a few at a time where memory is short, down to one: the same models.
TEST(LinearMethods, LittleMemoryGivesTheSameModels) {
  const test::Study study = test::random_study({5, 4, 3}, 20, 12);
  const auto x = test::design_of<double>(study.volumes);
  std::vector<FitTask> tasks;
  for (std::size_t fold = 0; fold < 5; ++fold) {
    tasks.push_back({study.y, std::vector<double>(20, 1.0), {2}});
    for (std::size_t m = fold; m < 20; m += 5) tasks.back().weights[m] = 0;
  }
  for (const auto& method : {make_lasso<double>(), make_ridge<double>()}) {
    const auto all = fit_to_gap<double>(*method, {linalg::cpu_backend(), x, {}}, tasks);
    for (const Index memory : {Index{1}, Index{50'000}}) {
      MethodOptions options;
      options.solver.gap = 1e-10;
      options.memory = memory;
      method->fit({linalg::cpu_backend(), x, {}}, tasks, options, [&](Index t, auto model) {
        EXPECT_EQ(model->model().map().coef, all[t]->model().map().coef) << method->name() << " " << t;
      });
    }
  }
}

TEST(LinearMethods, RefuseWhatMakesNoSense) {
  const test::Study study = test::random_study({2, 2, 2}, 4, 11);
  const auto x = test::design_of<double>(study.volumes);
  const auto lasso = make_lasso<double>();
  EXPECT_THROW(fit_to_gap<double>(*lasso, {linalg::cpu_backend(), x, {}}, {{study.y, {}, {-1}}}), Error);
  EXPECT_THROW(fit_to_gap<double>(*lasso, {linalg::cpu_backend(), x, {}}, {{study.y, {}, {}}}), Error);
  EXPECT_THROW(fit_to_gap<double>(*lasso, {linalg::cpu_backend(), x, {}}, {{{1, 2}, {}, {1}}}), Error);
  EXPECT_THROW(fit_to_gap<double>(*lasso, {linalg::cpu_backend(), x, {}}, {{study.y, {0, 0, 0, 0}, {1}}}), Error);
  EXPECT_THROW(fit_to_gap<double>(*lasso, {linalg::cpu_backend(), x, {}}, {{study.y, {}, {1}}}, 0), Error);
}

}  // namespace
}  // namespace sturm
