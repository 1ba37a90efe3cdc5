// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sturm {

double Sampler::nearest(const Point& place) const {
  const Point v = to_voxel_(place);
  return value(std::lround(v[0]), std::lround(v[1]), std::lround(v[2]));
}

double Sampler::linear(const Point& place) const {
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

double Sampler::value(Index i, Index j, Index k) const {
  const Shape& s = map_.values.shape();
  if (i < 0 || j < 0 || k < 0 || i >= s.n1 || j >= s.n2 || k >= s.n3) return 0;
  return static_cast<double>(map_.values(i, j, k));
}

WorldBox box_of(const BrainMap& map) {
  const Shape& s = map.values.shape();
  constexpr double huge = std::numeric_limits<double>::infinity();
  WorldBox box{{huge, huge, huge}, {-huge, -huge, -huge}};
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

Point reach_of(const Affine& affine) {
  Point out{};
  for (int n = 0; n < 3; ++n)
    for (int axis = 0; axis < 3; ++axis) out[n] += std::abs(affine.rows[n][axis]);
  return out;
}

std::pair<double, double> window_of(const BrainMap& map) {
  std::vector<float> values;
  for (const float v : map.values.flat())
    if (v != 0) values.push_back(v);
  if (values.empty()) return {0, 1};
  const auto of_rank = [&](std::size_t rank) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(rank);
    std::ranges::nth_element(values, at);
    return static_cast<double>(*at);
  };
  const double low = of_rank(values.size() / 50), high = of_rank(values.size() - 1 - values.size() / 50);
  return high > low ? std::pair{low, high} : std::pair{low - 1, low + 1};
}

Point middle_of(const BrainMap& map, Index voxel) {
  const Shape& s = map.values.shape();
  const Index i = voxel % s.n1, j = voxel / s.n1 % s.n2, k = voxel / s.slice();
  return map.affine({static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)});
}

Colour mix(Colour a, Colour b, double part) {
  Colour out{};
  for (int c = 0; c < 3; ++c) out[c] = static_cast<std::uint8_t>(std::lround((1 - part) * a[c] + part * b[c]));
  return out;
}

}  // namespace sturm
