// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/linear/linear_settings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "message.h"

namespace sturm {
namespace {

TEST(LinearSettings, TheWeightOfTheLossIsGivenOrThePapers) {
  EXPECT_EQ(loss_weight(2.5, {4, 3, 2}), 2.5);
  EXPECT_DOUBLE_EQ(loss_weight(0, {4, 3, 2}), std::sqrt(8.0));
  EXPECT_DOUBLE_EQ(loss_weight(0, {3, 5, 7}), std::sqrt(35.0));
  for (const double bad : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_SAYS(loss_weight(bad, {4, 3, 2}), "`alpha`");
}

TEST(LinearSettings, ThePapersValuesAreOnesAndFives) {
  const std::vector<double> values = paper_values();
  ASSERT_EQ(values.size(), 13U);
  EXPECT_DOUBLE_EQ(values.front(), 1e-3);
  EXPECT_DOUBLE_EQ(values.back(), 1e3);
  for (std::size_t i = 1; i < values.size(); ++i) EXPECT_NEAR(values[i] / values[i - 1], i % 2 ? 5 : 2, 1e-12);
}

}  // namespace
}  // namespace sturm
