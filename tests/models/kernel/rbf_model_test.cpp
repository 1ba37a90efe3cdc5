// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/kernel/rbf_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "models/classes.h"

namespace sturm {
namespace {

/// Three of six volumes, in no order, on some voxels with scales of their own.
RbfModel<double> example(const Design<double>& volumes) {
  return {volumes, {4, 1, 2}, {0.5, -2, 1.5}, 3, 0.25, {{0, 3, 7, 20}, {1, 0.5, 2, 1}, Normalize::voxel}};
}

TEST(RbfModel, IsTheFormula) {
  const auto data = test::two_classes({4, 3, 2}, 6, 1, 1), other = test::two_classes({4, 3, 2}, 5, 1, 2);
  const RbfModel<double> model = example(data.design);
  const std::vector<double> values = decision_values(model, other.design);
  for (Index i = 0; i < 5; ++i) {
    double expected = 0.25;
    for (std::size_t k = 0; k < 3; ++k) {
      double square = 0;
      for (std::size_t v = 0; v < 4; ++v)
        square += std::pow(model.space.scale[v] * (other.design.column(model.space.voxels[v])[i] -
                                                   data.design.column(model.space.voxels[v])[model.rows[k]]),
                           2);
      expected += model.coef[k] * std::exp(-square / 18);
    }
    EXPECT_NEAR(values[i], expected, 1e-12) << "distances are known to some roundings of their squares";
  }
}

// The volumes are floats: nothing is lost on the way to single precision, and the support vectors come in their order.
TEST(RbfModel, KeepsItsSupportVectorsAlone) {
  const auto data = test::two_classes({4, 3, 2}, 6, 1, 1);
  const RbfModel<double> model = example(data.design);
  const RbfModel<float> alone = support_alone<float>(model);
  EXPECT_EQ(alone.volumes.samples(), 3);
  EXPECT_EQ(alone.rows, (std::vector<Index>{0, 1, 2}));
  for (Index v = 0; v < 24; ++v)
    for (Index k = 0; k < 3; ++k)
      EXPECT_EQ(static_cast<double>(alone.volumes.column(v)[k]), data.design.column(v)[model.rows[k]]);
  EXPECT_LE(test::largest_difference(decision_values(alone, test::converted<float>(data.design)),
                                     decision_values(model, data.design)),
            1e-12);
}

TEST(RbfModel, WithoutSupportVectorsIsItsIntercept) {
  const auto data = test::two_classes({4, 3, 2}, 6, 1, 1);
  RbfModel<double> model = example(data.design);
  model.rows.clear();
  model.coef.clear();
  EXPECT_EQ(decision_values(model, data.design), std::vector<double>(6, 0.25));
  EXPECT_EQ(decision_values(support_alone<double>(model), data.design), std::vector<double>(6, 0.25));
}

}  // namespace
}  // namespace sturm
