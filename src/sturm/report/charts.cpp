// SPDX-License-Identifier: BSD-3-Clause
// Charts that compare methods by their scores.
#include "sturm/report/charts.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "sturm/core/table.h"
#include "sturm/report/svg.h"
#include "sturm/report/words.h"

namespace sturm {
namespace {

struct Headline {
  Measure measure = Measure::accuracy;
  std::string words, label;
  double unit = 1;  ///< 100 where it is shown in percent
};

Headline headline_of(const Study& study) {
  const MeasureFacts& facts = facts_of(study.score);
  return {study.score, facts.words, title_of(facts) + (facts.percent ? " (%)" : ""), facts.percent ? 100.0 : 1.0};
}

std::vector<double> numbers(std::vector<double> values) {
  std::erase_if(values, [](double v) { return std::isnan(v); });
  return values;
}

/// A range that holds all values with a little room.
Axis axis_around(std::vector<double> values, double first, double last, bool share) {
  if (values.empty()) values = {0, 1};
  const auto [low, high] = std::ranges::minmax(values);
  const double room = std::max(0.05 * (high - low), 1e-3);
  Axis axis{low - room, high + room, first, last};
  if (share) {
    axis.low = std::max(0.0, std::floor(20 * axis.low) / 20);
    axis.high = std::min(1.0, std::ceil(20 * axis.high) / 20);
    if (axis.high <= axis.low) axis = {0, 1, first, last};
  }
  return axis;
}

}  // namespace

std::string comparison_chart(const Study& study) {
  const Headline score = headline_of(study);
  struct Row {
    std::string name;
    double centre, low, high;
    std::vector<double> folds;
  };
  std::vector<Row> rows;
  std::vector<double> all;
  bool intervals = false;
  for (const StudyMethod& method : study.methods) {
    const StudyScore values = method.score(score.measure);
    Row row{method.name, values.mean, std::nan(""), std::nan(""), {}};
    if (method.interval) {
      intervals = true;
      row.centre = values.pooled;
      row.low = method.interval->front();
      row.high = method.interval->back();
    } else if (!std::isnan(values.sd)) {
      row.low = row.centre - values.sd;
      row.high = row.centre + values.sd;
    }
    if (std::isnan(row.centre)) continue;
    row.folds = numbers(values.folds);
    all.insert(all.end(), row.folds.begin(), row.folds.end());
    for (const double v : {row.centre, row.low, row.high})
      if (!std::isnan(v)) all.push_back(v);
    rows.push_back(std::move(row));
  }
  if (rows.empty()) return {};
  const double left = 110, top = 20, step = 36, width = 640;
  const double bottom = top + step * static_cast<double>(rows.size());
  const bool of_accuracy = score.measure == Measure::accuracy;
  const bool several = of_accuracy && !study.target.several().empty();
  Drawing drawing(width, bottom + (several ? 81 : 66));
  const double chance = study.chance, guess = of_accuracy ? study.majority : chance;
  if (!std::isnan(guess)) all.push_back(guess);
  if (several && !std::isnan(chance)) all.push_back(chance);
  const Axis x = axis_around(all, left, width - 20, score.unit == 100);
  draw_x_axis(drawing, x, bottom, top, score.label, score.unit);
  if (!std::isnan(guess)) drawing.line(x(guess), top, x(guess), bottom, "#b00020", 1.2, "5 4");
  if (several && !std::isnan(chance)) drawing.line(x(chance), top, x(chance), bottom, "#b00020", 1.2, "1.5 3");
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Row& row = rows[r];
    const double y = top + step * (static_cast<double>(r) + 0.5);
    drawing.text(left - 10, y + 4, row.name, {.size = 12, .anchor = "end"});
    for (const double fold : row.folds) drawing.circle(x(fold), y + 9, 2.8, "none", "#8a8a8a");
    if (!std::isnan(row.low)) {
      drawing.line(x(row.low), y, x(row.high), y, series_colour(0), 2);
      for (const double end : {row.low, row.high}) drawing.line(x(end), y - 5, x(end), y + 5, series_colour(0), 2);
    }
    drawing.circle(x(row.centre), y, 5, series_colour(0), "#ffffff");
  }
  std::string legend = intervals ? "Point and bar: all predictions with their 95 % interval."
                                 : "Point and bar: mean over folds ± standard deviation.";
  legend += " Rings: folds.";
  if (several)
    drawing.text(left, bottom + 71, "Dashed: always the largest class. Dotted: chance.",
                 {.size = 10.5, .colour = "#555555"});
  else if (!std::isnan(guess))
    legend += of_accuracy ? " Dashed: always the larger class." : " Dashed: chance.";
  drawing.text(left, bottom + 56, legend, {.size = 10.5, .colour = "#555555"});
  return svg_file(drawing, "Methods compared by " + score.words);
}

