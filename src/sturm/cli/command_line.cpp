// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/cli/command_line.h"

#include <algorithm>
#include <vector>

#include "sturm/report/words.h"

namespace sturm::cli {

std::string command_line(const CLI::App& app) {
  const std::vector<std::string> left_out = {"--config",   "--threads", "--device",  "--memory",    "--progress",
                                             "--log-json", "--output",  "--force",   "--verbose",   "--quiet",
                                             "--work",     "--shard",   "--dry-run", "--no-report", "--cache",
                                             "--json",     "--strict",  "--help"};
  std::string out = "sturm " + app.get_name();
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    if (option->empty() || std::ranges::find(left_out, name) != left_out.end()) continue;
    out += " " + name;
    if (option->get_expected_min() == 0) continue;  // a flag
    for (const std::string& value : option->results()) out += " " + shell_word(value);
  }
  return out;
}

}  // namespace sturm::cli
