// SPDX-License-Identifier: BSD-3-Clause
// The overlapped nuclear norm by its definition on the whole box, for tensors that are 0 outside a region.
#include "oracle/overlapped.h"

#include <gtest/gtest.h>

#include "penalty/regions.h"
#include "sturm/core/rng.h"
#include "sturm/penalty/penalty.h"

namespace sturm {
namespace {

TEST(Overlapped, NormsAreThoseOfTheDefinition) {
  for (const Shape& shape : test::shapes)
    for (const Region& region : test::regions(shape)) {
      const Tensor values = random_normal(region.column_shape(), 3);
      const Tensor a = region.spread<double>(values.flat());
      const PenaltyPointer penalty = overlapped_nuclear_norm(region);
      ASSERT_EQ(penalty->terms(), 3);
      for (int n = 1; n <= 3; ++n) {
        const double nuclear = oracle::nuclear(a, n) / 3, spectral = 3 * oracle::unfolded_values(a, n).front();
        const Tensor unfolding = penalty->placed<double>(n - 1, values.flat());
        EXPECT_NEAR(penalty->value(n - 1, unfolding, Proof::exact), nuclear, 1e-13 * nuclear);
        EXPECT_NEAR(penalty->dual_norm(n - 1, unfolding, Proof::exact), spectral, 1e-13 * spectral);
      }
    }
}

TEST(Overlapped, CopiesInTheBoxHaveTheSameDualNorms) {
  for (const Shape& shape : test::shapes)
    for (const Region& region : test::regions(shape)) {
      const PenaltyPointer penalty = overlapped_nuclear_norm(region);
      for (int k = 0; k < 3; ++k) {
        const Tensor copy = random_normal(penalty->layout(k).shape, 4 + k), box = penalty->in_box(k, copy);
        const double spectral = 3 * oracle::unfolded_values(box, k + 1).front();
        EXPECT_NEAR(penalty->dual_norm(k, copy, Proof::exact), spectral, 1e-13 * spectral);
        const Tensor inside = penalty->gathered(k, copy);
        const std::vector<double> columns(inside.flat().begin(), inside.flat().end());
        EXPECT_EQ(region.gather<double>(box.flat()), columns);
      }
    }
}

// Three matrices with the one singular value 1, a third of each.
TEST(Overlapped, OfOneVoxelIsOne) {
  for (const Shape& shape : test::shapes) EXPECT_EQ(overlapped_nuclear_norm(shape)->one_voxel(), 1);
}

}  // namespace
}  // namespace sturm