std::string sparsity_chart(const Study& study) {
  const Headline score = headline_of(study);
  struct Dot {
    std::string name;
    double x, y, x_sd, y_sd;
  };
  std::vector<Dot> points;
  std::vector<double> xs, ys;
  for (const StudyMethod& method : study.methods) {
    const StudyScore values = method.score(score.measure);
    const Dot p{method.name, method.sparsity.in_mask, values.mean, method.sparsity.in_mask_sd, values.sd};
    if (std::isnan(p.x) || std::isnan(p.y)) continue;
    for (const double s : {-1.0, 1.0}) {
      xs.push_back(p.x + (std::isnan(p.x_sd) ? 0 : s * p.x_sd));
      ys.push_back(p.y + (std::isnan(p.y_sd) ? 0 : s * p.y_sd));
    }
    points.push_back(p);
  }
  if (points.empty()) return {};
  const double left = 70, right = 600, top = 32, bottom = 372;
  Drawing drawing(640, bottom + 50);
  const Axis x = axis_around(xs, left, right, true), y = axis_around(ys, bottom, top, score.unit == 100);
  draw_x_axis(drawing, x, bottom, top, "Sparsity: coefficients in the mask that are 0 (%)", 100);
  draw_y_axis(drawing, y, left, right, score.label, score.unit);
  for (std::size_t p = 0; p < points.size(); ++p) {
    const Dot& at = points[p];
    const std::string colour = series_colour(p);
    if (!std::isnan(at.x_sd))
      drawing.line(x(std::max(x.low, at.x - at.x_sd)), y(at.y), x(std::min(x.high, at.x + at.x_sd)), y(at.y), colour);
    if (!std::isnan(at.y_sd))
      drawing.line(x(at.x), y(std::max(y.low, at.y - at.y_sd)), x(at.x), y(std::min(y.high, at.y + at.y_sd)), colour);
    drawing.circle(x(at.x), y(at.y), 5, colour, "#ffffff");
    const bool at_right = x(at.x) > right - 70;
    drawing.text(x(at.x) + (at_right ? -9 : 9), y(at.y) - 9, at.name,
                 {.size = 12, .anchor = at_right ? "end" : "start", .colour = colour, .bold = true});
  }
  return svg_file(drawing, score.words + " beside sparsity");
}

std::string null_chart(const Study& study) {
  const Headline score = headline_of(study);
  std::vector<const StudyMethod*> shown;
  std::vector<double> all;
  for (const StudyMethod& method : study.methods) {
    const std::vector<Number>& null = method.null_scores;
    const double mean = method.score(score.measure).mean;
    if (null.empty() || std::isnan(mean)) continue;
    shown.push_back(&method);
    all.insert(all.end(), null.begin(), null.end());
    all.push_back(mean);
  }
  if (shown.empty()) return {};
  const double left = 110, right = 620, top = 20, step = 64;
  const double bottom = top + step * static_cast<double>(shown.size());
  Drawing drawing(640, bottom + 66);
  const Axis x = axis_around(all, left, right, score.unit == 100);
  draw_x_axis(drawing, x, bottom, top, score.label, score.unit);
  constexpr int bins = 30;
  for (std::size_t m = 0; m < shown.size(); ++m) {
    const StudyMethod& method = *shown[m];
    std::vector<int> counts(bins, 0);
    for (const double v : method.null_scores)
      ++counts[std::clamp(static_cast<int>((v - x.low) / (x.high - x.low) * bins), 0, bins - 1)];
    const double base = top + step * static_cast<double>(m + 1) - 6, height = step - 20;
    const double most = *std::ranges::max_element(counts);
    for (int b = 0; b < bins; ++b) {
      if (counts[b] == 0) continue;
      const double from = x.first + (x.last - x.first) * b / bins, tall = height * counts[b] / most;
      drawing.rectangle(from + 0.5, base - tall, (x.last - x.first) / bins - 1, tall, "#b8c4d0");
    }
    drawing.line(left, base, right, base, "#444444", 0.8);
    const double mean = method.score(score.measure).mean;
    drawing.line(x(mean), base, x(mean), base - height - 6, series_colour(1), 2);
    drawing.text(left - 10, base - 16, method.name, {.size = 12, .anchor = "end"});
    if (const double p = method.p.permutation; !std::isnan(p))
      drawing.text(left - 10, base - 2, fmt::format("p = {:.3g}", p),
                   {.size = 10.5, .anchor = "end", .colour = "#555555"});
  }
  drawing.text(left, bottom + 56, "Grey: scores under permuted labels. Line: the score of the true ones.",
               {.size = 10.5, .colour = "#555555"});
  return svg_file(drawing, "Scores under permuted labels");
}

