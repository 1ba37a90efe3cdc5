// SPDX-License-Identifier: BSD-3-Clause
// The tubal nuclear norm by its definition on the whole box, for tensors that are 0 outside a region.
#include <gtest/gtest.h>

#include "oracle/proof.h"
#include "penalty/regions.h"
#include "sturm/core/rng.h"
#include "sturm/penalty/penalty.h"

namespace sturm {
namespace {

TEST(Tubal, NormsAreThoseOfTheDefinition) {
  for (const Shape& shape : test::shapes)
    for (const Region& region : test::regions(shape)) {
      const Tensor values = random_normal(region.column_shape(), 3);
      const Tensor a = region.spread<double>(values.flat());
      const PenaltyPointer penalty = tubal_nuclear_norm(region);
      ASSERT_EQ(penalty->terms(), 1);
      EXPECT_NEAR(penalty->value(values, Proof::exact), oracle::tnn(a), 1e-13 * oracle::tnn(a));
      const Tensor copy = penalty->placed<double>(0, values.flat());
      EXPECT_NEAR(penalty->dual_norm(0, copy, Proof::exact), oracle::spectral(a), 1e-13 * oracle::spectral(a));
    }
}

// A copy with numbers where the region has none: all of it comes along, and no other voxel of the box has any.
TEST(Tubal, CopiesInTheBoxHaveTheSameDualNorm) {
  for (const Shape& shape : test::shapes)
    for (const Region& region : test::regions(shape)) {
      const PenaltyPointer penalty = tubal_nuclear_norm(region);
      const Tensor copy = random_normal(penalty->layout(0).shape, 4), box = penalty->in_box(0, copy);
      const double spectral = oracle::spectral(box);
      EXPECT_NEAR(penalty->dual_norm(0, copy, Proof::exact), spectral, 1e-13 * spectral);
      const Tensor inside = penalty->gathered(0, copy);
      const std::vector<double> columns(inside.flat().begin(), inside.flat().end());
      EXPECT_EQ(region.gather<double>(box.flat()), columns);
    }
}

// The DFT of a tube that has one 1 is of size 1 everywhere: n3 slices of rank 1 and norm 1, over n3.
TEST(Tubal, OfOneVoxelIsOne) {
  for (const Shape& shape : test::shapes) EXPECT_EQ(tubal_nuclear_norm(shape)->one_voxel(), 1);
}

}  // namespace
}  // namespace sturm
