// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/mosaic.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sturm/report/sampling.h"

namespace sturm {
namespace {

constexpr int slices = 7, margin = 6, label_height = 12;

/// The colour of a value as a part of the limit, from -1 to 1.
Colour colour_of(double value, Palette palette) {
  return palette == Palette::sequential ? ramp(palette::cividis, value) : weight_colour(value);
}

}  // namespace

Cuts cuts_through(const std::vector<const BrainMap*>& maps) {
  const BrainMap& first = *maps.front();
  const WorldBox box = box_of(first);
  const Point size = voxel_size(first.affine);
  Cuts cuts;
  for (int axis = 0; axis < 3; ++axis) {
    const double step = std::min({size[0], size[1], size[2]});
    const auto bins = static_cast<Index>(std::lround((box.high[axis] - box.low[axis]) / step)) + 1;
    std::vector<double> weight(bins, 0.5 / static_cast<double>(bins));
    for (const BrainMap* map : maps) {
      std::vector<double> here(bins, 0);
      double total = 0;
      const Shape& s = map->values.shape();
      for (Index v = 0; v < s.size(); ++v) {
        const double w = std::abs(static_cast<double>(map->values.flat()[v]));
        if (w == 0) continue;
        const Point place = middle_of(*map, v);
        const auto bin = static_cast<Index>(std::lround((place[axis] - box.low[axis]) / step));
        if (bin < 0 || bin >= bins) continue;
        here[bin] += w;
        total += w;
      }
      if (total > 0)
        for (Index b = 0; b < bins; ++b) weight[b] += 0.5 * here[b] / total / static_cast<double>(maps.size());
    }
    double sum = 0, all = 0;
    for (const double w : weight) all += w;
    for (Index b = 0; b < bins; ++b) {
      sum += weight[b];
      const auto due = static_cast<std::size_t>(std::floor(slices * sum / all + 0.5));
      if (cuts[axis].size() < std::min<std::size_t>(slices, due))
        cuts[axis].push_back(box.low[axis] + static_cast<double>(b) * step);
    }
  }
  return cuts;
}

Image mosaic(const BrainMap& map, const BrainMap* under, const Cuts& cuts, Palette palette) {
  const WorldBox room = box_of(under != nullptr ? *under : map);
  const Point size = voxel_size(map.affine);
  const double step = std::min({size[0], size[1], size[2]});
  double widest = 0;
  for (int n = 0; n < 3; ++n) widest = std::max(widest, room.high[n] - room.low[n] + step);
  const double pixel = widest / 170;  // of a slice, at most
  const auto pixels = [&](int n) {
    return std::max(4, static_cast<int>(std::ceil((room.high[n] - room.low[n] + step) / pixel)));
  };
  // Each row: the axis it cuts, the axis to the right and the axis up.
  const int views[3][3] = {{2, 0, 1}, {1, 0, 2}, {0, 1, 2}};
  int height = margin;
  for (const auto& view : views) height += pixels(view[2]) + label_height + margin;
  const int column = std::max(pixels(0), pixels(1)), width = margin + slices * (column + margin);
  constexpr int bar = 62;
  Image image(width + bar, height, {0, 0, 0});
  const Sampler values(map);
  const Index filled = std::ranges::count_if(map.values.flat(), [](float v) { return v != 0; });
  const bool dense = filled * 10 > map.values.shape().size();
  const double limit = std::max(limit_of(map), std::numeric_limits<double>::min());
  std::optional<Sampler> grey;
  std::pair<double, double> window{0, 1};
  if (under != nullptr) {
    grey.emplace(*under);
    window = window_of(*under);
  }
  const char names[] = "xyz";
  int top = margin;
  for (const auto& view : views) {
    const int cut = view[0], right = view[1], up = view[2], wide = pixels(right), tall = pixels(up);
    for (std::size_t s = 0; s < cuts[cut].size(); ++s) {
      const double at = cuts[cut][s];
      const int x0 = margin + static_cast<int>(s) * (column + margin) + (column - wide) / 2;
      for (int y = 0; y < tall; ++y)
        for (int x = 0; x < wide; ++x) {
          Point place{};
          place[cut] = at;
          place[right] = room.low[right] - step / 2 + (x + 0.5) * pixel;
          place[up] = room.low[up] - step / 2 + (tall - y - 0.5) * pixel;
          Colour colour{0, 0, 0};
          if (grey) {
            const double g = grey->linear(place);
            const double share = g == 0 ? 0 : std::clamp((g - window.first) / (window.second - window.first), 0.0, 1.0);
            const auto level = static_cast<std::uint8_t>(g == 0 ? 0 : 40 + std::lround(170 * share));
            colour = {level, level, level};
          }
          const double value = values.nearest(place) / limit;
          if (value != 0) {
            // A map without zeros would hide all below it: there the small values let it through.
            const double cover =
                dense ? std::min(1.0, std::abs(value) / 0.4) : 0.45 + 0.55 * std::min(1.0, std::abs(value) / 0.3);
            colour = mix(colour, colour_of(value, palette), cover);
          }
          image.set(x0 + x, top + y, colour);
        }
      const std::string label = fmt::format("{}={}{}", names[cut], std::lround(at), map.in_world ? "mm" : "");
      image.text(x0 + (wide - Image::text_width(label)) / 2, top + tall + 3, label, {220, 220, 220});
      if (map.in_world && cut != 0 && s == 0) {
        image.text(x0 + 1, top + 1, "L", {220, 220, 220});
        image.text(x0 + wide - 6, top + 1, "R", {220, 220, 220});
      }
    }
    top += tall + label_height + margin;
  }
  const int bar_top = margin + 16, bar_height = std::min(220, height - 2 * bar_top), bar_left = width + 12;
  for (int y = 0; y < bar_height; ++y) {
    const double share = 1 - (y + 0.5) / bar_height;
    const double value = palette == Palette::diverging ? 2 * share - 1 : share;
    for (int x = 0; x < 14; ++x) image.set(bar_left + x, bar_top + y, colour_of(value, palette));
  }
  image.text(bar_left - 6, bar_top - 11, fmt::format("{:.2g}", limit), {220, 220, 220});
  image.text(bar_left - 6, bar_top + bar_height + 4,
             palette == Palette::diverging ? fmt::format("{:.2g}", -limit) : "0", {220, 220, 220});
  return image;
}

}  // namespace sturm
