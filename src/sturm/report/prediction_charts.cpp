// SPDX-License-Identifier: BSD-3-Clause
// Charts of predictions and of convergence.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sturm/core/table.h"
#include "sturm/report/charts.h"
#include "sturm/report/diagnostics.h"
#include "sturm/report/svg.h"
#include "sturm/report/words.h"

namespace sturm {
namespace {

/// At most `cut` bytes and a mark that there were more.
std::string shortened(std::string text, std::size_t cut = 9) {
  if (text.size() <= cut + 1) return text;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xc0U) == 0x80U) --cut;
  return text.substr(0, cut) + "…";
}

/// One square per method, a row per actual and a column per predicted class: counts as text, their shares of the row
/// as shade.
std::string class_confusion_chart(const std::vector<const StudyMethod*>& shown,
                                  const std::vector<std::string>& classes) {
  std::vector<std::string> names;
  std::size_t longest = 0;
  for (const std::string& name : classes) {
    names.push_back(shortened(name, 13));
    longest = std::max(longest, names.back().size());
  }
  const double cell = classes.size() <= 6 ? 44 : 34, square = cell * static_cast<double>(classes.size());
  const double room = 6 * static_cast<double>(longest), left = room + 20, top = room + 40;
  const double step_x = left + square + 26, step_y = top + square + 16;
  const std::size_t columns = std::min<std::size_t>(classes.size() <= 4 ? 3 : 2, shown.size());
  const std::size_t rows = (shown.size() + columns - 1) / columns;
  const double height = step_y * static_cast<double>(rows);
  Drawing drawing(std::max(320.0, step_x * static_cast<double>(columns)), height + 24);
  for (std::size_t m = 0; m < shown.size(); ++m) {
    const std::size_t row = m / columns;
    const double x = left + step_x * static_cast<double>(m % columns), y = top + step_y * static_cast<double>(row);
    const std::vector<std::vector<Index>>& matrix = *shown[m]->confusion->matrix;
    drawing.text(x + square / 2, y - room - 20, shown[m]->name, {.size = 12, .anchor = "middle", .bold = true});
    for (std::size_t r = 0; r < classes.size(); ++r) {
      const double middle = cell * (static_cast<double>(r) + 0.5);
      drawing.text(x - 6, y + middle + 4, names[r], {.size = 10, .anchor = "end"});
      drawing.text(x + middle + 4, y - 6, names[r], {.size = 10, .turned = -90});
      double of_row = 0;
      for (const Index n : matrix[r]) of_row += static_cast<double>(n);
      for (std::size_t k = 0; k < classes.size(); ++k) {
        const double here = static_cast<double>(matrix[r][k]), share = of_row > 0 ? here / of_row : 0;
        const double across = cell * static_cast<double>(k), down = cell * static_cast<double>(r);
        drawing.rectangle(x + across, y + down, cell, cell, count_colour(share), "#dddddd", 0.5);
        drawing.text(x + across + cell / 2, y + down + cell / 2 + 4, fmt::format("{:.0f}", here),
                     {.size = 11,
                      .anchor = "middle",
                      .colour = share > 0.55 ? "#ffffff"
                                : here > 0   ? "#222222"
                                             : "#999999",
                      .bold = r == k});
      }
    }
  }
  drawing.text(20, height + 10, "Predicted (columns), actual (rows); colour: share of the row.",
               {.size = 10.5, .colour = "#555555"});
  return svg_file(drawing, "Right and wrong predictions, class by class");
}

/// A name and a line for each series, to the right of a plot.
void legend(Drawing& drawing, double x, double y, const std::vector<std::string>& names) {
  for (std::size_t n = 0; n < names.size(); ++n) {
    const double at = y + 18 * static_cast<double>(n);
    drawing.line(x, at, x + 18, at, series_colour(n), 2.5);
    drawing.text(x + 24, at + 4, names[n], {.size = 11});
  }
}

}  // namespace

std::string roc_chart(const Study& study) {
  if (!study.target.positive) return {};
  const double left = 70, top = 20, size = 340;
  Drawing drawing(left + size + 210, top + size + 50);
  const Axis x{0, 1, left, left + size}, y{0, 1, top + size, top};
  draw_x_axis(drawing, x, top + size, top, "False positives (share of the negative)");
  draw_y_axis(drawing, y, left, left + size, "True positives (share of the positive)");
  drawing.line(x(0), y(0), x(1), y(1), "#999999", 1, "4 4");
  std::vector<std::string> names;
  for (const StudyMethod& method : study.methods) {
    std::vector<std::pair<double, double>> points;
    for (const auto& [across, up] : roc_corners(decisions_of(study, method.name)))
      points.emplace_back(x(across), y(up));
    if (points.empty()) continue;
    drawing.path(points, series_colour(names.size()), 2);
    names.push_back(fmt::format("{}, AUC {:.2f}", method.name, method.score(Measure::auc).pooled));
  }
  if (names.empty()) return {};
  legend(drawing, left + size + 20, top + 12, names);
  return svg_file(drawing, "ROC curves of all predictions pooled");
}

