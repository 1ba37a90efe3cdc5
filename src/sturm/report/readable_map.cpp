// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/readable_map.h"

#include <algorithm>
#include <tuple>

#include "sturm/models/registry.h"

namespace sturm {
namespace {

constexpr double worse_at = 0.05;

/// Whether a method is shown to be worse than another on the same samples.
bool is_worse(const Study& study, const std::string& name, const std::string& than) {
  return std::ranges::any_of(study.comparisons, [&](const Comparison& pair) {
    if (!(pair.p_adjusted <= worse_at)) return false;
    return (pair.first == than && pair.second == name && pair.difference > 0) ||
           (pair.first == name && pair.second == than && pair.difference < 0);
  });
}

/// The map of a method: of several classes that of the first.
const ReportVolume* map_of(const std::vector<ReportVolume>& volumes, const std::string& method) {
  const auto found = std::ranges::find_if(
      volumes, [&](const ReportVolume& volume) { return volume.kind == VolumeKind::map && volume.method == method; });
  return found == volumes.end() ? nullptr : &*found;
}

std::string why_it(const Study& study, const ReadableMap& map, std::size_t candidates) {
  const std::string best = study.best ? *study.best : "";
  if (study.methods.size() < 2) return {};
  if (map.shown.dense)
    return best == map.volume->method
               ? "No method that may be as good as the best has a sparse map, so this is the map of the best one."
               : "No method that may be as good as the best has a sparse map.";
  if (best == map.volume->method)
    return candidates > 1 ? "It is the best method, and its map is the sparsest among the methods that may be as good."
                          : "It is the best method.";
  if (best.empty()) return "It has the sparsest map.";
  return "It has the sparsest map among the methods that are not shown to be worse than " + best + ", the best.";
}

}  // namespace

std::optional<ReadableMap> readable_map(const Study& study, const std::vector<ReportVolume>& volumes) {
  std::vector<ReadableMap> candidates;
  for (const StudyMethod& method : study.methods) {
    const ReportVolume* const map = map_of(volumes, method.name);
    if (map == nullptr || (is_baseline(method.name) && study.methods.size() > 1)) continue;
    if (study.best && is_worse(study, method.name, *study.best)) continue;
    ReadableMap candidate{map, threshold_of(map->map), {}};
    if (candidate.shown.voxels > 0) candidates.push_back(std::move(candidate));
  }
  if (candidates.empty()) return {};
  // Sparse before dense; of sparse ones the fewest voxels, of dense ones the best.
  const auto order = [&](const ReadableMap& map) {
    const bool best = study.best && *study.best == map.volume->method;
    return std::tuple(map.shown.dense, map.shown.dense ? Index{!best} : map.shown.voxels);
  };
  ReadableMap out = *std::ranges::min_element(candidates, {}, order);
  out.why = why_it(study, out, candidates.size());
  return out;
}

}  // namespace sturm
