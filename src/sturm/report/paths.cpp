// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/paths.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace sturm {
namespace {

/// Below a share of 1e-4 all settings are neighbours.
int neighbourhood(double sparsity) {
  return static_cast<int>(std::floor(-5 * std::log10(std::clamp(1 - sparsity, 1e-4, 1.0))));
}

/// Whether a row of grid.tsv has a setting of results.json: both were written from the same numbers.
bool is_setting(const GridRow& row, const ChosenSetting& setting) {
  return row.resize == setting.resize &&
         std::ranges::equal(row.setting.values, setting.parameters,
                            [](const auto& a, const auto& b) { return a.second == b.second; });
}

}  // namespace

std::vector<StudyPathPoint> path_of(const std::vector<GridRow>& grid, const std::string& method,
                                    const MethodResults& results) {
  std::vector<StudyPathPoint> out;
  if (!results.readable) return out;
  for (const GridRow& row : grid)
    if (row.method == method && row.fold == "all")
      out.push_back({row.resize, row.setting, row.score, row.sparsity_in_mask, false, row.chosen,
                     is_setting(row, results.readable->setting)});
  std::map<int, StudyPathPoint*> best;
  for (StudyPathPoint& point : out) {
    if (std::isnan(point.score) || std::isnan(point.sparsity_in_mask)) continue;
    StudyPathPoint*& now = best[neighbourhood(point.sparsity_in_mask)];
    if (now == nullptr || point.score > now->score) now = &point;
  }
  for (const auto& [where, point] : best) point->front = true;
  return out;
}

}  // namespace sturm
