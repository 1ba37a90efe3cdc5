// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/describe_methods.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "sturm/core/sentence.h"
#include "sturm/models/registry.h"

namespace sturm {

using nlohmann::ordered_json;

ordered_json describe_methods() {
  ordered_json out = ordered_json::array();
  for (const auto& method : methods<double>()) {
    ordered_json parameters = ordered_json::array();
    for (const Parameter& p : method->parameters())
      parameters.push_back({{"name", p.name}, {"meaning", p.meaning}, {"usual", p.usual}});  // NaN is written as null
    out.push_back({{"name", method->name()},
                   {"title", method->title()},
                   {"parameters", parameters},
                   {"reference", method->reference()}});
  }
  return out;
}

std::string table_of_methods(const ordered_json& methods) {
  std::size_t width[3] = {4, 5, 10};
  std::vector<std::vector<std::string>> rows = {{"name", "title", "parameters", "reference"}};
  for (const ordered_json& method : methods) {
    std::string parameters;
    for (const ordered_json& p : method["parameters"])
      parameters += (parameters.empty() ? "" : " ") + option_name(p["name"].get<std::string>());
    rows.push_back({method["name"], method["title"], parameters, method["reference"]});
  }
  for (const auto& row : rows)
    for (std::size_t c = 0; c < 3; ++c) width[c] = std::max(width[c], row[c].size());
  std::string out;
  for (const auto& row : rows)
    out += fmt::format("{:<{}}  {:<{}}  {:<{}}  {}\n", row[0], width[0], row[1], width[1], row[2], width[2], row[3]);
  return out;
}

}  // namespace sturm
