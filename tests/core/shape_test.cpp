// SPDX-License-Identifier: BSD-3-Clause
// Shapes, and the tensors that have them.
#include "sturm/core/shape.h"

#include <gtest/gtest.h>

#include "sturm/core/error.h"
#include "sturm/core/tensor.h"

namespace sturm {
namespace {

TEST(Shape, RefusesEmptyAndOverflowing) {
  EXPECT_THROW((Shape{0, 3, 3}.check()), Error);
  EXPECT_THROW((Shape{3, -1, 3}.check()), Error);
  EXPECT_THROW((Shape{Index{1} << 31, Index{1} << 31, 2}.check()), Error);
  EXPECT_THROW((Shape{Index{1} << 30, Index{1} << 30, 1}.check()), Error) << "2^60 doubles overflow in bytes";
  EXPECT_THROW(Tensor(Shape{2, 0, 1}), Error);
  EXPECT_EQ((Shape{91, 109, 91}.check().size()), 902629);
}

TEST(Tensor, FirstIndexIsFastest) {
  Tensor a({2, 3, 4});
  a(1, 2, 3) = 5;
  EXPECT_EQ(a.flat()[1 + 2 * (2 + 3 * 3)], 5);
  EXPECT_EQ(a.slice(3)[5], 5);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.data()) % 64, 0U);
  const BasicTensorView<const double> view = a.view();
  EXPECT_EQ(view(1, 2, 3), 5);
  EXPECT_EQ(Tensor(view), a);
}

}  // namespace
}  // namespace sturm
