// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/cli/cv_files.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sturm/cli/fit_files.h"
#include "sturm/cli/space.h"
#include "sturm/core/files.h"
#include "sturm/core/npy.h"
#include "sturm/imaging/nifti.h"

namespace sturm::cli {
namespace {

/// The space of the size that an outcome chose; none for arrays.
const std::optional<Space>& space_of(double resize, const std::vector<double>& factors,
                                     const std::vector<std::optional<Space>>& spaces) {
  return spaces[std::ranges::find(factors, resize) - factors.begin()];
}

std::string write_map(const std::filesystem::path& folder, const std::string& name, const Tensor& map,
                      const std::optional<Space>& space, const char* description) {
  std::string file = name + (space ? ".nii.gz" : ".npy");
  if (space)
    write_volume(folder / file, space->grid, cast<float>(map).flat(), {.description = description});
  else
    write_npy(folder / file, map);
  return file;
}

/// The share of the outer folds that select a voxel, on the grid of the volumes: folds may have chosen different sizes.
Tensor stability_map(const std::vector<Stability>& parts, const CvFacts& facts, int folds,
                     const std::vector<std::optional<Space>>& spaces) {
  Tensor out(space_of(parts.front().resize, facts.resize, spaces)
                 ? space_of(parts.front().resize, facts.resize, spaces)->grid.shape
                 : parts.front().shape);
  for (const Stability& part : parts) {
    const std::optional<Space>& space = space_of(part.resize, facts.resize, spaces);
    const Shape& fine = out.shape();
    for (Index k = 0; k < fine.n3; ++k)
      for (Index j = 0; j < fine.n2; ++j)
        for (Index i = 0; i < fine.n1; ++i) {
          // The coarse voxel that holds the middle of the fine one.
          const Index a = (2 * i + 1) * part.shape.n1 / (2 * fine.n1), b = (2 * j + 1) * part.shape.n2 / (2 * fine.n2),
                      c = (2 * k + 1) * part.shape.n3 / (2 * fine.n3);
          if (space && !space->mask.empty() && !space->mask[i + fine.n1 * (j + fine.n2 * k)]) continue;
          out(i, j, k) +=
              static_cast<double>(part.often[a + part.shape.n1 * (b + part.shape.n2 * c)]) / static_cast<double>(folds);
        }
  }
  return out;
}

}  // namespace

std::vector<std::string> cv_file_names(const std::vector<std::string>& methods) {
  std::vector<std::string> out = {"results.json", "folds.tsv",  "predictions.tsv", "grid.tsv",
                                  "table.md",     "groups.tsv", "null.tsv"};
  for (const std::string& method : methods)
    for (const char* what : {"map_", "stability_", "trace_"})
      for (const char* end : {".nii.gz", ".npy", ".tsv"}) out.push_back(what + method + end);
  return out;
}

std::vector<std::string> write_cv(const std::filesystem::path& folder, const ResultFiles& tables, const CvFacts& facts,
                                  const CvPlan& plan, const CvOutcomes& outcomes,
                                  const std::vector<std::optional<Space>>& spaces) {
  std::vector<std::string> names;
  for (const auto& [name, text] : tables) {
    write_file(folder / name, text);
    names.push_back(name);
  }
  for (const std::string& method : plan.methods) {
    const FoldOutcome& all = outcome_of(plan, outcomes, method, -1);
    if (!all.trace.empty()) {
      write_file(folder / ("trace_" + method + ".tsv"), trace_table(all.trace));
      names.push_back("trace_" + method + ".tsv");
    }
    if (all.coef.empty()) continue;
    const std::optional<Space>& space = space_of(all.resize, facts.resize, spaces);
    Tensor coef(all.shape);
    std::ranges::copy(all.coef, coef.data());
    names.push_back(
        write_map(folder, "map_" + method, space ? coef_on_grid(coef, *space) : coef, space, "sturm coefficients"));
    const std::vector<Stability> parts = stability_of(method, plan, outcomes);
    if (!parts.empty())
      names.push_back(write_map(folder, "stability_" + method, stability_map(parts, facts, plan.outer.count(), spaces),
                                space, "share of folds that select a voxel"));
  }
  return names;
}

bool holds_results_of(const std::filesystem::path& folder, const StudySettings& settings) {
  std::ifstream in(folder / "results.json");
  if (!in) return false;
  const nlohmann::json results = nlohmann::json::parse(in, nullptr, false);
  if (results.is_discarded() || !results.contains("settings") || !results["settings"].is_object()) return false;
  StudySettings there;
  for (const auto& [key, value] : results["settings"].items())
    if (value.is_string()) there[key] = value.get<std::string>();
  return digest(there) == digest(settings);
}

}  // namespace sturm::cli
