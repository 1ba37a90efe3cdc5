// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/first_map.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "sturm/models/registry.h"

namespace sturm {
namespace {

constexpr double alarm = 0.05;  ///< as in the sentences of results/findings.h
constexpr double sparse = 0.5;  ///< of the mask

struct MapToShow {
  const StudyMethod* method = nullptr;
  FirstMap map;
  double sparsity = 0, score = 0;
};

/// Of the map of a method: the share of the mask in which it is 0.
double sparsity_of(const StudyMethod& method, VolumeKind kind) {
  if (method.readable && (kind == VolumeKind::readable || method.readable->chosen))
    return method.readable->sparsity_in_mask;
  return std::isnan(method.sparsity.in_mask) ? 0 : method.sparsity.in_mask;
}

/// The methods that are shown to be worse than the best one.
std::set<std::string> worse_than_best(const Study& study) {
  std::set<std::string> out;
  for (const Comparison& pair : study.comparisons) {
    if (!study.best || (pair.first != *study.best && pair.second != *study.best)) continue;
    const bool first = pair.first == *study.best;
    const double ahead = first ? pair.difference : -pair.difference;
    if (pair.p_adjusted <= alarm && ahead > 0) out.insert(first ? pair.second : pair.first);
  }
  return out;
}

}  // namespace

OrNull<FirstMap> first_map(const Study& study, const std::vector<ReportVolume>& volumes) {
  const std::set<std::string> worse = worse_than_best(study);
  const auto shown = [&](const std::string& method, VolumeKind kind) {
    return std::ranges::any_of(volumes, [&](const ReportVolume& volume) {
      return volume.kind == kind && volume.method == method && limit_of(volume.map) > 0;
    });
  };
  std::vector<MapToShow> all;
  for (const StudyMethod& method : study.methods) {
    if (is_baseline(method.name)) continue;
    const double mean = method.score(study.score).mean, score = std::isnan(mean) ? -1e300 : mean;
    const bool readable = method.readable && shown(method.name, VolumeKind::readable);
    const VolumeKind kind = readable ? VolumeKind::readable : VolumeKind::map;
    if (readable || shown(method.name, kind))
      all.push_back({&method, {method.name, kind}, sparsity_of(method, kind), score});
  }
  const MapToShow* found = nullptr;
  for (const MapToShow& one : all)
    if (!worse.contains(one.method->name) && one.sparsity >= sparse &&
        (found == nullptr || one.sparsity > found->sparsity))
      found = &one;
  if (found == nullptr)
    for (const MapToShow& one : all)
      if (found == nullptr || one.score > found->score) found = &one;
  return found == nullptr ? OrNull<FirstMap>() : OrNull<FirstMap>(found->map);
}

bool is_sparse(const Study& study, const FirstMap& map) {
  const auto found = std::ranges::find(study.methods, map.method, &StudyMethod::name);
  return found != study.methods.end() && sparsity_of(*found, map.kind) >= sparse;
}

}  // namespace sturm
