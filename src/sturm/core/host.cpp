// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/host.h"

#include <unistd.h>

#include <array>

namespace sturm {

std::string host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

}  // namespace sturm
