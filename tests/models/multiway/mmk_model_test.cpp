// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/multiway/mmk_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "message.h"
#include "models/classes.h"
#include "sturm/models/multiway/prepared_volumes.h"

namespace sturm {
namespace {

/// A volume that is one term, and its support vectors made by the recipe itself.
MmkModel example(const Design<double>& x) {
  MmkModel model;
  model.recipe.region = x.region();
  model.recipe.cp.rank = 2;
  model.support = model.recipe.features(x);
  model.coef = {0.5, -1, 2};
  model.sigma = 1.5;
  model.intercept = 0.25;
  return model;
}

// sum_k coef_k k(X_k, X) by the definition of the kernel, from the vectors that the recipe gives.
TEST(MmkModel, IsTheFormula) {
  const auto data = test::two_classes({4, 3, 5}, 3, 1, 1), other = test::two_classes({4, 3, 5}, 4, 1, 2);
  const MmkModel model = example(data.design);
  const std::vector<double> values = decision_values(model, other.design);
  const std::vector<CpFeatures> features = model.recipe.features(other.design);
  for (std::size_t m = 0; m < 4; ++m) {
    double expected = 0.25;
    for (std::size_t k = 0; k < 3; ++k)
      for (Index i = 0; i < 2; ++i)
        for (Index j = 0; j < 2; ++j) {
          double square = 0;
          for (std::size_t l = 0; l < 12; ++l)
            square += std::pow(model.support[k].term(i)[l] - features[m].term(j)[l], 2);
          expected += model.coef[k] * std::exp(-square / (2 * 1.5 * 1.5));
        }
    EXPECT_NEAR(values[m], expected, 1e-12);
  }
  EXPECT_SAYS(decision_values(model, test::two_classes({3, 4, 5}, 2, 1, 3).design), "4x3x5", "3x4x5");
}

// The recipe brings voxels on their scale first: of volumes on that scale already, the vectors are the same.
TEST(MmkModel, TheRecipeHasTheScaleOfTheVoxels) {
  const auto data = test::two_classes({4, 3, 5}, 2, 1, 4);
  CpRecipe recipe;
  recipe.region = data.design.region();
  recipe.cp.rank = 1;
  recipe.scale = {std::vector<double>(60, 5.0), std::vector<double>(60, 0.5)};
  AlignedVector<double> by_hand;
  for (const double v : data.design.x()) by_hand.push_back((v - 5) * 0.5);
  CpRecipe plain = recipe;
  plain.scale = {};
  const auto scaled = recipe.features(data.design),
             expected = plain.features(Design<double>::owning(Shape{4, 3, 5}, 2, by_hand));
  for (std::size_t m = 0; m < 2; ++m) EXPECT_EQ(scaled[m].terms, expected[m].terms);
}

}  // namespace
}  // namespace sturm
