// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/volume_check.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sturm/imaging/content_hash.h"
#include "sturm/imaging/load.h"

namespace sturm {
namespace {

constexpr double far_away = 20;

/// Median and range between the quarters, and how many of the values are far from the median, counted in such ranges.
VolumeLevel level_of(std::vector<float> values) {
  VolumeLevel out{.voxels = std::ssize(values), .known = values.size() >= 8};
  if (!out.known) return out;
  const auto rank = [&values](double share) {
    const auto at = values.begin() + static_cast<Index>(share * static_cast<double>(values.size() - 1));
    std::ranges::nth_element(values, at);
    return static_cast<double>(*at);
  };
  const double first = rank(0.25), median = rank(0.5), third = rank(0.75);
  out.centre = median;
  out.spread = third - first;
  if (!(third > first)) return out;  // half of it is one value: there is no measure of what is far
  out.extreme =
      std::ranges::count_if(values, [&](float v) { return std::abs(v - median) > far_away * (third - first); });
  return out;
}

void look_at_values(const std::vector<float>& values, const std::string& file, VolumeFacts& facts) {
  double squares = 0;
  std::vector<float> not_zero;
  facts.low = std::numeric_limits<double>::infinity();
  facts.high = -facts.low;
  for (const float v : values) {
    if (!std::isfinite(v)) {
      ++facts.not_finite;
      continue;
    }
    facts.low = std::min<double>(facts.low, v);
    facts.high = std::max<double>(facts.high, v);
    squares += static_cast<double>(v) * v;
    if (v != 0) not_zero.push_back(v);
  }
  facts.constant = !(facts.low < facts.high);
  facts.level = level_of(std::move(not_zero));
  facts.extreme = facts.level.extreme;
  facts.bare = facts.not_finite == static_cast<Index>(values.size());
  if (facts.bare) {
    facts.low = facts.high = std::numeric_limits<double>::quiet_NaN();
    facts.warnings.push_back(file +
                             ": holds no finite number, so that no model can use it; leave it out of the table.");
    return;
  }
  if (facts.not_finite > 0)
    facts.warnings.push_back(file + ": " + std::to_string(facts.not_finite) + " voxel" +
                             (facts.not_finite == 1 ? " is" : "s are") +
                             " NaN or infinite; inside the mask that is an error unless `nan zero`.");
  if (facts.constant) facts.warnings.push_back(file + ": is the same everywhere, so it says nothing of its sample.");
  if (squares > std::numeric_limits<float>::max())
    facts.warnings.push_back(file +
                             ": its values are so large that their squares overflow in float32; rescale them, or "
                             "use `precision f64`.");
}

}  // namespace

VolumeFacts check_volume(const SampleFile& sample) {
  VolumeFacts facts;
  try {
    const VolumeSet set = open_volumes({sample}, OnMismatch::resample);
    facts.info = set.infos[0];
    std::vector<std::string> odd = facts.info->warnings;
    const std::vector<float> values = read_volume<float>(*facts.info, sample.volume.value_or(0), &odd);
    for (const std::string& what : odd)
      facts.warnings.push_back(sample.file.string() + ": " + what + (what.ends_with('.') ? "" : "."));
    look_at_values(values, sample.file.string(), facts);
    const auto coverage = std::make_shared<Coverage>(facts.info->grid.shape, 1);
    coverage->add(0, std::span<const float>(values));
    facts.coverage = coverage;
    facts.hash = hash_volume(values, facts.info->grid.shape);
  } catch (const Error& error) {
    facts.error = error.what();
  }
  return facts;
}

}  // namespace sturm