std::string confusion_chart(const Study& study) {
  std::vector<const StudyMethod*> shown;
  for (const StudyMethod& method : study.methods)
    if (method.confusion && (method.confusion->matrix || method.confusion->true_positive)) shown.push_back(&method);
  if (shown.empty()) return {};
  if (const std::vector<std::string> classes = study.target.several(); !classes.empty())
    return class_confusion_chart(shown, classes);
  constexpr double cell = 58, step_x = 200, step_y = 190, left = 70, top = 48;
  constexpr std::size_t most = 4;
  const std::size_t columns = std::min(most, shown.size()), rows = (shown.size() + most - 1) / most;
  Drawing drawing(20 + step_x * static_cast<double>(columns), step_y * static_cast<double>(rows) + 10);
  const std::string positive = study.target.positive.value_or(""), negative = study.target.negative.value_or("");
  for (std::size_t m = 0; m < shown.size(); ++m) {
    const std::size_t row = m / most;
    const double x = left + step_x * static_cast<double>(m % most), y = top + step_y * static_cast<double>(row);
    const ConfusionCounts& c = *shown[m]->confusion;
    drawing.text(x + cell, y - 26, shown[m]->name, {.size = 12, .anchor = "middle", .bold = true});
    // Rows are what is, columns what was predicted.
    const Index counts[2][2] = {{c.true_positive.value_or(0), c.false_negative.value_or(0)},
                                {c.false_positive.value_or(0), c.true_negative.value_or(0)}};
    for (int r = 0; r < 2; ++r) {
      const auto of_row = static_cast<double>(counts[r][0] + counts[r][1]);
      drawing.text(x - 6, y + cell * (r + 0.5) + 4, shortened(r == 0 ? positive : negative),
                   {.size = 10, .anchor = "end"});
      drawing.text(x + cell * (r + 0.5), y - 6, shortened(r == 0 ? positive : negative),
                   {.size = 10, .anchor = "middle"});
      for (int k = 0; k < 2; ++k) {
        const double count = static_cast<double>(counts[r][k]), share = of_row > 0 ? count / of_row : 0;
        const std::string ink = share > 0.55 ? "#ffffff" : "#222222";
        drawing.rectangle(x + cell * k, y + cell * r, cell, cell, count_colour(share), "#ffffff");
        drawing.text(x + cell * (k + 0.5), y + cell * (r + 0.5) + 1, fmt::format("{:.0f}", count),
                     {.size = 14, .anchor = "middle", .colour = ink, .bold = true});
        drawing.text(x + cell * (k + 0.5), y + cell * (r + 0.5) + 16, fmt::format("{:.0f} %", 100 * share),
                     {.size = 10, .anchor = "middle", .colour = ink});
      }
    }
    drawing.text(x + cell, y + 2 * cell + 14, "predicted (columns), actual (rows)",
                 {.size = 9, .anchor = "middle", .colour = "#555555"});
  }
  return svg_file(drawing, "Right and wrong predictions");
}

std::string scatter_chart(const Study& study) {
  const StudyMethod* const best = best_method(study);
  if (best == nullptr || !study.target.regression()) return {};
  std::vector<std::pair<double, double>> points;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const StudyPrediction& p : study.predictions) {
    const double actual = parse_number(p.actual);
    if (p.method != best->name || std::isnan(p.decision) || std::isnan(actual)) continue;
    points.emplace_back(actual, p.decision);
    low = std::min({low, points.back().first, points.back().second});
    high = std::max({high, points.back().first, points.back().second});
  }
  if (points.empty()) return {};
  const double room = high > low ? 0.05 * (high - low) : 1, left = 80, top = 20, size = 360;
  Drawing drawing(left + size + 30, top + size + 50);
  const Axis x{low - room, high + room, left, left + size}, y{low - room, high + room, top + size, top};
  draw_x_axis(drawing, x, top + size, top, study.target.column + ", actual");
  draw_y_axis(drawing, y, left, left + size, "Predicted by " + best->name);
  drawing.line(x(x.low), y(x.low), x(x.high), y(x.high), "#999999", 1, "4 4");
  for (const auto& [actual, predicted] : points)
    drawing.circle(x(actual), y(predicted), 3.5, series_colour(0), "none", 0.65);
  return svg_file(drawing, "Predicted beside actual");
}

std::string convergence_chart(const Study& study) {
  std::vector<std::string> names;
  std::vector<std::vector<std::pair<double, double>>> series;
  double low = std::numeric_limits<double>::infinity(), high = 0, last = 1;
  for (const StudyMethod& method : study.methods) {
    std::vector<std::pair<double, double>> points;
    for (const TraceRow& row : method.trace) {
      const double iteration = row.iteration, gap = row.gap;
      if (!(gap > 0)) continue;
      points.emplace_back(iteration, gap);
      low = std::min(low, gap);
      high = std::max(high, gap);
      last = std::max(last, iteration);
    }
    if (points.size() < 2) continue;
    names.push_back(method.name);
    series.push_back(std::move(points));
  }
  if (series.empty()) return {};
  const double left = 80, right = 540, top = 20, bottom = 340;
  Drawing drawing(right + 130, bottom + 50);
  const Axis x{0, last, left, right};
  const Axis y{std::pow(10.0, std::floor(std::log10(low))), std::pow(10.0, std::ceil(std::log10(high) + 1e-9)), bottom,
               top, true};
  draw_x_axis(drawing, x, bottom, top, "Iteration");
  draw_y_axis(drawing, y, left, right, "Relative duality gap");
  for (std::size_t s = 0; s < series.size(); ++s) {
    std::vector<std::pair<double, double>> pixels;
    for (const auto& [iteration, gap] : series[s]) pixels.emplace_back(x(iteration), y(gap));
    drawing.path(pixels, series_colour(s), 2);
  }
  legend(drawing, right + 20, top + 12, names);
  return svg_file(drawing, "Convergence of the models of all samples");
}

}  // namespace sturm
