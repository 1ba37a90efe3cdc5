// SPDX-License-Identifier: BSD-3-Clause
// The study of sturm cv as web/src/study.ts describes it. Numbers are those of results.json and the tables.
#include <algorithm>
#include <cmath>

#include "sturm/core/build_info.h"
#include "sturm/report/grid_blocks.h"
#include "sturm/report/report.h"
#include "sturm/report/words.h"

namespace sturm {
namespace {

using nlohmann::ordered_json;

ordered_json cell_number(const Table& table, Index row, Index column) {
  return number_or_null(parse_number(table.cell(row, column)));
}

ordered_json setting_json(const std::string& text) {
  ordered_json out = ordered_json::object();
  for (const auto& [name, value] : parse_setting(text)) out[name] = number_or_null(value);
  return out;
}

/// Mean, deviation and pooled value of every score, and its values fold by fold.
ordered_json scores_json(const ordered_json& method, const std::optional<Table>& folds,
                         const std::vector<Index>& rows) {
  ordered_json out = ordered_json::object();
  for (const char* name : {"accuracy", "balanced_accuracy", "auc", "sensitivity", "specificity", "r2", "correlation",
                           "mean_absolute_error"}) {
    if (!method.contains(name)) continue;
    ordered_json values = ordered_json::array();
    if (folds && folds->has(name))
      for (const Index row : rows) values.push_back(cell_number(*folds, row, folds->column(name)));
    out[name] = {{"mean", field(method, name)},
                 {"sd", field(method, std::string(name) + "_sd")},
                 {"pooled", field(method, "pooled_" + std::string(name))},
                 {"folds", values}};
  }
  return out;
}

ordered_json final_json(const ordered_json& all) {
  if (!all.is_object()) return {};
  const std::vector<std::string> facts = {"resize",     "inner_score", "objective", "relative_gap",
                                          "iterations", "status",      "sparsity",  "sparsity_in_mask",
                                          "tubal_rank", "shape",       "classes"};
  ordered_json setting = ordered_json::object();
  for (const auto& [name, value] : all.items())
    if (std::ranges::find(facts, name) == facts.end()) setting[name] = value;
  return {{"resize", field(all, "resize")},         {"setting", setting},
          {"status", text_of(all, "status")},       {"relative_gap", field(all, "relative_gap")},
          {"iterations", field(all, "iterations")}, {"classes", class_fits_json(all)}};
}

ordered_json chosen_json(const Table& folds, const std::vector<Index>& rows) {
  ordered_json out = ordered_json::array();
  const Index fold = folds.column("fold"), resize = folds.column("resize"), setting = folds.column("setting"),
              score = folds.column("inner_score"), status = folds.column("status");
  for (const Index row : rows)
    out.push_back({{"fold", folds.cell(row, fold)},
                   {"resize", cell_number(folds, row, resize)},
                   {"setting", setting_json(folds.cell(row, setting))},
                   {"inner_score", cell_number(folds, row, score)},
                   {"status", folds.cell(row, status)}});
  return out;
}

/// Of two classes the four counts; of several a row each actual and a column each predicted class; null otherwise.
ordered_json confusion_json(const ordered_json& c, std::size_t classes) {
  if (!c.is_object()) return {};
  if (classes == 2)
    return {{"tp", field(c, "true_positive")},
            {"fp", field(c, "false_positive")},
            {"tn", field(c, "true_negative")},
            {"fn", field(c, "false_negative")}};
  const ordered_json matrix = field(c, "matrix");
  if (!matrix.is_array() || matrix.size() != classes) return {};
  for (const ordered_json& row : matrix)
    if (!row.is_array() || row.size() != classes || !std::ranges::all_of(row, &ordered_json::is_number)) return {};
  return {{"matrix", matrix}};
}

struct Tables {
  std::optional<Table> folds, grid, null;
};

ordered_json method_json(const ResultFolder& folder, const Tables& tables, const std::string& name,
                         const std::string& score) {
  const ordered_json& m = folder.facts["methods"][name];
  const std::vector<Index> rows = tables.folds ? rows_where(*tables.folds, "method", name) : std::vector<Index>{};
  ordered_json null = ordered_json::array();
  if (tables.null)
    for (const Index row : rows_where(*tables.null, "method", name))
      if (const auto value = cell_number(*tables.null, row, tables.null->column("score")); !value.is_null())
        null.push_back(value);
  const ordered_json all = field(m, "all_samples");
  const auto count = [&](const char* key) {
    const double value = number_of(m, key);
    return std::isnan(value) ? Index{0} : static_cast<Index>(value);
  };
  return {
      {"name", name},
      {"title", text_of(m, "title")},
      {"scores", scores_json(m, tables.folds, rows)},
      {"interval", score == "accuracy" ? field(m, "pooled_accuracy_interval") : ordered_json()},
      {"p", {{"permutation", field(m, "permutation_p")}, {"binomial", field(m, "binomial_p")}}},
      {"null_scores", null},
      {"sparsity",
       {{"mean", field(m, "sparsity")}, {"sd", field(m, "sparsity_sd")}, {"in_mask", field(m, "sparsity_in_mask")}}},
      {"confusion", confusion_json(field(m, "confusion"), class_names(folder.facts).size())},
      {"tubal_rank", field(all, "tubal_rank")},
      {"fits",
       {{"inner", count("inner_fits")},
        {"unconverged", count("inner_fits_unconverged")},
        {"worst_gap", field(m, "inner_worst_gap")}}},
      {"chosen", tables.folds ? chosen_json(*tables.folds, rows) : ordered_json::array()},
      {"final", final_json(all)},
      {"grid", tables.grid ? grid_blocks(*tables.grid, name) : ordered_json::array()},
      {"trace", ordered_json::array()},
      {"clusters", ordered_json::array()},
      {"cluster_rule", ""}};
}

ordered_json predictions_json(const std::optional<Table>& table) {
  ordered_json out = ordered_json::array();
  if (!table) return out;
  const auto column = [&](const char* name) { return table->column(name); };
  const Index method = column("method"), participant = column("participant_id"), path = column("path"),
              fold = column("fold"), actual = column("actual"), decision = column("decision"),
              predicted = column("predicted");
  for (Index row = 0; row < table->rows(); ++row)
    out.push_back({{"method", table->cell(row, method)},
                   {"participant", table->cell(row, participant)},
                   {"path", table->cell(row, path)},
                   {"fold", table->cell(row, fold)},
                   {"actual", table->cell(row, actual)},
                   {"predicted", table->cell(row, predicted)},
                   {"decision", cell_number(*table, row, decision)}});
  return out;
}

/// groups.tsv or sites.tsv: method, `key`, n and a score in the last column. Groups of one sample each are the
/// predictions, and are not told twice.
ordered_json by_group(const std::optional<Table>& table, const char* key) {
  ordered_json out = ordered_json::array();
  if (!table) return out;
  const Index method = table->column("method"), group = table->column(key), n = table->column("n");
  const auto score = static_cast<Index>(table->columns().size()) - 1;
  bool single = true;
  for (Index row = 0; row < table->rows(); ++row) single = single && table->cell(row, n) == "1";
  if (single) return out;
  for (Index row = 0; row < table->rows(); ++row)
    out.push_back({{"method", table->cell(row, method)},
                   {key, table->cell(row, group)},
                   {"n", cell_number(*table, row, n)},
                   {"score", cell_number(*table, row, score)}});
  return out;
}

ordered_json provenance_json(const ResultFolder& folder) {
  ordered_json out = ordered_json::array();
  const auto add = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) out.push_back({{"name", name}, {"value", value}});
  };
  add("results written by sturm", text_of(folder.facts, "version"));
  add("report written by sturm", std::string(build_info().version) + " (" + build_info().revision + ")");
  const ordered_json settings = field(folder.facts, "settings");
  if (settings.is_object())
    for (const auto& [name, value] : settings.items())
      if (value.is_string()) add(name.starts_with("the ") ? name.substr(4) : name, value.get<std::string>());
  return out;
}

}  // namespace

