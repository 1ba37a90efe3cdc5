// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/slices.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "sturm/report/clusters.h"
#include "sturm/report/sampling.h"

namespace sturm {
namespace {

/// Calls with the place and the value of each voxel that is not 0.
template <class Each>
void over_voxels(const BrainMap& map, const Each& each) {
  const Shape& s = map.values.shape();
  for (Index k = 0; k < s.n3; ++k)
    for (Index j = 0; j < s.n2; ++j)
      for (Index i = 0; i < s.n1; ++i)
        if (const auto value = static_cast<double>(map.values(i, j, k)); value != 0)
          each(map.affine({static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)}), value);
}

double extent(const WorldBox& box, int axis) { return box.high[axis] - box.low[axis]; }

/// The box of the voxels that are not 0, with half a voxel around; of an empty map that of its corners.
WorldBox box_around(const BrainMap& map, double step) {
  WorldBox box = box_of(map);
  for (int n = 0; n < 3; ++n) {
    box.low[n] -= step / 2;
    box.high[n] += step / 2;
  }
  return box;
}

/// Places along an axis that cut off equal parts of the weight, with a little for where there is none.
std::vector<double> places_along(const BrainMap& map, const WorldBox& box, int axis, double step, double threshold,
                                 int count) {
  const auto bins = std::max<Index>(1, static_cast<Index>(std::ceil(extent(box, axis) / step - 1e-6)));
  std::vector<double> weight(bins, 0);
  double total = 0;
  over_voxels(map, [&](const Point& place, double value) {
    if (std::abs(value) < threshold) return;
    const auto bin = static_cast<Index>(std::floor((place[axis] - box.low[axis]) / step));
    weight[std::clamp<Index>(bin, 0, bins - 1)] += std::abs(value);
    total += std::abs(value);
  });
  for (double& w : weight) w = (total > 0 ? 0.75 * w / total : 0) + 0.25 / static_cast<double>(bins);
  double all = 0, sum = 0;
  for (const double w : weight) all += w;
  std::vector<double> out;
  for (Index b = 0; b < bins; ++b) {
    sum += weight[b];
    const double due = (static_cast<double>(out.size()) + 0.5) / count;
    if (std::ssize(out) < count && sum >= due * all)
      out.push_back(box.low[axis] + (static_cast<double>(b) + 0.5) * step);
  }
  return out;
}

}  // namespace

SliceSet slices_of(const BrainMap& map, const BrainMap* under, int pixels) {
  const Point size = voxel_size(map.affine);
  const double step = std::min({size[0], size[1], size[2]});
  const WorldBox box = box_around(under != nullptr ? *under : map, step);
  SliceSet out;
  out.in_world = map.in_world;
  out.limit = limit_of(map);
  const MapThreshold shown = threshold_of(map);
  out.threshold = shown.least;
  out.shown = shown.voxels;
  const double pixel = std::max({extent(box, 0), extent(box, 1), extent(box, 2)}) / pixels;
  const Sampler values(map);
  std::optional<Sampler> grey;
  std::pair<double, double> window{0, 1};
  if (under != nullptr) {
    grey.emplace(*under);
    window = window_of(*under);
  }
  const auto cut = [&](int axis, double at) {
    const int across = axis == 0 ? 1 : 0, up = axis == 2 ? 1 : 2;
    const auto count = [&](int n) { return std::max(2, static_cast<int>(std::lround(extent(box, n) / pixel))); };
    Slice slice{axis, at, extent(box, across), extent(box, up), Image(count(across), count(up), {0, 0, 0})};
    for (int y = 0; y < slice.image.height(); ++y)
      for (int x = 0; x < slice.image.width(); ++x) {
        Point place{};
        place[axis] = at;
        place[across] = box.low[across] + (x + 0.5) * extent(box, across) / slice.image.width();
        place[up] = box.high[up] - (y + 0.5) * extent(box, up) / slice.image.height();
        const double value = values.nearest(place);
        if (value != 0 && std::abs(value) >= out.threshold) {
          slice.image.set(x, y, weight_colour(value / out.limit));
        } else if (const double g = grey ? grey->nearest(place) : 0; g != 0) {
          // 48 steps of grey are all that an eye tells apart in print, and files with few values are small.
          const double share = std::clamp((g - window.first) / (window.second - window.first), 0.0, 1.0);
          const auto level = static_cast<std::uint8_t>(40 + 4 * std::lround(43 * share));
          slice.image.set(x, y, {level, level, level});
        }
      }
    return slice;
  };
  const auto cuts = [&](int axis, int count) {
    std::vector<Slice> slices;
    for (const double at : places_along(map, box, axis, step, out.threshold, count)) slices.push_back(cut(axis, at));
    return slices;
  };
  out.axial = cuts(2, 4);
  out.coronal = cuts(1, 2);
  out.sagittal = cuts(0, 2);
  return out;
}

}  // namespace sturm
