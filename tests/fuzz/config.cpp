// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "memory_file.h"
#include "sturm/cli/config_file.h"
#include "sturm/core/error.h"
#include "targets.h"

namespace sturm::fuzz {

void config(std::string_view bytes) {
  const MemoryFile file(bytes);
  const auto lines = 1 + std::ranges::count(bytes, '\n');
  try {
    std::set<std::pair<std::string, std::string>> seen;
    for (const cli::ConfigKey& key : cli::read_config(file.path().string())) {
      require(key.line >= 1 && key.line <= lines);
      require(seen.emplace(key.section, key.name).second);
      require(!key.is_switch || key.value == "true" || key.value == "false");
    }
  } catch (const Error&) {
  }
}

}  // namespace sturm::fuzz
