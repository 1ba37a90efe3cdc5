// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/preparation.h"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "message.h"
#include "models/classes.h"
#include "sturm/models/training_statistics.h"

namespace sturm {
namespace {

const Shape shape{4, 3, 5};

TEST(Preparation, NamesTheFirstSampleThatIsNotFinite) {
  AlignedVector<double> x(3 * 4, 1.0);
  x[1 + 3 * 2] = std::numeric_limits<double>::quiet_NaN();
  x[1 + 3 * 3] = std::numeric_limits<double>::infinity();
  x[2 + 3 * 3] = x[1 + 3 * 2];
  const auto design = Design<double>::owning(Shape{2, 2, 1}, 3, std::move(x));
  EXPECT_SAYS(require_finite(design), "sample 2 has 2 voxels", "`mask`");
  EXPECT_SAYS(prepared(design, Normalize::none), "sample 2 has 2 voxels");
  const std::vector<Index> sound = {0, 1}, bad = {0, 3};
  EXPECT_NO_THROW(require_finite(design, sound));
  EXPECT_SAYS(require_finite(design, bad), "sample 2 has 1 voxels");
}

TEST(Preparation, OnlyBySampleCopies) {
  const auto data = test::two_classes(shape, 7, 1, 1);
  for (const Normalize normalize : {Normalize::none, Normalize::voxel})
    EXPECT_EQ(prepared(data.design, normalize).x().data(), data.design.x().data());
  const Design<double> x = prepared(data.design, Normalize::sample);
  for (Index i = 0; i < 7; ++i) {
    double sum = 0, square = 0;
    for (Index v = 0; v < x.voxels(); ++v) {
      sum += x.column(v)[i];
      square += x.column(v)[i] * x.column(v)[i];
    }
    EXPECT_NEAR(sum, 0, 1e-14) << "rounding of 60 terms of a vector of length 1";
    EXPECT_NEAR(square, 1, 1e-14);
  }
}

// Of volumes in single precision near 1000 the mean volume of the samples that count goes; volumes around 5, and any in
// double, are used as they are.
TEST(Preparation, TakesAwayWhatFloatsHaveInCommon) {
  const auto data = test::two_classes(shape, 8, 1, 2);
  const std::vector<double> weights = {1, 2, 0, 1, 1, 1, 1, 1};
  AlignedVector<double> far(data.design.x().begin(), data.design.x().end());
  for (double& v : far) v += 1000;
  const auto wide = Design<double>::owning(shape, 8, far);
  EXPECT_EQ(subtract_common_part(wide, weights).x().data(), wide.x().data());
  const Design<float> near = test::converted<float>(data.design), narrow = test::converted<float>(wide);
  EXPECT_EQ(subtract_common_part(near, weights).x().data(), near.x().data());
  const Design<float> rest = subtract_common_part(narrow, weights);
  for (Index v = 0; v < rest.voxels(); ++v) {
    double mean = 0;
    for (Index i = 0; i < 8; ++i) {
      mean += weights[i] * static_cast<double>(rest.column(v)[i]) / 8;
      // Every sample loses the same number: differences are what they were, to the rounding of the floats.
      const double difference = static_cast<double>(narrow.column(v)[i]) - static_cast<double>(narrow.column(v)[0]);
      EXPECT_NEAR(static_cast<double>(rest.column(v)[i]) - static_cast<double>(rest.column(v)[0]), difference, 1e-6);
    }
    EXPECT_NEAR(mean, 0, 1e-6);
  }
}

}  // namespace
}  // namespace sturm