ordered_json trace_json(const Table& trace) {
  constexpr Index most = 1000;
  ordered_json out = ordered_json::array();
  const Index iteration = trace.column("iteration"), objective = trace.column("objective"), gap = trace.column("gap"),
              change = trace.column("change");
  const Index step = std::max<Index>(1, (trace.rows() + most - 1) / most);
  for (Index row = 0; row < trace.rows(); ++row) {
    if (row % step != 0 && row + 1 < trace.rows()) continue;
    const ordered_json at = cell_number(trace, row, iteration);
    out.push_back({{"iteration", at},
                   {"objective", cell_number(trace, row, objective)},
                   {"gap", cell_number(trace, row, gap)},
                   {"change", cell_number(trace, row, change)}});
  }
  return out;
}

ordered_json cv_study_json(const ResultFolder& folder) {
  const ordered_json& f = folder.facts;
  const Tables tables{folder.table("folds.tsv"), folder.table("grid.tsv"), folder.table("null.tsv")};
  const ordered_json groups = field(f, "groups");
  const std::vector<Index> counts = class_counts(f, class_names(f).size());
  std::string score = text_of(f, "score");
  std::ranges::replace(score, '-', '_');
  const double permutations = number_of(f, "permutations");
  ordered_json out = {
      {"kind", "cv"},
      {"target", target_json(f)},
      {"counts",
       {{"samples", std::isnan(number_of(f, "samples")) ? Index{0} : static_cast<Index>(number_of(f, "samples"))},
        {"positive", field(f, "positive_samples")},
        {"classes", counts.empty() ? ordered_json() : ordered_json(counts)},
        {"groups", field(groups, "count")},
        {"group_column", text_of(groups, "column")},
        {"folds", field(f, "outer_folds")}}},
      {"score", score},
      {"chance", field(f, "chance")},
      {"majority", field(f, "majority")},
      {"permutations", std::isnan(permutations) ? Index{0} : static_cast<Index>(permutations)},
      {"methods", ordered_json::array()}};
  std::vector<std::string> names;
  for (const auto& [name, method] : f["methods"].items()) {
    out["methods"].push_back(method_json(folder, tables, name, score));
    names.push_back(name);
  }
  out["predictions"] = predictions_json(folder.table("predictions.tsv"));
  out["groups"] = by_group(folder.table("groups.tsv"), "group");
  out["sites"] = by_group(folder.table("sites.tsv"), "site");
  out["verdict"] = cv_verdict(out);
  out["best"] = field(best_method(out), "name");
  out["warnings"] = cv_warnings(folder, out);
  out["text"] = {{"methods", cv_methods_text(folder)},
                 {"references", references_of(names, true, permutations > 0)},
                 {"command", text_of(folder.data, "command")}};
  out["provenance"] = provenance_json(folder);
  return out;
}

}  // namespace sturm
