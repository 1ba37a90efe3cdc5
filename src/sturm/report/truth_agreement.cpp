// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/truth_agreement.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "sturm/eval/scores.h"

namespace sturm {
namespace {

/// From 1; equal values share the mean of theirs.
std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t v) { return values[v]; });
  std::vector<double> out(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    for (std::size_t i = begin; i < end; ++i) out[order[i]] = 0.5 * static_cast<double>(begin + 1 + end);
    begin = end;
  }
  return out;
}

/// 2 |A and B| / (|A| + |B|): B the planted voxels, A as many with the largest weights, fewer where fewer are not 0.
double dice(const std::vector<double>& weight, const std::vector<double>& planted, Index count) {
  std::vector<double> sorted = weight;
  std::ranges::sort(sorted, std::greater<>());
  const double cut = sorted[static_cast<std::size_t>(count - 1)];
  double above = 0, above_planted = 0, at = 0, at_planted = 0;
  for (std::size_t v = 0; v < weight.size(); ++v) {
    const bool is_planted = planted[v] > 0;
    if (weight[v] > cut) {
      ++above;
      above_planted += is_planted;
    } else if (weight[v] == cut && cut > 0) {
      ++at;
      at_planted += is_planted;
    }
  }
  const double room = std::min(at, static_cast<double>(count) - above);
  const double both = above_planted + (at > 0 ? at_planted * room / at : 0);
  return 2 * both / (above + room + static_cast<double>(count));
}

bool fits(const BrainMap& map, const Grid& grid) { return map.in_world || map.values.shape() == grid.shape; }

}  // namespace

std::optional<TruthAgreement> agreement_with(const BrainMap& truth, const BrainMap& map, const BrainMap& mean) {
  const Grid grid = map.grid();
  if (!fits(truth, grid) || !fits(mean, grid)) return {};
  const BrainMap there = map_on(truth, grid, "truth"), volume = map_on(mean, grid, "mean");
  std::vector<double> weight, size, value, planted;
  for (Index v = 0; v < grid.shape.size(); ++v) {
    if (volume.values.data()[v] == 0) continue;
    weight.push_back(static_cast<double>(map.values.data()[v]));
    size.push_back(std::abs(weight.back()));
    value.push_back(static_cast<double>(there.values.data()[v]));
    planted.push_back(value.back() != 0 ? 1 : -1);
  }
  TruthAgreement out;
  out.planted = std::ranges::count(planted, 1.0);
  if (out.planted == 0 || out.planted == std::ssize(planted)) return {};
  out.dice = dice(size, planted, out.planted);
  out.auc = auc(planted, size);
  out.rank_correlation = pearson(ranks(weight), ranks(value));
  return out;
}

bool is_planted_target(const std::string& column, const std::optional<std::vector<std::string>>& labels) {
  return column == "group" && labels && labels->size() == 2;
}

}  // namespace sturm
