// SPDX-License-Identifier: BSD-3-Clause
#include "models/classes.h"
#include "models/study.h"
#include "oracle/overlapped.h"
#include "sturm/models/linear/penalised_method.h"

namespace sturm {
namespace {

using namespace test;

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

}  // namespace
}  // namespace sturm
