// SPDX-License-Identifier: BSD-3-Clause
// Sturm and Remurs as methods: one batch for all tasks gives what single fits give, from the training samples alone.
#include "sturm/models/linear/penalised_method.h"

#include "message.h"
#include "models/study.h"
#include "oracle/overlapped.h"

namespace sturm {
namespace {

using namespace test;

template <class Real>
std::vector<std::unique_ptr<FittedModel<Real>>> fit_all(const Method<Real>& method, const FitData<Real>& data,
                                                        const std::vector<FitTask>& tasks,
                                                        const MethodOptions& options) {
  std::vector<std::unique_ptr<FittedModel<Real>>> out(tasks.size());
  method.fit(data, tasks, options, [&](Index i, std::unique_ptr<FittedModel<Real>> model) {
    EXPECT_FALSE(out[i]);
    out[i] = std::move(model);
  });
  for (const auto& model : out) EXPECT_TRUE(model);
  return out;
}

/// Every third sample, from `first` on, is left out.
std::vector<double> fold_weights(std::size_t samples, std::size_t first) {
  std::vector<double> out(samples, 1);
  for (std::size_t m = first; m < samples; m += 3) out[m] = 0;
  return out;
}

MethodOptions to_gap(double gap) {
  MethodOptions out;
  out.solver.gap = gap;
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

// The objective in full, with intercept, weights, mask and alpha, from the raw volumes; and nothing nearby is lower.
TEST(RemursMethod, ObjectiveIsTheOneOfTheManual) {
  Study study = small_study();
  study.mask = every_third_out(study);
  for (std::size_t m = 0; m < study.samples(); ++m) study.weights.push_back(0.5 + 0.25 * static_cast<double>(m % 4));
  const Design<double> x = design_of<double>(study.volumes);
  const auto value = [&](const Tensor& w, double b, double alpha) {
    double out = objective(study, w, b, alpha, 0, 0.7);
    for (int n = 1; n <= 3; ++n) out += 2.0 / 3 * oracle::nuclear(w, n);
    return out;
  };
  for (const double alpha : {1.0, 3.0, 0.0}) {
    const auto models =
        fit_all<double>(*make_remurs<double>(), {linalg::cpu_backend(), x, study.mask, Normalize::none, true, alpha},
                        {{study.y, study.weights, {2, 0.7}}}, to_gap(1e-9));
    const FitReport& r = models[0]->report;
    const LinearModel& model = models[0]->model().map();
    EXPECT_EQ(r.alpha, alpha > 0 ? alpha : 1) << "Remurs has no weight of its own";
    EXPECT_EQ(r.status, Status::converged);
    EXPECT_FALSE(r.trace.empty());
    EXPECT_NEAR(r.objective, value(model.coef, model.intercept, r.alpha), 1e-11 * r.objective);
    Rng rng(5);
    for (int trial = 0; trial < 50; ++trial) {
      Tensor w = model.coef;
      const double size = std::pow(10, -4 * rng.uniform());
      for (std::size_t v = 0; v < w.flat().size(); ++v)
        if (study.inside(v)) w.flat()[v] += size * rng.normal();
      EXPECT_GE(value(w, model.intercept + size * rng.normal(), r.alpha), r.objective * (1 - 2e-9));
    }
  }
}

// Fewer samples than voxels and more, with and without intercept, weights (some 0) and mask: proved to 1e-8, and the
// objective is that of the raw volumes.
TEST(RemursMethod, FiftyProblemsAreProved) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Shape shape = seed % 2 ? Shape{5, 4, 3} : Shape{3, 2, 4};
    Study study = random_study(shape, seed % 4 < 2 ? 14 : 70, seed);
    if (seed % 3 == 0) study.mask = every_third_out(study);
    if (seed % 5 < 3)
      for (std::size_t m = 0; m < study.samples(); ++m) study.weights.push_back(0.5 * static_cast<double>(m % 5));
    const Design<double> x = design_of<double>(study.volumes);
    const auto method = make_remurs<double>();
    const FitData<double> data{linalg::cpu_backend(), x, study.mask, Normalize::none, seed % 7 < 4};
    std::vector<FitTask> tasks;
    for (const double strength : {0.5, 0.03})
      tasks.push_back({study.y, study.weights,
                       method->relative_setting(data, {study.y, study.weights, {}}, strength, 0.2 + 0.3 * (seed % 3))});
    for (const auto& model : fit_all<double>(*method, data, tasks, to_gap(1e-8))) {
      const FitReport& r = model->report;
      const LinearModel& m = model->model().map();
      EXPECT_EQ(r.status, Status::converged);
      EXPECT_LE(r.relative_gap, 1e-8);
      double value = objective(study, m.coef, m.intercept, 1, 0, r.gamma);
      for (int n = 1; n <= 3; ++n) value += r.tau / 3 * oracle::nuclear(m.coef, n);
      EXPECT_NEAR(r.objective, value, 1e-11 * value);
      EXPECT_LE(r.dual, r.objective);
    }
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
