// SPDX-License-Identifier: BSD-3-Clause
// Sturm and Remurs as methods: one batch for all tasks gives what single fits give, from the training samples alone.
#include "sturm/models/linear/penalised_method.h"

#include "message.h"
#include "models/classes.h"
#include "models/study.h"

namespace sturm {
namespace {

using namespace test;

/// Every third sample, from `first` on, is left out.
std::vector<double> fold_weights(std::size_t samples, std::size_t first) {
  std::vector<double> out(samples, 1);
  for (std::size_t m = first; m < samples; m += 3) out[m] = 0;
  return out;
}

// A fold is a task: its bits are those of a call of its own, whatever else is in the call.
TEST(SturmMethod, BitsDependOnTheTaskAlone) {
  Study study = small_study();
  study.mask = every_third_out(study);
  const Design<double> x = design_of<double>(study.volumes);
  const auto method = make_sturm<double>();
  for (const Normalize normalize : {Normalize::none, Normalize::sample, Normalize::voxel})
    for (const bool intercept : {true, false}) {
      std::vector<FitTask> tasks;
      for (const std::size_t first : {0, 1})
        for (const double tau : {2.0, 0.0}) tasks.push_back({study.y, fold_weights(40, first), {tau, 0.7}});
      tasks.push_back({study.y, {}, {1, 0.1}});
      const auto models = fit_all<double>(*method, {linalg::cpu_backend(), x, study.mask, normalize, intercept, 0.5},
                                          tasks, to_gap(1e-6));
      for (std::size_t i = 0; i < tasks.size(); ++i) {
        const auto alone = fit_all<double>(*method, {linalg::cpu_backend(), x, study.mask, normalize, intercept, 0.5},
                                           {tasks[i]}, to_gap(1e-6));
        ASSERT_TRUE(models[i]->model().has_map());
        EXPECT_EQ(models[i]->model().map().coef, alone[0]->model().map().coef) << to_word(normalize) << " " << i;
        EXPECT_EQ(models[i]->model().map().intercept, alone[0]->model().map().intercept);
        EXPECT_EQ(models[i]->report.objective, alone[0]->report.objective);
        EXPECT_EQ(models[i]->report.tubal_rank, alone[0]->report.tubal_rank);
        // Of the samples at hand and of the same ones as new volumes: one product each, summed in another order.
        const auto here = models[i]->decision_values(), there = models[i]->decision_values(x);
        for (std::size_t m = 0; m < here.size(); ++m) EXPECT_NEAR(here[m], there[m], 1e-12 * (1 + std::abs(there[m])));
      }
    }
}

// Labels and volumes of samples outside the training set change nothing.
TEST(PenalisedMethods, LearnFromTheTrainingSamplesAlone) {
  const Study study = small_study();
  Study other = study;
  const std::vector<double> weights = fold_weights(40, 1);
  for (std::size_t m = 1; m < 40; m += 3) {
    other.y[m] = 1e3;
    for (double& v : other.volumes[m].flat()) v = 7;
  }
  for (const auto& method : {make_sturm<double>(), make_remurs<double>()})
    for (const Normalize normalize : {Normalize::none, Normalize::sample, Normalize::voxel}) {
      const Design<double> x = design_of<double>(study.volumes), z = design_of<double>(other.volumes);
      const FitData<double> here{linalg::cpu_backend(), x, {}, normalize, true},
          there{linalg::cpu_backend(), z, {}, normalize, true};
      const auto settings = method->grid(here, {study.y, weights, {}}, GridKind::path);
      const auto again = method->grid(there, {other.y, weights, {}}, GridKind::path);
      ASSERT_EQ(settings.size(), 40);
      for (std::size_t i = 0; i < settings.size(); ++i)
        for (std::size_t p = 0; p < 2; ++p) EXPECT_NEAR(settings[i][p], again[i][p], 1e-9 * settings[i][p]);
      const std::vector<FitTask> a = {{study.y, weights, settings[12]}}, b = {{other.y, weights, settings[12]}};
      const auto first = fit_all<double>(*method, here, a, to_gap(1e-10));
      const auto second = fit_all<double>(*method, there, b, to_gap(1e-10));
      // Sums over all rows, weights of 0 among them, round differently; W is known to the root of the gap.
      EXPECT_LE(frobenius_norm(first[0]->model().map().coef - second[0]->model().map().coef),
                1e-4 * frobenius_norm(first[0]->model().map().coef))
          << method->name();
      EXPECT_EQ(first[0]->report.samples, 27);
    }
}

TEST(PenalisedMethods, Grids) {
  const Study study = small_study();
  const Design<float> x = design_of<float>(study.volumes);
  for (const double alpha : {1.0, 5.0, 0.0})
    for (const auto& method : {make_sturm<float>(), make_remurs<float>()}) {
      const FitData<float> data{linalg::cpu_backend(), x, {}, Normalize::none, true, alpha};
      const auto paper = method->grid(data, {study.y, {}, {}}, GridKind::paper);
      ASSERT_EQ(paper.size(), 169);
      EXPECT_DOUBLE_EQ(paper.front()[0], 1e-3);
      EXPECT_DOUBLE_EQ(paper[1][1], 5e-3);
      EXPECT_DOUBLE_EQ(paper.back()[0], 1e3);
      EXPECT_EQ(method->parameters().size(), 2);
      // A path lies below the zero point, whatever the weight of the loss: no setting gives zero, and twice the
      // strongest (strength 1) does.
      auto path = method->grid(data, {study.y, {}, {}}, GridKind::path);
      std::vector<FitTask> tasks;
      tasks.reserve(path.size() + 1);
      for (const auto& setting : path) tasks.push_back({study.y, {}, setting});
      tasks.push_back({study.y, {}, {2.001 * path[0][0], 2.001 * path[0][1]}});
      const auto models = fit_all<float>(*method, data, tasks, to_gap(1e-3));
      for (std::size_t i = 0; i < path.size(); ++i) {
        EXPECT_EQ(models[i]->report.status, Status::converged) << method->name() << " " << i;
        EXPECT_LE(models[i]->report.relative_gap, 1e-3);
      }
      EXPECT_EQ(models.back()->report.status, Status::zero_solution) << method->name();
      // The same point more exactly: 1e-2 and 1e-3 are the widths of the brackets.
      const auto half = method->relative_setting(data, {study.y, {}, {}}, 0.5, 0.1);
      for (std::size_t p = 0; p < 2; ++p) EXPECT_NEAR(half[p], path[0][p], 1.1e-2 * path[0][p]);
    }
}

TEST(PenalisedMethods, PaperModeAndBadInput) {
  const Study study = small_study();
  const Design<double> x = design_of<double>(study.volumes);
  const FitData<double> data{linalg::cpu_backend(), x, {}, Normalize::none, true};
  const auto method = make_remurs<double>();
  MethodOptions options = to_gap(1e-3);
  options.solver.solver = SolverKind::paper;
  options.solver.iterations = 200;
  options.solver.rho = 10;
  const auto paper = fit_all<double>(*method, data, {{study.y, {}, {2, 0.7}}}, options);
  const auto ours = fit_all<double>(*method, data, {{study.y, {}, {2, 0.7}}}, to_gap(1e-9));
  EXPECT_EQ(paper[0]->report.iterations, 200);
  EXPECT_GE(paper[0]->report.objective, ours[0]->report.dual);
  EXPECT_GE(paper[0]->report.relative_gap * paper[0]->report.objective,
            (paper[0]->report.objective - ours[0]->report.objective) * (1 - 1e-6));
  EXPECT_LE(paper[0]->report.relative_gap, 1e-3);
  EXPECT_SAYS(fit_all<double>(*method, data, {{study.y, {}, {1}}}, to_gap(1e-3)), "2 parameters", "1");
  EXPECT_SAYS(fit_all<double>(*method, data, {{{1, 2}, {}, {1, 1}}}, to_gap(1e-3)), "40 volumes", "2 labels");
  EXPECT_SAYS(fit_all<double>(*method, data, {{study.y, {}, {1, 1}}}, to_gap(0)), "`gap`");
  EXPECT_SAYS(fit_all<double>(*method, data, {{study.y, {}, {1, -1}}}, to_gap(1e-3)), "`gamma`");
  EXPECT_SAYS(fit_all<double>(*method, {linalg::cpu_backend(), x, {}, Normalize::none, true, -1},
                              {{study.y, {}, {1, 1}}}, to_gap(1e-3)),
              "`alpha`");
}

}  // namespace
}  // namespace sturm