std::string grid_chart(const Study& study, const StudyMethod& method) {
  const Headline score = headline_of(study);
  // One scale for all methods, so that their maps can be laid side by side.
  std::vector<double> all;
  std::string dropped;
  for (const StudyMethod& each : study.methods)
    for (const GridBlock& block : each.grid) {
      const std::vector<double> values = numbers(block.score);
      all.insert(all.end(), values.begin(), values.end());
      if (&each == &method && dropped.empty() && !block.best_over.empty())
        dropped = "; the best over " + join(block.best_over, block.best_over.size());
    }
  if (method.grid.empty() || all.empty()) return {};
  const auto [least, most] = std::ranges::minmax(all);
  const auto share = [low = least, high = most](double v) { return high > low ? (v - low) / (high - low) : 1.0; };
  constexpr double cell = 44, tall = 26, left = 90, top = 48, below = 66;
  // One axis lies along x; of two the first goes down.
  double width = left, height = 0;
  for (const GridBlock& block : method.grid) {
    const std::vector<GridAxis>& axes = block.axes;
    width += cell * static_cast<double>(axes.back().values.size()) + left;
    height = std::max(height, tall * static_cast<double>(axes.size() > 1 ? axes[0].values.size() : 1));
  }
  const std::string heading = method.name + ": mean inner " + score.words + " over the outer folds" + dropped;
  width = std::max({width, left + text_width(heading, 13, true) + 10, 480.0});
  Drawing drawing(width, top + height + below + 44);
  drawing.text(left, 18, heading, {.size = 13, .bold = true});
  double x0 = left;
  for (const GridBlock& block : method.grid) {
    const std::vector<GridAxis>& axes = block.axes;
    const GridAxis& across = axes.back();
    const std::size_t columns = across.values.size(), rows = axes.size() > 1 ? axes[0].values.size() : 1;
    const double wide = cell * static_cast<double>(columns), high = tall * static_cast<double>(rows);
    if (method.grid.size() > 1)
      drawing.text(x0, top - 10, fmt::format("resized by {}", tick_label(block.resize)), {.size = 11});
    for (std::size_t r = 0; r < rows; ++r) {
      const double y = top + tall * static_cast<double>(r);
      if (axes.size() > 1)
        drawing.text(x0 - 6, y + tall / 2 + 4, tick_label(axes[0].values[r]), {.size = 10, .anchor = "end"});
      for (std::size_t c = 0; c < columns; ++c) {
        const std::size_t at = r * columns + c;
        const double x = x0 + cell * static_cast<double>(c);
        if (std::isnan(block.score[at])) {
          drawing.rectangle(x, y, cell, tall, "#eeeeee", "#ffffff");
          continue;
        }
        const double value = block.score[at], here = share(value);
        const std::string ink = heat_is_dark(here) ? "#ffffff" : "#000000";
        drawing.rectangle(x, y, cell, tall, heat_colour(here), "#ffffff");
        drawing.text(x + cell / 2, y + tall / 2 + 3.5,
                     score.unit == 100 ? fmt::format("{:.1f}", 100 * value) : fmt::format("{:.2f}", value),
                     {.size = 9.5, .anchor = "middle", .colour = ink});
        if (const auto often = block.chosen[at]; often > 0) {
          drawing.rectangle(x + 1.5, y + 1.5, cell - 3, tall - 3, "none", "#000000", 2);
          drawing.rectangle(x + 3, y + 3, cell - 6, tall - 6, "none", "#ffffff");
          drawing.text(x + cell - 5, y + 10.5, std::to_string(often),
                       {.size = 7.5, .anchor = "end", .colour = ink, .bold = true});
        }
      }
    }
    for (std::size_t c = 0; c < columns; ++c)
      drawing.text(x0 + cell * (static_cast<double>(c) + 0.5), top + high + 14, tick_label(across.values[c]),
                   {.size = 10, .anchor = "middle"});
    drawing.text(x0 + wide / 2, top + high + 32, across.name, {.size = 12, .anchor = "middle"});
    if (axes.size() > 1)
      drawing.text(x0 - 52, top + high / 2, axes[0].name, {.size = 12, .anchor = "middle", .turned = -90});
    x0 += wide + left;
  }
  drawing.text(left, top + height + below + 6, "Framed, with their number: settings that outer folds chose.",
               {.size = 10.5, .colour = "#555555"});
  return svg_file(drawing, "Inner scores over the grid of " + method.name);
}

}  // namespace sturm
