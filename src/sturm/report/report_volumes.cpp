// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/report_volumes.h"

#include <algorithm>

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

ShownVolume facts_of(const ReportVolume& volume) {
  const Shape& s = volume.map.values.shape();
  const auto or_null = [](const std::string& text) {
    return text.empty() ? OrNull<std::string>() : OrNull<std::string>(text);
  };
  return {volume.id,    volume.kind,        or_null(volume.method), or_null(volume.fold), or_null(volume.of_class),
          volume.label, {s.n1, s.n2, s.n3}, limit_of(volume.map),   volume.map.in_world};
}

}  // namespace sturm
