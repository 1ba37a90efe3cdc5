// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/linear/linear_model.h"

#include <gtest/gtest.h>

#include <limits>

#include "message.h"
#include "models/study.h"

namespace sturm {
namespace {

std::vector<Tensor> volumes() {
  std::vector<Tensor> out;
  for (std::uint64_t m = 0; m < 4; ++m)
    out.push_back(random_normal({4, 3, 2}, 1, m) + 5.0 * random_normal({4, 3, 2}, 2));
  return out;
}

TEST(LinearModel, IsInterceptPlusProduct) {
  const LinearModel model{random_normal({4, 3, 2}, 3), -2};
  const std::vector<double> values = decision_values(model, test::design_of<double>(volumes()));
  for (std::size_t m = 0; m < 4; ++m)
    EXPECT_NEAR(values[m], test::predicted(volumes()[m], model.coef, -2), 1e-12) << "rounding of 24 terms";
  EXPECT_SAYS(decision_values(model, test::random_design<double>({3, 4, 2}, 2, 1)), "4x3x2", "3x4x2");
}

// `sample` takes mean and length over the mask, and what lies outside is not looked at, whatever it is.
TEST(LinearModel, NormalisesEachVolumeInsideTheMask) {
  LinearModel model{random_normal({4, 3, 2}, 3), 1, Normalize::sample, std::vector<std::uint8_t>(24, 1)};
  for (const std::size_t v : {0, 7, 20}) model.mask[v] = 0;
  for (const std::size_t v : {0, 7, 20}) model.coef.flat()[v] = 0;
  std::vector<Tensor> given = volumes();
  std::vector<double> expected;
  for (const Tensor& volume : given) {
    double mean = 0, square = 0, product = 0;
    for (std::size_t v = 0; v < 24; ++v)
      if (model.mask[v]) mean += volume.flat()[v] / 21;
    for (std::size_t v = 0; v < 24; ++v)
      if (model.mask[v]) {
        square += std::pow(volume.flat()[v] - mean, 2);
        product += model.coef.flat()[v] * (volume.flat()[v] - mean);
      }
    expected.push_back(1 + product / std::sqrt(square));
  }
  for (Tensor& volume : given) volume.flat()[7] = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> values = decision_values(model, test::design_of<double>(given));
  for (std::size_t m = 0; m < 4; ++m) EXPECT_NEAR(values[m], expected[m], 1e-12);
}

}  // namespace
}  // namespace sturm
