// SPDX-License-Identifier: BSD-3-Clause
#include "shared_data.h"

#include <cstdlib>

namespace sturm::test {

std::filesystem::path shared_data(const std::filesystem::path& relative) {
  const char* elsewhere = std::getenv("STURM_SHARED");
  return std::filesystem::path(elsewhere ? elsewhere : STURM_SHARED_DIR) / relative;
}

}  // namespace sturm::test
