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

// The DFT of a tube that has one 1 is of size 1 everywhere: n3 slices of rank 1 and norm 1, over n3.
TEST(Tubal, OfOneVoxelIsOne) {
  for (const Shape& shape : test::shapes) EXPECT_EQ(tubal_nuclear_norm(shape)->one_voxel(), 1);
}

}  // namespace
}  // namespace sturm
