// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/host.h"

#include <gtest/gtest.h>
#include <sys/utsname.h>

namespace sturm {
namespace {

TEST(Host, HasTheNameThatTheSystemGivesIt) {
  utsname system{};
  ASSERT_EQ(::uname(&system), 0);
  EXPECT_EQ(host_name(), system.nodename);
  EXPECT_FALSE(host_name().empty());
}

}  // namespace
}  // namespace sturm
