// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/cli/method_flags.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sturm/core/table.h"
#include "sturm/models/registry.h"

namespace sturm::cli {
namespace {

std::string flags_of(const Method<double>& method) {
  std::string out;
  for (const Parameter& p : method.parameters()) out += (out.empty() ? "--" : ", --") + p.name;
  return out.empty() ? "none" : out;
}

bool has(const Method<double>& method, const std::string& parameter) {
  return std::ranges::any_of(method.parameters(), [&](const Parameter& p) { return p.name == parameter; });
}

/// What a parameter means to the methods that have it: "mmk, dusk: ...; surf: ...". All that go on from voxels of
/// another are X+svm.
std::string meanings(const std::string& parameter) {
  std::vector<std::pair<std::string, std::string>> known;  // meaning, users
  for (const auto& method : methods<double>())
    for (const Parameter& p : method->parameters()) {
      if (p.name != parameter) continue;
      const std::string name = method->selects_with().empty() ? method->name() : "X+svm";
      const auto at = std::ranges::find(known, p.meaning, &std::pair<std::string, std::string>::first);
      if (at == known.end())
        known.emplace_back(p.meaning, name);
      else if (!at->second.ends_with(name))
        at->second += ", " + name;
    }
  std::string out;
  for (const auto& [meaning, users] : known) out += fmt::format("{}{}: {}", out.empty() ? "" : "; ", users, meaning);
  return out;
}

}  // namespace

void allow_automatic_alpha(CLI::App& app) {
  const auto number_of = [](const std::string& word) -> std::string {
    if (word == "auto") return "0";
    if (!(parse_number(word) > 0)) throw UsageError("--alpha is auto or a number above 0, not " + word + ".");
    return word;
  };
  app.get_option("--alpha")->transform(number_of)->type_name("auto|NUMBER");
}

void check_solver(const SolverOptions& options) {
  const auto require = [](bool holds, const char* sentence) {
    if (!holds) throw UsageError(sentence);
  };
  require(options.gap > 0 && options.gap < 1, "--gap is a number between 0 and 1, such as 1e-3.");
  require(options.iterations >= 0, "--iterations is a number from 1, or 0 for the solver's own.");
  require(options.rho > 0 && std::isfinite(options.rho), "--rho is a number above 0.");
  require(options.relaxation >= 1 && options.relaxation < 2, "--relaxation is a number from 1 to below 2.");
}

std::string method_names() {
  std::string out;
  for (const auto& method : methods<double>()) out += (out.empty() ? "" : ", ") + method->name();
  return out;
}

void add_method_flags(CLI::App& app, const std::string& group) {
  for (const auto& method : methods<double>())
    for (const Parameter& p : method->parameters()) {
      if (app.get_option_no_throw("--" + p.name)) continue;
      CLI::Option* const option = app.add_option_function<double>(
                                         "--" + p.name, [](double) {}, meanings(p.name))
                                      ->group(group);
      if (!std::isnan(p.usual)) option->default_str(fmt::format("{}", p.usual));
    }
}

void refuse_setting(const CLI::App& app, const char* flag) {
  std::vector<std::string> names = {"--strength", "--balance"};
  for (const auto& method : methods<double>())
    for (const Parameter& p : method->parameters()) names.push_back("--" + p.name);
  for (const std::string& name : names)
    if (!app.get_option(name)->empty())
      throw UsageError(fmt::format("{} is what {} finds: leave one of them out.", name, flag));
}

std::vector<double> setting_from_flags(const CLI::App& app, const Method<double>& method, bool relative) {
  for (const auto& other : methods<double>())
    for (const Parameter& p : other->parameters())
      if (!has(method, p.name) && !app.get_option("--" + p.name)->empty())
        throw UsageError(
            fmt::format("--{} is not a parameter of {}, which has: {}.", p.name, method.name(), flags_of(method)));
  const std::vector<Parameter> parameters = method.parameters();
  std::string pair;  // the parameters that --strength stands for
  std::string given;
  for (const Parameter& p : parameters) {
    if (!p.relative) continue;
    pair += (pair.empty() ? "--" : " and --") + p.name;
    if (!app.get_option("--" + p.name)->empty()) given = "--" + p.name;
  }
  if (relative && pair.empty())
    throw UsageError(
        fmt::format("--strength and --balance are not for {}, which has: {}.", method.name(), flags_of(method)));
  if (relative && !given.empty())
    throw UsageError(
        fmt::format("{} is absolute, --strength and --balance are relative: use one or the other.", given));
  std::vector<double> out;
  for (const Parameter& p : parameters) {
    const CLI::Option* const option = app.get_option("--" + p.name);
    if (p.relative && given.empty()) {
      out.push_back(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    if (option->empty() && p.relative)
      throw UsageError(
          fmt::format("--{} is missing: {} go together; give both, where 0 switches a penalty off, or use "
                      "--strength and --balance.",
                      p.name, pair));
    if (option->empty() && std::isnan(p.usual))
      throw UsageError(fmt::format("--{} is missing: {} needs it ({}).", p.name, method.name(), p.meaning));
    out.push_back(option->empty() ? p.usual : option->as<double>());
    if (!std::isfinite(out.back())) throw UsageError(fmt::format("--{} must be a finite number.", p.name));
  }
  return out;
}

}  // namespace sturm::cli
