// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/glass_brain.h"

#include <algorithm>
#include <cmath>

#include "sturm/report/sampling.h"

namespace sturm {
namespace {

constexpr Colour glass_inside{30, 34, 40};  // of the glass

double smallest(const Point& size) { return std::min({size[0], size[1], size[2]}); }

/// Pixels from the first to the last whose middle lies between two places; none: first > last.
std::pair<int, int> pixels_between(double from, double to, int count) {
  return {std::max(0, static_cast<int>(std::ceil(from - 0.5))),
          std::min(count - 1, static_cast<int>(std::ceil(to - 0.5)) - 1)};
}

/// Calls `paint(column, row)` for the pixels that a voxel covers.
template <class Paint>
void each_pixel(const ViewPlane& plane, const Point& middle, const Point& reach, const Paint& paint) {
  const auto half = [&](int axis) { return reach[axis] / 2; };
  const auto [left, right] = pixels_between(plane.column(middle[plane.across] - half(plane.across)),
                                            plane.column(middle[plane.across] + half(plane.across)), plane.width);
  const auto [top, bottom] = pixels_between(plane.row(middle[plane.up] + half(plane.up)),
                                            plane.row(middle[plane.up] - half(plane.up)), plane.height);
  for (int row = top; row <= bottom; ++row)
    for (int column = left; column <= right; ++column) paint(column, row);
}

/// 1 where a line of sight meets the brain, a little smoothed, on a raster of half voxels: its outline is not made of
/// steps.
struct Shadow {
  int width = 0, height = 0;
  double step = 1;  ///< pixels between two places
  std::vector<double> value;

