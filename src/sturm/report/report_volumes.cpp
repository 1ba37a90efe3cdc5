// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/report_volumes.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "sturm/imaging/gzip.h"
#include "sturm/imaging/nifti.h"
#include "sturm/report/page.h"

namespace sturm {

namespace {

std::string in_letters(const BrainMap& map, const VolumeWriting& how) {
  return base64(gzip_compress(volume_bytes("the map", map.grid(), map.values.flat(), how)));
}

/// Behind the header the first byte of all values, then the second, and so on: two of the four are 0 where values are
/// rounded, and gzip makes a quarter less of it.
std::string in_planes(const std::string& file) {
  constexpr std::size_t header = 352, planes = sizeof(float);
  std::string out = file.substr(0, header);
  out.reserve(file.size());
  for (std::size_t plane = 0; plane < planes; ++plane)
    for (std::size_t at = header + plane; at < file.size(); at += planes) out += file[at];
  return out;
}

bool is_small_and_whole(float value) { return value >= 0 && value <= 255 && value == std::floor(value); }

const std::string& smaller(const ReportVolume& volume) { return volume.rounded.empty() ? volume.file : volume.rounded; }

}  // namespace

void encode(ReportVolume& volume) {
  const BrainMap& map = volume.map;
  volume.thresholds = thresholds_of(map);
  if (volume.kind == VolumeKind::background) {
    constexpr double steps = 127;
    const double limit = limit_of(map);
    volume.file = in_letters(map, {.type = VoxelType::int16, .unit = limit > 0 ? limit / steps : 1});
    volume.exact = false;
    return;
  }
  if (std::ranges::all_of(map.values.flat(), is_small_and_whole)) {
    volume.file = in_letters(map, {.type = VoxelType::uint8, .unit = 1});
    return;
  }
  volume.file = in_letters(map, {});
  const BrainMap rounded = rounded_between(map, volume.thresholds);
  volume.rounded = base64(gzip_compress(in_planes(volume_bytes("the map", map.grid(), rounded.values.flat()))));
  if (volume.rounded.size() >= volume.file.size()) volume.rounded.clear();
}

std::vector<std::string> fit_into(std::vector<ReportVolume>& volumes, Index bytes) {
  std::vector<std::string> left_out;
  Index total = 0;
  for (const ReportVolume& volume : volumes) total += std::ssize(smaller(volume));
  while (total > bytes && !volumes.empty()) {
    // Of equals the last.
    auto least = volumes.begin();
    for (auto at = volumes.begin(); at != volumes.end(); ++at)
      if (at->keep <= least->keep) least = at;
    total -= std::ssize(smaller(*least));
    left_out.push_back(least->label + " was left out: the page has a limit of size.");
    volumes.erase(least);
  }
  std::vector<ReportVolume*> by_worth;
  for (ReportVolume& volume : volumes)
    if (!volume.rounded.empty()) by_worth.push_back(&volume);
  std::ranges::stable_sort(by_worth, std::greater<>(), &ReportVolume::keep);
  for (ReportVolume* const volume : by_worth) {
    const Index more = std::ssize(volume->file) - std::ssize(volume->rounded);
    if (total + more <= bytes) {
      total += more;
    } else {
      volume->file = volume->rounded;
      volume->exact = false;
    }
  }
  return left_out;
}

ShownVolume facts_of(const ReportVolume& volume) {
  const Shape& s = volume.map.values.shape();
  const auto or_null = [](const std::string& text) {
    return text.empty() ? OrNull<std::string>() : OrNull<std::string>(text);
  };
  return {volume.id,
          volume.kind,
          or_null(volume.method),
          or_null(volume.fold),
          or_null(volume.of_class),
          volume.label,
          {s.n1, s.n2, s.n3},
          limit_of(volume.map),
          volume.map.in_world,
          volume.exact,
          volume.thresholds.least,
          volume.thresholds.voxels,
          volume.thresholds.opens};
}

}  // namespace sturm
