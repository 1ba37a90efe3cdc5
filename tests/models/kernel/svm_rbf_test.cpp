// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/kernel/svm_rbf.h"

#include <gtest/gtest.h>

#include "models/kernel/seen.h"
#include "sturm/models/kernel/svm.h"

namespace sturm {
namespace {

using test::fit_one;
using test::largest_difference;
using test::seen;
using test::two_classes;
using test::TwoClasses;
using test::uneven_weights;

const Shape shape{4, 3, 5};

class RbfCases : public testing::TestWithParam<test::Normalisation> {};
INSTANTIATE_TEST_SUITE_P(Normalisations, RbfCases, testing::ValuesIn(test::every_case));

// f = b + sum beta exp(-|z - z_i|^2 / (2 sigma^2)) with sigma from the median distance of the training samples.
TEST_P(RbfCases, TheGaussianKernelIsTheFormula) {
  const TwoClasses data = two_classes(shape, 40, 0.6, 5);
  const FitTask task{data.y, uneven_weights(40), {2.0, 0.7}};
  const auto model =
      fit_one(*make_svm_rbf<double>(), {linalg::cpu_backend(), data.design, {}, GetParam().normalize}, task);
  const auto z = seen(data, GetParam().normalize, {}, task.weights);
  const auto distance = [&](Index i, Index j) {
    double out = 0;
    for (std::size_t v = 0; v < z[i].size(); ++v) out += (z[i][v] - z[j][v]) * (z[i][v] - z[j][v]);
    return std::sqrt(out);
  };
  // A pair counts as often as the weights of both say: these are whole numbers of quarters.
  std::vector<double> pairs, kernel(1600);
  for (Index i = 0; i < 40; ++i)
    for (Index j = 0; j < i; ++j) {
      const double times = 16 * task.weights[i] * task.weights[j];
      ASSERT_EQ(times, std::round(times));
      for (double n = 0; n < times; ++n) pairs.push_back(distance(i, j));
    }
  std::ranges::sort(pairs);
  const double sigma = 0.7 * pairs[pairs.size() / 2];
  EXPECT_NEAR(std::get<RbfModel<double>>(model->model().kind()).sigma, sigma, 1e-11 * sigma);
  for (Index i = 0; i < 40; ++i)
    for (Index j = 0; j < 40; ++j) kernel[i + j * 40] = std::exp(-std::pow(distance(i, j) / sigma, 2) / 2);
  const SvmKernel plain(kernel, 40);
  const SvmSolution reference = solve_svm(plain, data.y, upper_bounds(task.weights, 2));
  EXPECT_LE(largest_difference(model->decision_values(), decision_values(plain, reference)), 1e-5);
  EXPECT_LE(largest_difference(model->decision_values(), model->decision_values(data.design)), 1e-11);
  EXPECT_FALSE(model->model().has_map());
}
// Samples that are all alike have no median distance, and one value.
TEST(SvmRbf, AlikeSamplesHaveOneValue) {
  const auto x = Design<double>::owning(Shape{2, 2, 2}, 6, AlignedVector<double>(48, 3.0));
  const auto model = fit_one(*make_svm_rbf<double>(), {linalg::cpu_backend(), x}, {{1, -1, 1, -1, 1, -1}, {}, {1, 1}});
  for (const double v : model->decision_values()) EXPECT_EQ(v, model->decision_values().front());
  EXPECT_TRUE(std::isfinite(model->decision_values().front()));
}

}  // namespace
}  // namespace sturm