  double at(int x, int y) const {
    if (x < 0 || y < 0 || x >= width || y >= height) return 0;
    return value[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
  }
};

std::vector<std::uint8_t> shadow_of(const BrainMap& brain, const ViewPlane& plane) {
  std::vector<std::uint8_t> out(static_cast<std::size_t>(plane.width) * static_cast<std::size_t>(plane.height), 0);
  const Point reach = reach_of(brain.affine);
  for (Index v = 0; v < brain.values.shape().size(); ++v)
    if (brain.values.flat()[v] != 0)
      each_pixel(plane, middle_of(brain, v), reach, [&](int column, int row) {
        out[static_cast<std::size_t>(row) * static_cast<std::size_t>(plane.width) + static_cast<std::size_t>(column)] =
            1;
      });
  return out;
}

/// The mean over a square about each place of a coarser raster.
Shadow smoothed(const std::vector<std::uint8_t>& shadow, const ViewPlane& plane, double voxel) {
  const int step = std::max(1, static_cast<int>(std::lround(voxel / 2))),
            reach = std::max(1, static_cast<int>(std::lround(0.9 * voxel)));
  // Sums over everything above and to the left, so that any square takes four look-ups.
  const std::size_t wide = static_cast<std::size_t>(plane.width) + 1;
  std::vector<int> sum(wide * (static_cast<std::size_t>(plane.height) + 1), 0);
  for (int y = 0; y < plane.height; ++y)
    for (int x = 0; x < plane.width; ++x) {
      const std::size_t here = static_cast<std::size_t>(y + 1) * wide + static_cast<std::size_t>(x + 1);
      sum[here] = shadow[static_cast<std::size_t>(y) * (wide - 1) + static_cast<std::size_t>(x)] + sum[here - 1] +
                  sum[here - wide] - sum[here - wide - 1];
    }
  const auto total = [&](int x, int y) {
    return sum[static_cast<std::size_t>(std::clamp(y, 0, plane.height)) * wide +
               static_cast<std::size_t>(std::clamp(x, 0, plane.width))];
  };
  Shadow out{plane.width / step + 1, plane.height / step + 1, static_cast<double>(step), {}};
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x) {
      const int left = x * step - reach, right = x * step + reach, top = y * step - reach, bottom = y * step + reach;
      const int count = total(right, bottom) - total(left, bottom) - total(right, top) + total(left, top);
      out.value.push_back(static_cast<double>(count) / (4.0 * reach * reach));
    }
  return out;
}

/// Where the shadow passes through a half: marching squares.
std::vector<PixelLine> outline_of(const Shadow& shadow) {
  std::vector<PixelLine> out;
  constexpr double level = 0.5;
  for (int y = -1; y < shadow.height; ++y)
    for (int x = -1; x < shadow.width; ++x) {
      const std::array<PixelPlace, 4> corner{{{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}}};
      std::array<double, 4> value{};
      for (std::size_t c = 0; c < 4; ++c)
        value[c] = shadow.at(static_cast<int>(corner[c].first), static_cast<int>(corner[c].second)) - level;
      std::vector<PixelPlace> crossings;
      for (std::size_t c = 0; c < 4; ++c) {
        const std::size_t next = (c + 1) % 4;
        if ((value[c] > 0) == (value[next] > 0)) continue;
        const double part = value[c] / (value[c] - value[next]);
        crossings.emplace_back(shadow.step * (corner[c].first + part * (corner[next].first - corner[c].first)),
                               shadow.step * (corner[c].second + part * (corner[next].second - corner[c].second)));
      }
      for (std::size_t n = 0; n + 1 < crossings.size(); n += 2) out.emplace_back(crossings[n], crossings[n + 1]);
    }
  return out;
}

}  // namespace

bool ShownWeights::shows(double weight) const { return weight != 0 && std::abs(weight) >= least; }

Colour ShownWeights::colour(double weight) const { return weight_colour(limit > 0 ? weight / limit : 0); }

ViewPlane view_plane(const BrainMap& map, const BrainMap* under, int through, int pixels) {
  const BrainMap& brain = under != nullptr ? *under : map;
  WorldBox room = box_of(brain);
  if (under != nullptr) {  // weights beyond the anatomy are seen as well
    const WorldBox weights = box_of(map);
    if (limit_of(map) > 0)
      for (int n = 0; n < 3; ++n) {
        room.low[n] = std::min(room.low[n], weights.low[n]);
        room.high[n] = std::max(room.high[n], weights.high[n]);
      }
  }
  const Point reach = reach_of(brain.affine);
  const double voxel = smallest(reach);
  double widest = 0;
  for (int n = 0; n < 3; ++n) widest = std::max(widest, room.high[n] - room.low[n] + reach[n]);
  ViewPlane out;
  out.through = through;
  out.across = through == 0 ? 1 : 0;
  out.up = through == 2 ? 1 : 2;
  out.pixel = voxel / std::max(1.0, std::round(pixels * voxel / widest));
  // A margin, so that the outline does not touch the edge.
  const double margin = 4 * out.pixel;
  out.left = room.low[out.across] - reach[out.across] / 2 - margin;
  out.bottom = room.low[out.up] - reach[out.up] / 2 - margin;
  const auto count = [&](int axis) {
    return std::max(
        1,
        static_cast<int>(std::ceil((room.high[axis] - room.low[axis] + reach[axis] + 2 * margin) / out.pixel - 1e-6)));
  };
  out.width = count(out.across);
  out.height = count(out.up);
  return out;
}

Image slice_image(const ShownWeights& shown, const BrainMap* under, std::pair<double, double> window,
                  const ViewPlane& plane, double at) {
  Image image(plane.width, plane.height, palette::ground);
  const Sampler weights(shown.map);
  const Sampler grey(under != nullptr ? *under : shown.map);
  for (int row = 0; row < plane.height; ++row)
    for (int column = 0; column < plane.width; ++column) {
      Point place{};
      place[plane.through] = at;
      place[plane.across] = plane.x(column);
      place[plane.up] = plane.y(row);
      const double weight = weights.nearest(place);
      if (shown.shows(weight)) {
        image.set(column, row, shown.colour(weight));
      } else if (const double g = under != nullptr ? grey.linear(place) : 0; g != 0) {
        // Greys are steps of four: an eye sees no difference, and the file is half as large.
        const double share = std::clamp((g - window.first) / (window.second - window.first), 0.0, 1.0);
        const auto level = static_cast<std::uint8_t>(32 + 4 * std::lround(34 * share));
        image.set(column, row, {level, level, level});
      }
    }
  return image;
}

GlassView glass_view(const ShownWeights& shown, const BrainMap* under, const ViewPlane& plane) {
  GlassView out{Image(plane.width, plane.height, palette::ground), {}};
  if (under != nullptr) {
    const std::vector<std::uint8_t> shadow = shadow_of(*under, plane);
    const double voxel = smallest(reach_of(under->affine)) / plane.pixel;
    for (int row = 0; row < plane.height; ++row)
      for (int column = 0; column < plane.width; ++column)
        if (shadow[static_cast<std::size_t>(row) * static_cast<std::size_t>(plane.width) +
                   static_cast<std::size_t>(column)] != 0)
          out.image.set(column, row, glass_inside);
    out.outline = outline_of(smoothed(shadow, plane, voxel));
  }
  std::vector<float> strongest(static_cast<std::size_t>(plane.width) * static_cast<std::size_t>(plane.height), 0);
  const Point reach = reach_of(shown.map.affine);
  for (Index v = 0; v < shown.map.values.shape().size(); ++v) {
    const float weight = shown.map.values.flat()[v];
    if (!shown.shows(weight)) continue;
    each_pixel(plane, middle_of(shown.map, v), reach, [&](int column, int row) {
      float& here = strongest[static_cast<std::size_t>(row) * static_cast<std::size_t>(plane.width) +
                              static_cast<std::size_t>(column)];
      if (std::abs(weight) <= std::abs(here)) return;
      here = weight;
      out.image.set(column, row, shown.colour(weight));
    });
  }
  return out;
}

std::vector<double> slices_through(const ShownWeights& shown, const BrainMap* under, int axis, int count) {
  const WorldBox room = box_of(under != nullptr ? *under : shown.map);
  const double step = reach_of(shown.map.affine)[axis];
  const auto bins = static_cast<int>(std::lround((room.high[axis] - room.low[axis]) / step)) + 1;
  std::vector<double> weight(static_cast<std::size_t>(bins), 0);
  for (Index v = 0; v < shown.map.values.shape().size(); ++v) {
    const double w = shown.map.values.flat()[v];
    if (!shown.shows(w)) continue;
    const auto bin = std::lround((middle_of(shown.map, v)[axis] - room.low[axis]) / step);
    if (bin >= 0 && bin < bins) weight[static_cast<std::size_t>(bin)] += std::abs(w);
  }
  const int apart = std::max(1, bins / (2 * count));
  std::vector<int> chosen;
  const auto free = [&](int bin, int distance) {
    return std::ranges::all_of(chosen, [&](int other) { return std::abs(other - bin) >= distance; });
  };
  while (static_cast<int>(chosen.size()) < count) {
    int best = -1;
    for (int bin = 0; bin < bins; ++bin)
      if (weight[static_cast<std::size_t>(bin)] > 0 && free(bin, apart) &&
          (best < 0 || weight[static_cast<std::size_t>(bin)] > weight[static_cast<std::size_t>(best)]))
        best = bin;
    if (best < 0) break;
    chosen.push_back(best);
  }
  // The brain itself where there is no weight: the middle of the widest room that is left.
  while (static_cast<int>(chosen.size()) < std::min(count, bins)) {
    int best = -1, widest = 0;
    for (int bin = bins / 4; bin < bins - bins / 5; ++bin) {
      int room_here = bins;
      for (const int other : chosen) room_here = std::min(room_here, std::abs(other - bin));
      if (room_here > widest) {
        widest = room_here;
        best = bin;
      }
    }
    if (best < 0 || widest < apart) break;
    chosen.push_back(best);
  }
  std::ranges::sort(chosen);
  std::vector<double> out;
  out.reserve(chosen.size());
  for (const int bin : chosen) out.push_back(room.low[axis] + bin * step);
  return out;
}

}  // namespace sturm
