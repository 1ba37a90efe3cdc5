// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/report_volumes.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sturm/imaging/gzip.h"
#include "sturm/imaging/nifti.h"
#include "sturm/report/page.h"

namespace sturm {

std::string encode(const BrainMap& map) {
  constexpr double steps = 127;
  const double limit = limit_of(map);
  const VolumeWriting how{.type = VoxelType::int16, .unit = limit > 0 ? limit / steps : 1};
  return base64(gzip_compress(volume_bytes("the map", map.grid(), map.values.flat(), how)));
}

std::vector<std::string> fit_into(std::vector<ReportVolume>& volumes, Index bytes) {
  std::vector<std::string> left_out;
  Index total = 0;
  for (const ReportVolume& volume : volumes) total += static_cast<Index>(volume.file.size());
  while (total > bytes && !volumes.empty()) {
    // Of equals the last.
    auto least = volumes.begin();
    for (auto at = volumes.begin(); at != volumes.end(); ++at)
      if (at->keep <= least->keep) least = at;
    total -= static_cast<Index>(least->file.size());
    left_out.push_back(least->label + " was left out: the page has a limit of size.");
    volumes.erase(least);
  }
  return left_out;
}

nlohmann::ordered_json describe(const ReportVolume& volume) {
  using nlohmann::ordered_json;
  const Shape& s = volume.map.values.shape();
  return {{"id", volume.id},
          {"kind", volume.kind},
          {"method", volume.method.empty() ? ordered_json() : ordered_json(volume.method)},
          {"fold", volume.fold.empty() ? ordered_json() : ordered_json(volume.fold)},
          {"class", volume.of_class.empty() ? ordered_json() : ordered_json(volume.of_class)},
          {"label", volume.label},
          {"shape", {s.n1, s.n2, s.n3}},
          {"limit", limit_of(volume.map)},
          {"in_world", volume.map.in_world}};
}

}  // namespace sturm
