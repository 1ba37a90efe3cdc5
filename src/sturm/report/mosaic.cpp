// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/mosaic.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sturm {
namespace {

constexpr int slices = 7, margin = 6, label_height = 12;

Colour mix(Colour a, Colour b, double part) {
  Colour out{};
  for (int c = 0; c < 3; ++c) out[c] = static_cast<std::uint8_t>(std::lround((1 - part) * a[c] + part * b[c]));
  return out;
}

/// The colour of a value as a part of the limit, from -1 to 1.
Colour colour_of(double value, Palette palette) {
  return palette == Palette::sequential ? ramp(palette::cividis, value) : weight_colour(value);
}

/// Looks values up at places of the world.
class Sampler {
 public:
  explicit Sampler(const BrainMap& map) : map_(map), to_voxel_(inverse(map.affine)) {}

  double nearest(const Point& place) const {
    const Point v = to_voxel_(place);
    return value(std::lround(v[0]), std::lround(v[1]), std::lround(v[2]));
  }
  double linear(const Point& place) const {
    const Point v = to_voxel_(place);
    std::array<Index, 3> base{};
    Point part{};
    for (int n = 0; n < 3; ++n) {
      base[n] = static_cast<Index>(std::floor(v[n]));
      part[n] = v[n] - static_cast<double>(base[n]);
    }
    double sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
      double weight = 1;
      std::array<Index, 3> at = base;
      for (int n = 0; n < 3; ++n) {
        const bool up = (corner >> n & 1) != 0;
        at[n] += up ? 1 : 0;
        weight *= up ? part[n] : 1 - part[n];
      }
      if (weight > 0) sum += weight * value(at[0], at[1], at[2]);
    }
    return sum;
  }

 private:
  double value(Index i, Index j, Index k) const {
    const Shape& s = map_.values.shape();
    if (i < 0 || j < 0 || k < 0 || i >= s.n1 || j >= s.n2 || k >= s.n3) return 0;
    return static_cast<double>(map_.values(i, j, k));
  }
  const BrainMap& map_;
  Affine to_voxel_;
};

struct Box {
  Point low{}, high{};
};

/// The box in the world of the voxels with a value.
Box box_of(const BrainMap& map) {
  const Shape& s = map.values.shape();
  constexpr double huge = std::numeric_limits<double>::infinity();
  Box box{{huge, huge, huge}, {-huge, -huge, -huge}};
  const auto add = [&](Index i, Index j, Index k) {
    const Point place = map.affine({static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)});
    for (int n = 0; n < 3; ++n) {
      box.low[n] = std::min(box.low[n], place[n]);
      box.high[n] = std::max(box.high[n], place[n]);
    }
  };
  for (Index k = 0; k < s.n3; ++k)
    for (Index j = 0; j < s.n2; ++j)
      for (Index i = 0; i < s.n1; ++i)
        if (map.values(i, j, k) != 0) add(i, j, k);
  if (box.low[0] > box.high[0])
    for (int corner = 0; corner < 8; ++corner)
      add(corner & 1 ? s.n1 - 1 : 0, corner & 2 ? s.n2 - 1 : 0, corner & 4 ? s.n3 - 1 : 0);
  return box;
}

/// The 2nd and the 98th percentile of the values that are not 0: the grey between black and white.
std::pair<double, double> window_of(const BrainMap& map) {
  std::vector<float> values;
  for (const float v : map.values.flat())
    if (v != 0) values.push_back(v);
  if (values.empty()) return {0, 1};
  std::ranges::sort(values);
  const auto low = static_cast<double>(values[values.size() / 50]),
             high = static_cast<double>(values[values.size() - 1 - values.size() / 50]);
  return high > low ? std::pair{low, high} : std::pair{low - 1, low + 1};
}

}  // namespace

Cuts cuts_through(const std::vector<const BrainMap*>& maps) {
  const BrainMap& first = *maps.front();
  const Box box = box_of(first);
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
        const Index i = v % s.n1, j = v / s.n1 % s.n2, k = v / s.slice();
        const Point place = map->affine({static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)});
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
  const Box room = box_of(under != nullptr ? *under : map);
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
