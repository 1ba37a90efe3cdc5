// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/terminal/words.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>

#include "sturm/core/sentence.h"
#include "sturm/core/text.h"

namespace sturm::cli {

std::string with_flags(std::string_view sentence) {
  return with_options(sentence, [](std::string_view name, std::string_view value) {
    std::string flag = "--" + std::string(name);
    return value.empty() ? flag : flag + " " + std::string(value);
  });
}

std::string in_flags(std::string_view sentence) { return printable(with_flags(sentence)); }

nlohmann::ordered_json json_in_flags(nlohmann::ordered_json value) {
  if (value.is_string()) return with_flags(value.get_ref<const std::string&>());
  if (value.is_structured())
    for (auto& item : value) item = json_in_flags(std::move(item));
  return value;
}

void print_data(std::string_view table) {
  std::string out(table);
  if (::isatty(STDOUT_FILENO)) {
    out.clear();
    while (!table.empty()) {
      const auto end = std::min(table.find_first_of("\t\n"), table.size() - 1);
      const std::string_view cell = table.substr(0, end + 1);
      const bool ends = cell.ends_with('\t') || cell.ends_with('\n');
      out += printable(cell.substr(0, cell.size() - ends)) + std::string(cell.substr(cell.size() - ends));
      table.remove_prefix(cell.size());
    }
  }
  fmt::print("{}", out);
}

}  // namespace sturm::cli
