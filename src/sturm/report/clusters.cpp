// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/clusters.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "sturm/core/table.h"
#include "sturm/report/thresholds.h"

namespace sturm {
namespace {

/// Labels voxel by voxel: 0 none, otherwise the cluster's number from 1.
std::vector<Index> label(const BrainMap& map, double threshold, Index& count) {
  const Shape& s = map.values.shape();
  const std::span<const float> values = map.values.flat();
  const auto inside = [&](Index v) { return values[v] != 0 && static_cast<double>(std::abs(values[v])) >= threshold; };
  std::vector<Index> labels(values.size(), 0), todo;
  count = 0;
  for (Index seed = 0; seed < s.size(); ++seed) {
    if (labels[seed] != 0 || !inside(seed)) continue;
    labels[seed] = ++count;
    todo.assign(1, seed);
    while (!todo.empty()) {
      const Index v = todo.back();
      todo.pop_back();
      const Index i = v % s.n1, j = v / s.n1 % s.n2, k = v / s.slice();
      for (Index dk = -1; dk <= 1; ++dk)
        for (Index dj = -1; dj <= 1; ++dj)
          for (Index di = -1; di <= 1; ++di) {
            if (std::abs(di) + std::abs(dj) + std::abs(dk) > 2) continue;  // a corner
            const Index a = i + di, b = j + dj, c = k + dk;
            if (a < 0 || b < 0 || c < 0 || a >= s.n1 || b >= s.n2 || c >= s.n3) continue;
            const Index next = a + s.n1 * (b + s.n2 * c);
            if (labels[next] != 0 || !inside(next)) continue;
            labels[next] = count;
            todo.push_back(next);
          }
    }
  }
  return labels;
}

Index named_column(const Table& table, std::initializer_list<const char*> names) {
  for (const char* name : names)
    for (std::size_t c = 0; c < table.columns().size(); ++c) {
      std::string lower = table.columns()[c];
      std::ranges::transform(lower, lower.begin(), [](unsigned char ch) { return std::tolower(ch); });
      if (lower == name) return static_cast<Index>(c);
    }
  return -1;
}

}  // namespace

std::string Atlas::region_at(const Point& place) const {
  const Point at = map.in_world ? inverse(map.affine)(place) : place;
  const Shape& s = map.values.shape();
  std::array<Index, 3> v{};
  for (int n = 0; n < 3; ++n) {
    if (!(std::abs(at[n]) < 1e9)) return {};
    v[n] = static_cast<Index>(std::lround(at[n]));
  }
  if (v[0] < 0 || v[1] < 0 || v[2] < 0 || v[0] >= s.n1 || v[1] >= s.n2 || v[2] >= s.n3) return {};
  const float value = map.values(v[0], v[1], v[2]);
  if (value == 0 || std::abs(value) > 1e9F) return {};
  const auto number = static_cast<Index>(std::lround(value));
  const auto found = names.find(number);
  return found == names.end() ? std::to_string(number) : found->second;
}

Atlas read_atlas(const std::filesystem::path& file, const std::filesystem::path& labels) {
  Atlas atlas{read_map(file), {}};
  if (labels.empty()) return atlas;
  const Table table = Table::read(labels);
  Index number = named_column(table, {"index", "value", "id"}), name = named_column(table, {"name", "region"});
  if (name < 0) name = named_column(table, {"label"});
  if (number < 0 && name >= 0) number = named_column(table, {"label"});
  if (number < 0 || name < 0 || number == name)
    throw Error(
        {table.name()},
        "needs a column of numbers (index, value or id) and one of names (name, region or label); its columns are " +
            join(table.columns(), 30) + ".");
  const std::vector<double> values = table.numbers(number);
  for (Index row = 0; row < table.rows(); ++row)
    if (std::isfinite(values[row])) atlas.names[static_cast<Index>(std::lround(values[row]))] = table.cell(row, name);
  return atlas;
}

MapThreshold threshold_of(const BrainMap& map) {
  MapThreshold out;
  out.least = first_threshold(map, out.rule);
  out.cut = out.least > 0;
  for (const float v : map.values.flat()) out.voxels += v != 0 && static_cast<double>(std::abs(v)) >= out.least;
  return out;
}

ClusterList clusters_of(const BrainMap& map, const BrainMap* stability, const Atlas* atlas, std::size_t most) {
  ClusterList out;
  MapThreshold threshold = threshold_of(map);
  out.rule = std::move(threshold.rule);
  const std::vector<Index> labels = label(map, threshold.least, out.found);
  const Shape& s = map.values.shape();
  const std::span<const float> values = map.values.flat();
  const bool same = stability != nullptr && stability->values.shape() == s;
  std::vector<Cluster> all(out.found);
  std::vector<double> same_sign(out.found, 0);
  double total = 0;
  for (Index v = 0; v < s.size(); ++v) {
    const auto weight = static_cast<double>(values[v]);
    total += std::abs(weight);
    if (labels[v] == 0) continue;
    Cluster& c = all[labels[v] - 1];
    ++c.voxels;
    c.share += std::abs(weight);
    if (same) same_sign[labels[v] - 1] += static_cast<double>(stability->values.flat()[v]);
    if (c.voxels > 1 && std::abs(weight) <= std::abs(c.peak_weight)) continue;
    c.peak_weight = weight;
    c.voxel = {v % s.n1, v / s.n1 % s.n2, v / s.slice()};
  }
  for (std::size_t n = 0; n < all.size(); ++n) {
    Cluster& c = all[n];
    const auto voxels = static_cast<double>(c.voxels);
    c.share = total > 0 ? c.share / total : 0;
    const Point voxel{static_cast<double>(c.voxel[0]), static_cast<double>(c.voxel[1]),
                      static_cast<double>(c.voxel[2])};
    c.peak = map.in_world ? map.affine(voxel) : voxel;
    if (map.in_world) c.volume = voxels * std::abs(determinant(map.affine));
    if (same) c.same_sign = same_sign[n] / voxels;
    if (atlas != nullptr) c.region = atlas->region_at(c.peak);
  }
  std::ranges::stable_sort(all, std::greater<>(), &Cluster::share);
  if (all.size() > most) {
    out.rule += fmt::format("; the {} of {} with most weight", most, all.size());
    all.resize(most);
  }
  out.clusters = std::move(all);
  return out;
}

}  // namespace sturm
