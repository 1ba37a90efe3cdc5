// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/fitted_model.h"

#include <gtest/gtest.h>

#include <atomic>

#include "models/classes.h"
#include "sturm/core/parallel.h"

namespace sturm {
namespace {

Tensor tensor(const Shape& shape, std::span<const double> values) {
  Tensor out(shape);
  std::ranges::copy(values, out.flat().begin());
  return out;
}

// Maps are asked for once in hundreds of fits, and then perhaps by several threads at once.
TEST(FittedModel, MakesItsModelOnceAndOnlyWhenAsked) {
  std::atomic<int> made = 0;
  const FittedModel<double> fitted({1, 2}, {3, 4}, [&](std::span<const double> columns) {
    ++made;
    return Model<double>(LinearModel{tensor({2, 1, 1}, columns), 0.5});
  });
  EXPECT_EQ(fitted.decision_values(), (std::vector<double>{1, 2}));
  EXPECT_EQ(fitted.columns()[1], 4);
  EXPECT_EQ(made, 0);
  const UseThreads team(3);
  parallel_for(8, [&](Index, int) { EXPECT_EQ(fitted.model().intercept(), 0.5); });
  EXPECT_EQ(made, 1);
  const auto x = Design<double>::owning(Shape{2, 1, 1}, 1, AlignedVector<double>{10, 100});
  EXPECT_EQ(fitted.decision_values(x), std::vector<double>{430.5});
}

TEST(FittedModel, AMapLiesInItsBoxAndCountsItsZeros) {
  const std::vector<std::uint8_t> mask = {1, 0, 1, 1};
  const auto fitted = fitted_map<float>(Region(Shape{2, 2, 1}, mask), {5, 0, 6}, -1, Normalize::sample, {7});
  const LinearModel& map = fitted->model().map();
  EXPECT_EQ(map.coef, tensor({2, 2, 1}, std::vector<double>{5, 0, 0, 6}));
  EXPECT_EQ(map.mask, mask);
  EXPECT_EQ(map.normalize, Normalize::sample);
  EXPECT_EQ(fitted->report.intercept, -1);
  EXPECT_EQ(fitted->report.sparsity, 0.5);
  EXPECT_DOUBLE_EQ(fitted->report.sparsity_in_mask, 1.0 / 3);
}

}  // namespace
}  // namespace sturm
