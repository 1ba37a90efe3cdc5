// SPDX-License-Identifier: BSD-3-Clause
// Where there is no CUDA device, a reason is given.
#include <gtest/gtest.h>

#include "backends.h"

namespace sturm::linalg {
namespace {

TEST(Cuda, IsOnTheListOfBackendsOrHasAReasonNotToBe) {
  bool listed = false;
  for (const Backend* backend : test::backends()) listed |= backend->name() == "cuda";
  EXPECT_EQ(listed, cuda_unavailable().empty()) << cuda_unavailable();
}

}  // namespace
}  // namespace sturm::linalg
