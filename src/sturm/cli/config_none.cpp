// SPDX-License-Identifier: BSD-3-Clause
// Where toml++ was not found: the program does without --config, and says so.
#include "sturm/cli/config_file.h"
#include "sturm/core/error.h"

namespace sturm::cli {

std::vector<ConfigKey> read_config(const std::string& file) {
  throw Error(
      {file},
      "cannot be read, since this copy of sturm was built without toml++: give the flags on the command line, or "
      "install the Debian package libtomlplusplus-dev and build sturm again.");
}

}  // namespace sturm::cli
