// SPDX-License-Identifier: BSD-3-Clause
// lasso, enet, ridge and dummy behind the interface of all methods.
#include <gtest/gtest.h>

#include <optional>

#include "models/study.h"
#include "sturm/core/parallel.h"
#include "sturm/models/linear/dummy_method.h"
#include "sturm/models/linear/lasso_method.h"
#include "sturm/models/linear/ridge_method.h"

namespace sturm {
namespace {

using Models = std::vector<std::unique_ptr<FittedModel<double>>>;

template <class Real>
std::vector<std::unique_ptr<FittedModel<Real>>> fit_all(const Method<Real>& method, const FitData<Real>& data,
                                                        const std::vector<FitTask>& tasks, double gap = 1e-10) {
  MethodOptions options;
  options.solver.gap = gap;
  std::vector<std::unique_ptr<FittedModel<Real>>> out(tasks.size());
  method.fit(data, tasks, options, [&](Index t, auto model) { out[t] = std::move(model); });
  return out;
}

/// The objective from the raw volumes, without the l1 part.
double smooth_part(const test::Study& study, const LinearModel& m, double alpha, double l2) {
  return test::objective(study, m.coef, m.intercept, alpha, 0, 0) + l2 / 2 * dot(m.coef, m.coef);
}

// Lasso is Sturm with tau = 0, whatever is done to the volumes first: same coefficients, as far as convexity carries.
TEST(LinearMethods, LassoIsSturmWithoutTnn) {
  test::Study study = test::small_study();
  const auto x = test::design_of<double>(study.volumes);
  for (const bool masked : {false, true})
    for (const Normalize normalize : {Normalize::none, Normalize::voxel, Normalize::sample})
      for (const bool intercept : {true, false}) {
        study.mask = masked ? test::every_third_out(study) : std::vector<std::uint8_t>{};
        study.weights.assign(40, 1.0);
        study.weights[3] = 2.5;
        test::SturmOptions options = test::absolute(0, normalize == Normalize::sample ? 0.5 : 5, 1e-11);
        options.alpha = 2;
        options.normalize = normalize;
        options.intercept = intercept;
        const test::SturmFit sturm = test::fit(study, options);
        const FitData<double> data{linalg::cpu_backend(), x, study.mask, normalize, intercept, 2};
        const auto fits =
            fit_all<double>(*make_lasso<double>(), data, {{study.y, study.weights, {options.gamma}}}, 1e-11);
        const LinearModel& lasso = fits[0]->model().map();
        const FitReport& r = fits[0]->report;
        EXPECT_NEAR(r.objective, sturm.report.objective, 1e-10 * r.objective);
        EXPECT_LE(r.relative_gap, 1e-11);
        // The square root of the gap, times a condition of some 1e2.
        EXPECT_LE(frobenius_norm(lasso.coef - sturm.model.coef), 1e-3 * frobenius_norm(lasso.coef));
        EXPECT_NEAR(lasso.intercept, sturm.model.intercept, 1e-3 * (1 + std::abs(lasso.intercept)));
        EXPECT_NEAR(r.sparsity_in_mask, sturm.report.sparsity_in_mask, 1e-12);
        const auto own = fits[0]->decision_values(), fresh = fits[0]->decision_values(x);
        for (std::size_t m = 0; m < own.size(); ++m) EXPECT_NEAR(own[m], fresh[m], 1e-10 * (1 + std::abs(own[m])));
      }
}

TEST(LinearMethods, EnetWithoutL2IsLassoAndWithoutL1IsRidge) {
  const test::Study study = test::random_study({5, 4, 3}, 20, 4);
  const auto x = test::design_of<double>(study.volumes);
  const FitData<double> data{linalg::cpu_backend(), x, {}};
  const auto lasso = fit_all<double>(*make_lasso<double>(), data, {{study.y, {}, {2}}});
  const auto ridge = fit_all<double>(*make_ridge<double>(), data, {{study.y, {}, {3}}});
  const auto enet = fit_all<double>(*make_enet<double>(), data, {{study.y, {}, {2, 0}}, {study.y, {}, {0, 3}}});
  EXPECT_EQ(enet[0]->model().map().coef, lasso[0]->model().map().coef);
  EXPECT_LE(ridge[0]->report.relative_gap, 1e-12);
  // l2 = 3 is the convexity: |W - W*|^2 <= 2 gap F / 3.
  const double apart = test::apart(1e-10, ridge[0]->report.objective, 3);
  EXPECT_LE(frobenius_norm(enet[1]->model().map().coef - ridge[0]->model().map().coef), apart);
}

// The gradient of the ridge objective, taken from the raw volumes, is zero in w and in the intercept.
TEST(LinearMethods, RidgeIsStationary) {
  test::Study study = test::random_study({5, 4, 3}, 20, 5);
  study.weights.assign(20, 1.0);
  study.weights[0] = 0;
  study.weights[7] = 3;
  const auto x = test::design_of<double>(study.volumes);
  const FitData<double> data{linalg::cpu_backend(), x, {}, Normalize::none, true, 2};
  for (const double l2 : {1e-3, 1.0, 1e3}) {
    const auto fits = fit_all<double>(*make_ridge<double>(), data, {{study.y, study.weights, {l2}}}, 1e-9);
    const LinearModel& m = fits[0]->model().map();
    const auto values = fits[0]->decision_values();
    Tensor gradient = l2 * m.coef;
    double sum = 0, size = 0;
    for (std::size_t i = 0; i < 20; ++i) {
      const double r = 2 * study.weight(i) * (study.y[i] - values[i]);
      gradient = gradient - r * study.volumes[i];
      sum += r;
      size += std::abs(2 * study.weight(i) * study.y[i]);
    }
    EXPECT_LE(max_abs(gradient), 1e-11 * size);
    EXPECT_NEAR(sum, 0, 1e-11 * size);
    EXPECT_NEAR(fits[0]->report.objective, smooth_part(study, m, 2, l2), 1e-11 * size);
    EXPECT_LE(fits[0]->report.relative_gap, 1e-9);
    EXPECT_EQ(fits[0]->report.samples, 19);
  }
}

TEST(LinearMethods, RidgeWithoutPenaltyInterpolates) {
  const test::Study study = test::random_study({5, 4, 3}, 20, 6);
  const auto x = test::design_of<double>(study.volumes);
  const auto fits = fit_all<double>(*make_ridge<double>(), {linalg::cpu_backend(), x, {}}, {{study.y, {}, {0}}});
  const auto values = fits[0]->decision_values();
  for (std::size_t m = 0; m < 20; ++m) EXPECT_NEAR(values[m], study.y[m], 1e-9);
}

TEST(LinearMethods, DummyIsTheWeightedMean) {
  const test::Study study = test::random_study({2, 2, 2}, 4, 7);
  const auto x = test::design_of<double>(study.volumes);
  const double nan = std::nan("");
  const auto fits = fit_all<double>(*make_dummy<double>(), {linalg::cpu_backend(), x, {}},
                                    {{{1, -1, -1, nan}, {1, 1, 1, 0}, {}}, {{1, 2, 3, 4}, {}, {}}});
  EXPECT_DOUBLE_EQ(fits[0]->decision_values()[3], -1.0 / 3);
  EXPECT_DOUBLE_EQ(fits[1]->decision_values(x)[0], 2.5);
  EXPECT_EQ(fits[0]->report.samples, 3);
  EXPECT_DOUBLE_EQ(fits[1]->report.objective, 2.5);
  EXPECT_EQ(fits[1]->model().map().coef, Tensor(x.shape()));
}

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
      const auto a = fit_all<double>(*method, data, {task}), b = fit_all<double>(*method, changed, {same});
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
    const auto together = fit_all<double>(*method, {linalg::cpu_backend(), x, {}}, tasks);
    team.emplace(1);
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      const auto alone = fit_all<double>(*method, {linalg::cpu_backend(), x, {}}, {tasks[t]});
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
  const auto fits = fit_all<double>(*lasso, data, tasks);
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
    const auto all = fit_all<double>(*method, {linalg::cpu_backend(), x, {}}, tasks);
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
  EXPECT_THROW(fit_all<double>(*lasso, {linalg::cpu_backend(), x, {}}, {{study.y, {}, {-1}}}), Error);
  EXPECT_THROW(fit_all<double>(*lasso, {linalg::cpu_backend(), x, {}}, {{study.y, {}, {}}}), Error);
  EXPECT_THROW(fit_all<double>(*lasso, {linalg::cpu_backend(), x, {}}, {{{1, 2}, {}, {1}}}), Error);
  EXPECT_THROW(fit_all<double>(*lasso, {linalg::cpu_backend(), x, {}}, {{study.y, {0, 0, 0, 0}, {1}}}), Error);
  EXPECT_THROW(fit_all<double>(*lasso, {linalg::cpu_backend(), x, {}}, {{study.y, {}, {1}}}, 0), Error);
}

}  // namespace
}  // namespace sturm
