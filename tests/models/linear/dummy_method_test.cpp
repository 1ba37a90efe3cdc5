// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/linear/dummy_method.h"

#include <gtest/gtest.h>

#include "models/linear/to_gap.h"

namespace sturm {
namespace {

using test::fit_to_gap;

TEST(Dummy, IsTheWeightedMean) {
  const test::Study study = test::random_study({2, 2, 2}, 4, 7);
  const auto x = test::design_of<double>(study.volumes);
  const double nan = std::nan("");
  const auto fits = fit_to_gap<double>(*make_dummy<double>(), {linalg::cpu_backend(), x, {}},
                                       {{{1, -1, -1, nan}, {1, 1, 1, 0}, {}}, {{1, 2, 3, 4}, {}, {}}});
  EXPECT_DOUBLE_EQ(fits[0]->decision_values()[3], -1.0 / 3);
  EXPECT_DOUBLE_EQ(fits[1]->decision_values(x)[0], 2.5);
  EXPECT_EQ(fits[0]->report.samples, 3);
  EXPECT_DOUBLE_EQ(fits[1]->report.objective, 2.5);
  EXPECT_EQ(fits[1]->model().map().coef, Tensor(x.shape()));
}

// It is the same whatever is asked of intercept and normalisation, and its objective is what is left of the labels.
TEST(Dummy, NeedsNoVolumes) {
  const test::Study study = test::random_study({2, 2, 2}, 5, 8);
  std::vector<Tensor> holes = study.volumes;
  holes[1](0, 0, 0) = std::nan("");
  const auto x = test::design_of<double>(holes);
  for (const bool intercept : {true, false}) {
    const auto fits = fit_to_gap<double>(
        *make_dummy<double>(), {linalg::cpu_backend(), x, {}, Normalize::sample, intercept, 2}, {{study.y, {}, {}}});
    double mean = 0, left = 0;
    for (const double y : study.y) mean += y / 5;
    for (const double y : study.y) left += (y - mean) * (y - mean);
    for (const double v : fits[0]->decision_values()) EXPECT_NEAR(v, mean, 1e-14 * std::abs(mean));
    EXPECT_NEAR(fits[0]->report.objective, left, 1e-13 * left) << "alpha / 2 = 1 times the squares";
    EXPECT_EQ(fits[0]->model().map().normalize, Normalize::none);
  }
}

}  // namespace
}  // namespace sturm
