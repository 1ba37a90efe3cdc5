// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/linear/ridge_method.h"

#include <gtest/gtest.h>

#include "models/linear/to_gap.h"

namespace sturm {
namespace {

using test::fit_to_gap;

/// The objective from the raw volumes, without the l1 part.
double smooth_part(const test::Study& study, const LinearModel& m, double alpha, double l2) {
  return test::objective(study, m.coef, m.intercept, alpha, 0, 0) + l2 / 2 * dot(m.coef, m.coef);
}

// The gradient of the ridge objective, taken from the raw volumes, is zero in w and in the intercept.
TEST(Ridge, IsStationary) {
  test::Study study = test::random_study({5, 4, 3}, 20, 5);
  study.weights.assign(20, 1.0);
  study.weights[0] = 0;
  study.weights[7] = 3;
  const auto x = test::design_of<double>(study.volumes);
  const FitData<double> data{linalg::cpu_backend(), x, {}, Normalize::none, true, 2};
  for (const double l2 : {1e-3, 1.0, 1e3}) {
    const auto fits = fit_to_gap<double>(*make_ridge<double>(), data, {{study.y, study.weights, {l2}}}, 1e-9);
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

TEST(Ridge, WithoutPenaltyInterpolates) {
  const test::Study study = test::random_study({5, 4, 3}, 20, 6);
  const auto x = test::design_of<double>(study.volumes);
  const auto fits = fit_to_gap<double>(*make_ridge<double>(), {linalg::cpu_backend(), x, {}}, {{study.y, {}, {0}}});
  const auto values = fits[0]->decision_values();
  for (std::size_t m = 0; m < 20; ++m) EXPECT_NEAR(values[m], study.y[m], 1e-9);
}

}  // namespace
}  // namespace sturm
