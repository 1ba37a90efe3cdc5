// SPDX-License-Identifier: BSD-3-Clause
// The study of sturm fit as web/src/study.ts describes it: one method, without scores.
#include <cmath>

#include "sturm/core/build_info.h"
#include "sturm/report/report.h"
#include "sturm/report/words.h"

namespace sturm {

using nlohmann::ordered_json;

ordered_json class_fits_json(const ordered_json& fit) {
  const ordered_json classes = field(fit, "classes");
  if (!classes.is_array()) return {};
  ordered_json out = ordered_json::array();
  for (const ordered_json& one : classes) {
    ordered_json entry = {{"class", text_of(one, "class")}, {"status", text_of(one, "status")}};
    for (const char* key :
         {"objective", "dual", "relative_gap", "iterations", "sparsity", "sparsity_in_mask", "tubal_rank", "intercept"})
      entry[key] = number_or_null(number_of(one, key));
    out.push_back(entry);
  }
  return out;
}

ordered_json fit_study_json(const ResultFolder& folder) {
  const ordered_json& f = folder.facts;
  const std::vector<Index> counts = class_counts(folder.data, class_names(f).size());
  const std::string name = text_of(f, "method");
  const double samples = number_of(f, "n_samples");
  const ordered_json parameters = field(f, "parameters");
  ordered_json method = {
      {"name", name},
      {"title", method_title(name)},
      {"scores", ordered_json::object()},
      {"interval", nullptr},
      {"p", {{"permutation", nullptr}, {"binomial", nullptr}}},
      {"null_scores", ordered_json::array()},
      {"sparsity", {{"mean", field(f, "sparsity")}, {"sd", nullptr}, {"in_mask", field(f, "sparsity_in_mask")}}},
      {"confusion", nullptr},
      {"tubal_rank", field(f, "tubal_rank")},
      {"fits", {{"inner", 0}, {"unconverged", 0}, {"worst_gap", nullptr}}},
      {"chosen", ordered_json::array()},
      {"final",
       {{"resize", field(f, "resize")},
        {"setting", parameters.is_object() ? parameters : ordered_json::object()},
        {"status", text_of(f, "status")},
        {"relative_gap", field(f, "relative_gap")},
        {"iterations", field(f, "iterations")},
        {"classes", class_fits_json(f)}}},
      {"grid", ordered_json::array()},
      {"trace", ordered_json::array()},
      {"clusters", ordered_json::array()},
      {"cluster_rule", ""}};
  ordered_json provenance = ordered_json::array();
  const auto add = [&](const char* what, const std::string& value) {
    if (!value.empty()) provenance.push_back({{"name", what}, {"value", value}});
  };
  add("results written by sturm", text_of(f, "version"));
  add("report written by sturm", std::string(build_info().version) + " (" + build_info().revision + ")");
  for (const char* key : {"solver", "precision", "normalize"}) add(key, text_of(f, key));
  for (const char* key : {"alpha", "objective", "dual", "intercept", "shape"})
    if (const ordered_json value = field(f, key); !value.is_null()) add(key, value.dump());
  for (const ordered_json& hash : field(folder.data, "hashes"))
    add(text_of(hash, "name").c_str(), text_of(hash, "value"));
  return {{"kind", "fit"},
          {"target", target_json(f)},
          {"counts",
           {{"samples", std::isnan(samples) ? Index{0} : static_cast<Index>(samples)},
            {"positive", field(folder.data, "positive")},
            {"classes", counts.empty() ? ordered_json() : ordered_json(counts)},
            {"groups", nullptr},
            {"group_column", ""},
            {"folds", nullptr}}},
          {"score", ""},
          {"chance", nullptr},
          {"majority", nullptr},
          {"permutations", 0},
          {"methods", ordered_json::array({method})},
          {"predictions", ordered_json::array()},
          {"groups", ordered_json::array()},
          {"sites", ordered_json::array()},
          {"verdict", fit_verdict(folder)},
          {"best", nullptr},
          {"warnings", fit_warnings(folder)},
          {"text",
           {{"methods", fit_methods_text(folder)},
            {"references", references_of({name}, false, false)},
            {"command", text_of(folder.data, "command")}}},
          {"provenance", provenance}};
}

}  // namespace sturm
