// SPDX-License-Identifier: BSD-3-Clause
// Reference numbers and data that lie outside the source tree: in ../shared, or where STURM_SHARED points.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>

namespace sturm::test {

std::filesystem::path shared_data(const std::filesystem::path& relative = {});

}  // namespace sturm::test

/// First line of a test that reads shared_data(relative): skips it, with the reason, where that is not there.
#define STURM_NEEDS_SHARED(relative)                                  \
  if (!std::filesystem::exists(::sturm::test::shared_data(relative))) \
  GTEST_SKIP() << "no " << ::sturm::test::shared_data(relative) << "; set STURM_SHARED to the folder that has it"
