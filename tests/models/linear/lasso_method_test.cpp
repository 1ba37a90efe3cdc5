// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/linear/lasso_method.h"

#include <gtest/gtest.h>

#include "models/linear/to_gap.h"
#include "sturm/models/linear/ridge_method.h"

namespace sturm {
namespace {

using test::fit_to_gap;

// Lasso is Sturm with tau = 0, whatever is done to the volumes first: same coefficients, as far as convexity carries.
TEST(Lasso, LassoIsSturmWithoutTnn) {
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
            fit_to_gap<double>(*make_lasso<double>(), data, {{study.y, study.weights, {options.gamma}}}, 1e-11);
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

TEST(Lasso, EnetWithoutL2IsLassoAndWithoutL1IsRidge) {
  const test::Study study = test::random_study({5, 4, 3}, 20, 4);
  const auto x = test::design_of<double>(study.volumes);
  const FitData<double> data{linalg::cpu_backend(), x, {}};
  const auto lasso = fit_to_gap<double>(*make_lasso<double>(), data, {{study.y, {}, {2}}});
  const auto ridge = fit_to_gap<double>(*make_ridge<double>(), data, {{study.y, {}, {3}}});
  const auto enet = fit_to_gap<double>(*make_enet<double>(), data, {{study.y, {}, {2, 0}}, {study.y, {}, {0, 3}}});
  EXPECT_EQ(enet[0]->model().map().coef, lasso[0]->model().map().coef);
  EXPECT_LE(ridge[0]->report.relative_gap, 1e-12);
  // l2 = 3 is the convexity: |W - W*|^2 <= 2 gap F / 3.
  const double apart = test::apart(1e-10, ridge[0]->report.objective, 3);
  EXPECT_LE(frobenius_norm(enet[1]->model().map().coef - ridge[0]->model().map().coef), apart);
}

}  // namespace
}  // namespace sturm
