// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/cli/method_flags.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sturm/models/registry.h"

namespace sturm::cli {
namespace {

using nlohmann::ordered_json;

std::string flags_of(const Method<double>& method) {
  std::string out;
  for (const Parameter& p : method.parameters()) out += (out.empty() ? "--" : ", --") + p.name;
  return out.empty() ? "none" : out;
}

bool has(const Method<double>& method, const std::string& parameter) {
  return std::ranges::any_of(method.parameters(), [&](const Parameter& p) { return p.name == parameter; });
}

}  // namespace

std::string method_names() {
  std::string out;
  for (const auto& method : methods<double>()) out += (out.empty() ? "" : ", ") + method->name();
  return out;
}

void add_method_flags(CLI::App& app, const std::string& group) {
  for (const auto& method : methods<double>())
    for (const Parameter& p : method->parameters()) {
      if (app.get_option_no_throw("--" + p.name)) continue;
      std::string users;
      for (const auto& other : methods<double>())
        if (has(*other, p.name)) users += (users.empty() ? "" : ", ") + other->name();
      CLI::Option* const option = app.add_option_function<double>(
                                         "--" + p.name, [](double) {}, users + ": " + p.meaning)
                                      ->group(group);
      if (!std::isnan(p.usual)) option->default_str(fmt::format("{}", p.usual));
    }
}

void refuse_others(const CLI::App& app, const Method<double>& method) {
  for (const auto& other : methods<double>())
    for (const Parameter& p : other->parameters())
      if (!has(method, p.name) && !app.get_option("--" + p.name)->empty())
        throw UsageError(
            fmt::format("--{} is not a parameter of {}, which has: {}.", p.name, method.name(), flags_of(method)));
}

std::vector<double> setting_from_flags(const CLI::App& app, const Method<double>& method) {
  refuse_others(app, method);
  std::vector<double> out;
  for (const Parameter& p : method.parameters()) {
    const CLI::Option* const option = app.get_option("--" + p.name);
    if (option->empty() && std::isnan(p.usual))
      throw UsageError(fmt::format("--{} is missing: {} needs it ({}).", p.name, method.name(), p.meaning));
    out.push_back(option->empty() ? p.usual : option->as<double>());
    if (!std::isfinite(out.back())) throw UsageError(fmt::format("--{} must be a finite number.", p.name));
  }
  return out;
}

ordered_json describe_methods() {
  ordered_json out = ordered_json::array();
  for (const auto& method : methods<double>()) {
    ordered_json parameters = ordered_json::array();
    for (const Parameter& p : method->parameters())
      parameters.push_back({{"name", p.name}, {"meaning", p.meaning}, {"usual", p.usual}});  // NaN is written as null
    out.push_back({{"name", method->name()},
                   {"title", method->title()},
                   {"parameters", parameters},
                   {"regression", method->regression()},
                   {"reference", method->reference()}});
  }
  return out;
}

void print_methods(const ordered_json& methods) {
  std::size_t width[3] = {4, 5, 10};
  std::vector<std::vector<std::string>> rows = {{"name", "title", "parameters", "reference"}};
  for (const ordered_json& method : methods) {
    std::string parameters;
    for (const ordered_json& p : method["parameters"])
      parameters += (parameters.empty() ? "--" : " --") + p["name"].get<std::string>();
    rows.push_back({method["name"], method["title"], parameters, method["reference"]});
  }
  for (const auto& row : rows)
    for (std::size_t c = 0; c < 3; ++c) width[c] = std::max(width[c], row[c].size());
  for (const auto& row : rows)
    fmt::print("{:<{}}  {:<{}}  {:<{}}  {}\n", row[0], width[0], row[1], width[1], row[2], width[2], row[3]);
}

}  // namespace sturm::cli
