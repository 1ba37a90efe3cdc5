// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/model.h"

#include <gtest/gtest.h>

#include "message.h"
#include "models/classes.h"
#include "sturm/models/registry.h"

namespace sturm {
namespace {

using test::largest_difference;
using test::two_classes;
using test::TwoClasses;

class EveryKind : public testing::TestWithParam<const char*> {
 protected:
  template <class Real>
  std::unique_ptr<FittedModel<Real>> fitted(const Design<Real>& x) const {
    const Method<Real>& method = find_method<Real>(GetParam());
    FitTask task{data_.y, test::uneven_weights(12), std::vector<double>(method.parameters().size(), 1.0)};
    return test::fit_one(method, FitData<Real>{linalg::cpu_backend(), x}, task);
  }
  TwoClasses data_ = two_classes({4, 3, 2}, 12, 1, 1);
  Design<float> narrow_ = test::converted<float>(data_.design);
};
INSTANTIATE_TEST_SUITE_P(Kinds, EveryKind, testing::Values("ridge", "svm-rbf", "dusk"));

TEST_P(EveryKind, TellsWhatItIs) {
  const auto fit = fitted<double>(data_.design);
  const Model<double>& model = fit->model();
  EXPECT_EQ(model.shape(), (Shape{4, 3, 2}));
  EXPECT_EQ(model.has_map(), model.support() == 0);
  EXPECT_EQ(model.has_map(), GetParam() == std::string("ridge"));
  EXPECT_LE(model.support(), 12);
  // Without its intercept every decision value is less by it.
  EXPECT_EQ(model.intercept(), fit->report.intercept);
  if (!model.has_map()) {
    EXPECT_THROW(model.map(), std::bad_variant_access);
  }
}

// Volumes that are floats, by a model of floats and by the same in double: the same numbers, but for the rounding of
// sums in double.
TEST_P(EveryKind, StandsAloneAndSpeaksToBothPrecisions) {
  const auto fit = fitted<float>(narrow_);
  const Model<double> alone = standing_alone(fit->model());
  EXPECT_EQ(alone.support(), fit->model().support());
  const std::vector<double> expected = fit->decision_values(narrow_);
  EXPECT_LE(largest_difference(decision_values(alone, narrow_), expected), 1e-11);
  EXPECT_LE(largest_difference(decision_values(alone, data_.design), expected), 1e-11);
  EXPECT_LE(largest_difference(decision_values(fit->model(), data_.design), expected), 1e-11);
}

TEST_P(EveryKind, RefusesOtherVolumes) {
  const auto other = Design<double>::owning(Shape{3, 4, 2}, 1, AlignedVector<double>(24));
  EXPECT_SAYS(fitted<double>(data_.design)->decision_values(other), "4x3x2", "3x4x2");
}

}  // namespace
}  // namespace sturm
