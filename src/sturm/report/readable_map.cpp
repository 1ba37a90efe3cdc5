// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/readable_map.h"

#include <algorithm>

#include "sturm/report/first_map.h"

namespace sturm {
namespace {

std::string why_it(const Study& study, const ReadableMap& map, bool sparse) {
  const std::string& method = map.volume->method;
  const std::string best = study.best ? *study.best : "";
  const std::string setting = map.volume->kind == VolumeKind::readable
                                  ? " It is of the sparsest setting whose inner score is within one standard error of "
                                    "the best."
                                  : "";
  if (study.methods.size() < 2) return setting.empty() ? "" : setting.substr(1);
  if (!sparse)
    return best == method
               ? "No method that may be as good as the best has a sparse map, so this is the map of the best one."
               : "No method that may be as good as the best has a sparse map.";
  if (best.empty()) return "It is the sparsest map." + setting;
  if (best == method)
    return method + " is the best method, and no method that may be as good has a sparser map." + setting;
  return "It is the sparsest map among the methods that are not shown to be worse than " + best + ", the best." +
         setting;
}

}  // namespace

std::optional<ReadableMap> readable_map(const Study& study, const std::vector<ReportVolume>& volumes) {
  const OrNull<FirstMap> first = first_map(study, volumes);
  if (!first) return {};
  const auto found = std::ranges::find_if(volumes, [&](const ReportVolume& volume) {
    return volume.kind == first->kind && volume.method == first->method && limit_of(volume.map) > 0;
  });
  if (found == volumes.end()) return {};
  ReadableMap out{&*found, threshold_of(found->map), {}};
  out.why = why_it(study, out, is_sparse(study, *first));
  return out;
}

}  // namespace sturm
