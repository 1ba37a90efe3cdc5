// SPDX-License-Identifier: BSD-3-Clause
// The file of --config, read with toml++ where it was there when the program was built.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sturm::cli {

/// A key of the file with its value as one would type it behind a flag: a list becomes words with commas.
struct ConfigKey {
  std::string section, name, value;
  bool is_switch = false;  ///< true or false
  std::int64_t line = 0;
};

/// Throws where the file cannot be read or is not TOML, and where a value is none that a flag can take.
std::vector<ConfigKey> read_config(const std::string& file);

}  // namespace sturm::cli
