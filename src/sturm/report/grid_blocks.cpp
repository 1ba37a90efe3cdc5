// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/grid_blocks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "sturm/eval/scores.h"
#include "sturm/models/linear/penalised_method.h"

namespace sturm {
namespace {

constexpr const char* of_largest = " / largest";

struct Cell {
  std::vector<double> setting;
  double score = 0, sparsity = 0;
  bool chosen = false;
};

/// The points of one resize factor: fold by fold, in the order of the grid.
struct Block {
  std::vector<std::string> parameters;
  std::map<std::string, std::vector<Cell>> folds;

  std::size_t points() const { return folds.begin()->second.size(); }
};

struct BlockAxis {
  std::string name;
  std::vector<double> values;
};

/// Each value once, in the order in which they come.
std::vector<double> distinct(const std::vector<Cell>& points, std::size_t parameter) {
  std::vector<double> out;
  for (const Cell& p : points)
    if (std::ranges::find(out, p.setting[parameter]) == out.end()) out.push_back(p.setting[parameter]);
  return out;
}

/// How many points go by before a parameter first changes: what changes slowest is the first axis. 0: it never does.
std::size_t run_of(const std::vector<Cell>& points, std::size_t parameter) {
  std::size_t run = 0;
  while (run < points.size() && points[run].setting[parameter] == points[0].setting[parameter]) ++run;
  return run < points.size() ? run : 0;
}

/// The axis of a parameter: its values, or their ratios to the largest where folds differ.
BlockAxis axis_of(const Block& block, std::size_t parameter) {
  const std::vector<double> first = distinct(block.folds.begin()->second, parameter);
  std::vector<double> ratios(first.size(), 0);
  bool same = true;
  for (const auto& [fold, points] : block.folds) {
    const std::vector<double> values = distinct(points, parameter);
    same = same && values == first;
    const double largest = *std::ranges::max_element(values);
    for (std::size_t n = 0; n < std::min(ratios.size(), values.size()); ++n)
      ratios[n] += (largest > 0 ? values[n] / largest : values[n]) / static_cast<double>(block.folds.size());
  }
  if (same) return {block.parameters[parameter], first};
  return {block.parameters[parameter] + of_largest, ratios};
}

/// Whether points run through all combinations of these axes, the last fastest.
bool is_product(const std::vector<Cell>& points, const std::vector<std::size_t>& parameters,
                const std::vector<std::vector<double>>& values) {
  for (std::size_t p = 0; p < points.size(); ++p) {
    std::size_t rest = p;
    for (std::size_t a = parameters.size(); a-- > 0;) {
      if (points[p].setting[parameters[a]] != values[a][rest % values[a].size()]) return false;
      rest /= values[a].size();
    }
  }
  return true;
}

/// The axes of a block, slowest first; a single one of positions where its order is not known.
std::vector<BlockAxis> axes_of(const Block& block) {
  const std::vector<Cell>& points = block.folds.begin()->second;
  std::vector<std::size_t> order(block.parameters.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto product_of = [&](const std::vector<std::size_t>& parameters, std::size_t expected) {
    std::vector<std::vector<double>> values;
    std::size_t product = 1;
    for (const std::size_t p : parameters) {
      values.push_back(distinct(points, p));
      product *= values.back().size();
    }
    return product == expected && (expected != points.size() || is_product(points, parameters, values));
  };
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t p) { return run_of(points, p); });
  std::vector<BlockAxis> axes;
  if (product_of(order, points.size())) {
    for (const std::size_t p : order) axes.push_back(axis_of(block, p));
    return axes;
  }
  const std::size_t path = path_balances.size() * path_strengths.size();
  const bool penalised = block.parameters.size() >= 2 && block.parameters[0] == "tau" && block.parameters[1] == "gamma";
  if (penalised && points.size() % path == 0) {
    axes = {{"balance", {path_balances.begin(), path_balances.end()}},
            {"strength", {path_strengths.begin(), path_strengths.end()}}};
    std::erase_if(order, [](std::size_t p) { return p < 2; });
    if (product_of(order, points.size() / path)) {
      for (const std::size_t p : order) axes.push_back(axis_of(block, p));
      return axes;
    }
  }
  std::vector<double> positions(points.size());
  std::iota(positions.begin(), positions.end(), 1.0);
  return {{"setting", positions}};
}

GridBlock drawn(const Block& block, double resize) {
  std::vector<BlockAxis> axes = axes_of(block);
  const std::size_t points = block.points();
  std::vector<double> score(points), sparsity(points);
  std::vector<Index> chosen(points, 0);
  for (std::size_t p = 0; p < points; ++p) {
    std::vector<double> scores, sparsities;
    for (const auto& [fold, of_fold] : block.folds) {
      scores.push_back(of_fold[p].score);
      sparsities.push_back(of_fold[p].sparsity);
      chosen[p] += of_fold[p].chosen ? 1 : 0;
    }
    score[p] = mean_sd(scores).mean;
    sparsity[p] = mean_sd(sparsities).mean;
  }
  GridBlock out;
  for (std::size_t a = 2; a < axes.size(); ++a)
    if (axes[a].values.size() > 1) out.best_over.push_back(axes[a].name.substr(0, axes[a].name.find(of_largest)));
  if (axes.size() > 2) axes.resize(2);
  std::size_t cells = 1;
  for (const BlockAxis& axis : axes) cells *= axis.values.size();
  const std::size_t behind = points / cells;  // settings of the axes that are not shown
  out.resize = resize;
  for (const BlockAxis& axis : axes) out.axes.push_back({axis.name, {axis.values.begin(), axis.values.end()}});
  for (std::size_t cell = 0; cell < cells; ++cell) {
    std::size_t best = cell * behind;
    Index count = 0;
    for (std::size_t p = cell * behind; p < (cell + 1) * behind; ++p) {
      if (score[p] > score[best] || std::isnan(score[best])) best = p;
      count += chosen[p];
    }
    out.score.push_back(score[best]);
    out.sparsity.push_back(sparsity[best]);
    out.chosen.push_back(count);
  }
  return out;
}

/// Whether all folds have the same number of points, and all points the same parameters.
bool is_whole(const Block& block) {
  const auto same = [&](const Cell& p) { return p.setting.size() == block.parameters.size(); };
  return !block.parameters.empty() && std::ranges::all_of(block.folds, [&](const auto& of_fold) {
    return of_fold.second.size() == block.points() && std::ranges::all_of(of_fold.second, same);
  });
}

}  // namespace

std::vector<GridBlock> grid_blocks(const std::vector<GridRow>& grid, const std::string& method) {
  std::map<double, Block> blocks;
  for (const GridRow& row : grid) {
    if (row.method != method || row.fold == "all") continue;
    Block& block = blocks[std::isnan(row.resize) ? 0 : row.resize];
    Cell point{{}, row.score, row.sparsity, row.chosen};
    if (block.parameters.empty())
      for (const auto& [parameter, value] : row.setting.values) block.parameters.push_back(parameter);
    for (const auto& [parameter, value] : row.setting.values) point.setting.push_back(value);
    block.folds[row.fold].push_back(std::move(point));
  }
  std::vector<GridBlock> out;
  for (const auto& [resize, block] : blocks)
    if (is_whole(block)) out.push_back(drawn(block, resize > 0 ? resize : not_known));
  return out;
}

}  // namespace sturm
