// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/result_folder.h"

#include <cmath>
#include <fstream>
#include <limits>

#include "sturm/core/error.h"

namespace sturm {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

ordered_json read_json(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error(file.string() + ": cannot be opened; check its permissions.");
  ordered_json value = ordered_json::parse(in, nullptr, false);
  if (!value.is_object()) throw Error(file.string() + ": is not a JSON object as sturm writes it; make it again.");
  return value;
}

void require_methods(const ordered_json& facts, const fs::path& file) {
  if (!facts.contains("methods") || !facts["methods"].is_object())
    throw Error(file.string() + ": has no object 'methods', so it is none of sturm cv; make it again.");
  for (const auto& [name, method] : facts["methods"].items())
    if (!method.is_object() || name.find_first_of("/\\") != std::string::npos)
      throw Error(file.string() + ": methods." + name + " is none of sturm cv; make it again.");
}

}  // namespace

ordered_json number_or_null(double value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(); }

ordered_json field(const ordered_json& value, const std::string& key) {
  return value.is_object() && value.contains(key) ? value.at(key) : ordered_json();
}

double number_of(const ordered_json& value, const std::string& key) {
  const ordered_json found = field(value, key);
  return found.is_number() ? found.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

std::string text_of(const ordered_json& value, const std::string& key) {
  const ordered_json found = field(value, key);
  return found.is_string() ? found.get<std::string>() : std::string();
}

std::optional<Table> ResultFolder::table(const std::string& name) const {
  if (!fs::exists(path / name)) return {};
  return Table::read(path / name);
}

std::string ResultFolder::setting(const std::string& name) const { return text_of(field(facts, "settings"), name); }

ResultFolder read_results(const fs::path& folder) {
  ResultFolder out{folder, true, {}, ordered_json::object(), {}};
  if (fs::exists(folder / "results.json")) {
    out.facts = read_json(folder / "results.json");
    require_methods(out.facts, folder / "results.json");
    for (const char* name : {"folds.tsv", "predictions.tsv", "grid.tsv"})
      if (!fs::exists(folder / name)) out.missing.push_back(std::string(name) + " is not in the folder.");
  } else if (fs::exists(folder / "fit.json")) {
    out.cross_validation = false;
    out.facts = read_json(folder / "fit.json");
  } else {
    throw Error(folder.string() +
                ": holds neither results.json of sturm cv nor fit.json of sturm fit; name the folder " +
                "that one of them wrote.");
  }
  if (fs::exists(folder / "data.json"))
    out.data = read_json(folder / "data.json");
  else
    out.missing.emplace_back("data.json is not in the folder: the samples and the command are not described.");
  return out;
}

std::vector<std::string> class_names(const ordered_json& facts) {
  std::vector<std::string> out;
  const ordered_json labels = field(facts, "labels");
  if (!labels.is_array() || labels.size() < 2) return out;
  for (const ordered_json& label : labels) out.push_back(label.get<std::string>());
  return out;
}

std::vector<Index> class_counts(const ordered_json& value, std::size_t classes) {
  const ordered_json counts = field(value, "class_samples");
  if (!counts.is_array() || counts.size() != classes) return {};
  return counts.get<std::vector<Index>>();
}

ordered_json target_json(const ordered_json& facts) {
  const std::vector<std::string> classes = class_names(facts);
  const bool two = classes.size() == 2;
  return {{"column", text_of(facts, "target")},
          {"classes", classes.empty() ? ordered_json() : ordered_json(classes)},
          {"positive", two ? ordered_json(classes[1]) : ordered_json()},
          {"negative", two ? ordered_json(classes[0]) : ordered_json()}};
}

std::vector<std::string> several_classes(const ordered_json& target) {
  const ordered_json classes = field(target, "classes");
  if (!classes.is_array() || classes.size() < 3) return {};
  return classes.get<std::vector<std::string>>();
}

std::vector<Index> rows_where(const Table& table, const std::string& column, const std::string& value) {
  std::vector<Index> out;
  const Index c = table.column(column);
  for (Index row = 0; row < table.rows(); ++row)
    if (table.cell(row, c) == value) out.push_back(row);
  return out;
}

}  // namespace sturm
