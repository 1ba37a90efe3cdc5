// SPDX-License-Identifier: BSD-3-Clause
// Panels C and D: what the scores rest on, and how they were tested.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sturm/core/table.h"
#include "sturm/report/diagnostics.h"
#include "sturm/report/paper_parts.h"
#include "sturm/report/words.h"
#include "sturm/results/findings.h"

namespace sturm {
namespace {

constexpr double paper_plot = 150;  ///< height of a plot with two axes, with its words

/// Shares near 1 drawn apart: 90, 99 and 99.9 % are equally spaced.
struct NearOne {
  double low, high, first, last;
  static double stretched(double share) { return -std::log10(std::max(1 - share, 1e-6)); }
  double operator()(double share) const { return first + (stretched(share) - low) / (high - low) * (last - first); }
};

struct SparseDot {
  std::string name, colour;
  double x, y, y_sd;
};

std::optional<PaperPanel> sparsity_panel(const Study& study) {
  const MeasureFacts& facts = facts_of(study.score);
  const double unit = facts.percent ? 100 : 1;
  std::vector<SparseDot> dots;
  for (std::size_t m = 0; m < study.methods.size(); ++m) {
    const StudyMethod& method = study.methods[m];
    const StudyScore score = method.score(study.score);
    if (!std::isnan(method.sparsity.in_mask) && !std::isnan(score.mean))
      dots.push_back({method.name, series_colour(m), method.sparsity.in_mask, score.mean, score.sd});
  }
  if (dots.size() < 2) return {};
  PaperPanel out;
  out.title = title_of(facts) + " against sparsity";
  out.height = paper_plot + 5 * std::max(0.0, static_cast<double>(dots.size()) - 6);
  out.caption = fmt::format(
      "{} against the share of coefficients in the mask that are 0: means over the outer folds, bars are one standard "
      "deviation. The axis widens towards 100 %.",
      title_of(facts));
  out.draw = [dots, unit, percent = facts.percent, label = title_of(facts) + (percent_words(facts))](
                 Drawing& drawing, const Frame& frame) {
    const double left = frame.left + 40, right = frame.right() - 6, top = frame.top + 4, bottom = frame.bottom() - 28;
    std::vector<double> ys;
    double least = 1, most = 0;
    for (const SparseDot& dot : dots) {
      const double sd = std::isnan(dot.y_sd) ? 0 : dot.y_sd;
      ys.push_back(dot.y - sd);
      ys.push_back(dot.y + sd);
      least = std::min(least, NearOne::stretched(dot.x));
      most = std::max(most, NearOne::stretched(dot.x));
    }
    least = std::min(least, most);
    const double room = std::max(0.15, 0.08 * (most - least));
    const NearOne x{std::max(-0.04, least - room), most + room, left, right};
    const Axis y = paper_axis(ys, bottom, top, percent);
    paper_y_axis(drawing, y, left, right, label, unit);
    std::vector<double> ticks;
    for (const double share : {0.9, 0.99, 0.999, 0.9999, 0.0, 0.5, 0.95, 0.995, 0.75, 0.98}) {
      const double at = x(share);
      if (at < left - 1 || at > right + 1 ||
          std::ranges::any_of(ticks, [&](double other) { return std::abs(x(other) - at) < 34; }))
        continue;
      ticks.push_back(share);
      drawing.line(at, bottom, at, top, paper_grid, 0.6);
      drawing.line(at, bottom, at, bottom + 3, paper_line, 0.8);
      drawing.text(at, bottom + 12, tick_label(100 * share), {.size = paper_small, .anchor = "middle"});
    }
    drawing.line(left, bottom, right, bottom, paper_line, 0.8);
    drawing.text((left + right) / 2, bottom + 24, "Sparsity in the mask (%)", {.size = paper_text, .anchor = "middle"});
    PaperLabels labels({left, top, right - left, bottom - top});
    for (const SparseDot& dot : dots) {
      labels.keep_free(x(dot.x), y(dot.y), 4);
      if (std::isnan(dot.y_sd)) continue;
      drawing.line(x(dot.x), y(std::max(y.low, dot.y - dot.y_sd)), x(dot.x), y(std::min(y.high, dot.y + dot.y_sd)),
                   dot.colour, 0.9);
      for (const double side : {-1.0, 1.0})
        for (double part = 0.25; part <= 1; part += 0.25)
          labels.keep_free(x(dot.x), y(std::clamp(dot.y + side * part * dot.y_sd, y.low, y.high)), 1.5);
    }
    for (const SparseDot& dot : dots) drawing.circle(x(dot.x), y(dot.y), 3.2, dot.colour, "#ffffff");
    for (const SparseDot& dot : dots)
      labels.place(drawing, x(dot.x), y(dot.y), text_within(dot.name, 0.4 * frame.width, paper_text),
                   {.size = paper_text, .colour = dot.colour});
  };
  return out;
}

std::optional<PaperPanel> roc_panel(const Study& study) {
  const StudyMethod* const best = best_method(study);
  if (best == nullptr || !study.target.positive) return {};
  const std::vector<std::pair<double, double>> curve = roc_corners(decisions_of(study, best->name));
  if (curve.empty()) return {};
  const OrNull<RocBand> band = best->roc;
  PaperPanel out;
  out.title = "ROC of " + best->name;
  out.height = paper_plot + 20;
  out.caption = fmt::format("ROC curve of {}: all predictions together (AUC {:.2f})", best->name,
                            best->score(Measure::auc).pooled);
  if (band)
    out.caption += fmt::format(", and the mean ± standard deviation over {} (band) at each false positive rate",
                               plural(band->folds, "fold"));
  out.caption += ". Dashed: guessing.";
  out.draw = [curve, band](Drawing& drawing, const Frame& frame) {
    const double left = frame.left + 40, top = frame.top + 4, bottom = frame.bottom() - 28;
    const double right = std::min(frame.right() - 6, left + (bottom - top));
    const Axis x{0, 1, left, right}, y{0, 1, bottom, top};
    paper_x_axis(drawing, x, bottom, top, "False positive rate");
    paper_y_axis(drawing, y, left, right, "True positive rate");
    if (band) {
      std::vector<std::pair<double, double>> edge;
      for (std::size_t i = 0; i < band->false_positive.size(); ++i)
        edge.emplace_back(x(band->false_positive[i]), y(std::min(1.0, band->mean[i] + band->sd[i])));
      for (std::size_t i = band->false_positive.size(); i-- > 0;)
        edge.emplace_back(x(band->false_positive[i]), y(std::max(0.0, band->mean[i] - band->sd[i])));
      drawing.area(edge, series_colour(0), 0.2);
    }
    drawing.line(x(0), y(0), x(1), y(1), paper_soft, 0.9, "4 3");
    std::vector<std::pair<double, double>> points;
    for (const auto& [across, up] : curve) points.emplace_back(x(across), y(up));
    drawing.path(points, series_colour(0), 1.5);
  };
  return out;
}

std::optional<PaperPanel> predicted_panel(const Study& study) {
  const StudyMethod* const best = best_method(study);
  if (best == nullptr || !study.target.regression()) return {};
  std::vector<std::pair<double, double>> points;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const StudyPrediction& p : study.predictions) {
    const double actual = parse_number(p.actual);
    if (p.method != best->name || std::isnan(p.decision) || std::isnan(actual)) continue;
    points.emplace_back(actual, p.decision);
    low = std::min({low, actual, p.decision});
    high = std::max({high, actual, p.decision});
  }
  if (points.empty()) return {};
  const double room = high > low ? 0.05 * (high - low) : 1;
  PaperPanel out;
  out.title = "Predictions of " + best->name;
  out.height = paper_plot + 20;
  out.caption = fmt::format("{} as {} predicted it for samples that were left out, against the actual value.",
                            study.target.column, best->name);
  if (const double r = best->score(Measure::correlation).pooled; !std::isnan(r))
    out.caption += fmt::format(" Correlation of all predictions: {:.2f}.", r);
  out.caption += " Dashed: a perfect prediction.";
  out.draw = [points, low = low - room, high = high + room, column = study.target.column](Drawing& drawing,
                                                                                          const Frame& frame) {
    const double left = frame.left + 40, top = frame.top + 4, bottom = frame.bottom() - 28;
    const double right = std::min(frame.right() - 6, left + 1.3 * (bottom - top));
    const Axis x{low, high, left, right}, y{low, high, bottom, top};
    paper_x_axis(drawing, x, bottom, top, "Actual " + column);
    paper_y_axis(drawing, y, left, right, "Predicted");
    drawing.line(x(low), y(low), x(high), y(high), paper_soft, 0.9, "4 3");
    for (const auto& [actual, predicted] : points)
      drawing.circle(x(actual), y(predicted), 1.9, series_colour(0), "none", 0.65);
  };
  return out;
}

std::optional<PaperPanel> convergence_panel(const Study& study) {
  if (study.methods.size() != 1) return {};
  std::vector<std::pair<double, double>> points;
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (const TraceRow& row : study.methods.front().trace) {
    const double gap = row.gap;
    if (!(gap > 0)) continue;
    points.emplace_back(static_cast<double>(row.iteration), gap);
    low = std::min(low, gap);
    high = std::max(high, gap);
  }
  if (points.size() < 2) return {};
  PaperPanel out;
  out.title = "Convergence";
  out.height = paper_plot;
  out.caption = fmt::format("The relative duality gap of {} while it was fitted.", study.methods.front().name);
  out.draw = [points, low, high](Drawing& drawing, const Frame& frame) {
    const double left = frame.left + 40, right = frame.right() - 6, top = frame.top + 4, bottom = frame.bottom() - 28;
    const Axis x{0, points.back().first, left, right};
    const Axis y{std::pow(10.0, std::floor(std::log10(low))), std::pow(10.0, std::ceil(std::log10(high) + 1e-9)),
                 bottom, top, true};
    paper_x_axis(drawing, x, bottom, top, "Iteration");
    paper_y_axis(drawing, y, left, right, "Relative duality gap");
    std::vector<std::pair<double, double>> line;
    for (const auto& [iteration, gap] : points) line.emplace_back(x(iteration), y(gap));
    drawing.path(line, series_colour(0), 1.5);
  };
  return out;
}

std::optional<PaperPanel> permutation_panel(const Study& study) {
  const StudyMethod* const best = best_method(study);
  if (best == nullptr || best->null_scores.empty()) return {};
  const double observed = best->score(study.score).mean;
  if (std::isnan(observed)) return {};
  const MeasureFacts& facts = facts_of(study.score);
  const double unit = facts.percent ? 100 : 1;
  PaperPanel out;
  out.title = "Permuted labels";
  out.height = paper_plot;
  out.caption = fmt::format("{} of {} under {} of the labels (grey) and with the true ones (line)", title_of(facts),
                            best->name, plural(static_cast<Index>(best->null_scores.size()), "permutation"));
  if (!std::isnan(best->p.permutation)) out.caption += fmt::format(": p = {}, one-sided", p_words(best->p.permutation));
  if (!std::isnan(study.smallest_p)) out.caption += fmt::format(", never below {}", p_words(study.smallest_p));
  out.caption += ".";
  std::vector<double> null(best->null_scores.begin(), best->null_scores.end());
  out.draw = [null, observed, unit, percent = facts.percent, label = title_of(facts) + percent_words(facts),
              p = best->p.permutation](Drawing& drawing, const Frame& frame) {
    const double left = frame.left + 40, right = frame.right() - 6, top = frame.top + 14, bottom = frame.bottom() - 28;
    std::vector<double> all = null;
    all.push_back(observed);
    const Axis x = paper_axis(all, left, right, percent);
    constexpr int bins = 24;
    std::vector<int> counts(bins, 0);
    for (const double v : null)
      ++counts[std::clamp(static_cast<int>((v - x.low) / (x.high - x.low) * bins), 0, bins - 1)];
    const Axis y{0, 1.08 * *std::ranges::max_element(counts), bottom, top};
    paper_y_axis(drawing, y, left, right, "Permutations");
    paper_x_axis(drawing, x, bottom, top, label, unit);
    for (int b = 0; b < bins; ++b) {
      const double from = left + (right - left) * b / bins;
      if (counts[b] > 0)
        drawing.rectangle(from + 0.4, y(counts[b]), (right - left) / bins - 0.8, bottom - y(counts[b]), "#b3b8bf");
    }
    drawing.line(x(observed), bottom, x(observed), top, series_colour(1), 1.6);
    paper_centred(drawing, x(observed), top - 4, std::isnan(p) ? "true labels" : "p = " + p_words(p), frame);
  };
  return out;
}

/// A triangle up or down, or two lines, around a place: better, worse, cannot be told apart.
void told_mark(Drawing& drawing, double x, double y, WhichIsBetter told) {
  if (told == WhichIsBetter::neither) {
    for (const double dy : {-1.2, 1.2}) drawing.line(x - 3, y + dy, x + 3, y + dy, paper_soft, 0.9);
    return;
  }
  const double tip = told == WhichIsBetter::first ? -3.2 : 3.2;
  drawing.area({{x - 3.4, y - tip * 0.8}, {x + 3.4, y - tip * 0.8}, {x, y + tip}},
               series_colour(told == WhichIsBetter::first ? 2 : 1));
}

std::optional<PaperPanel> matrix_panel(const Study& study, double width) {
  std::vector<std::string> names;
  for (const StudyMethod& method : study.methods)
    if (std::ranges::any_of(study.comparisons,
                            [&](const Comparison& c) { return c.first == method.name || c.second == method.name; }))
      names.push_back(method.name);
  if (names.size() < 2 || study.pairs.size() != study.comparisons.size()) return {};
  double room = 0;
  for (const std::string& name : names) room = std::max(room, text_width(name, paper_text));
  room = std::min(room, 0.28 * width) + 6;
  const double cell = std::min(46.0, (width - room) / static_cast<double>(names.size())),
               tall = std::clamp(0.62 * cell, 12.0, 24.0);
  PaperPanel out;
  out.title = "Methods against each other";
  out.height = room + tall * static_cast<double>(names.size()) + 6;
  const bool regression = study.target.regression();
  out.caption = fmt::format(
      "Methods in pairs on the same samples: a triangle up where the row is better than the column, down where it is "
      "worse, two lines where they cannot be told apart (two-sided p above 0.05 after Holm's correction).{}",
      cell >= 30 ? fmt::format(" Numbers: {} of the row less that of the column{}.", regression ? "R²" : "accuracy",
                               regression ? "" : ", in percentage points")
                 : "");
  out.draw = [names, room, cell, tall, regression, comparisons = study.comparisons, pairs = study.pairs](
                 Drawing& drawing, const Frame& frame) {
    const double left = frame.left + room, top = frame.top + room;
    for (std::size_t r = 0; r < names.size(); ++r) {
      const double y = top + tall * static_cast<double>(r), x = left + cell * static_cast<double>(r);
      const std::string name = text_within(names[r], room - 6, paper_text);
      drawing.text(left - 5, y + tall / 2 + 3, name, {.size = paper_text, .anchor = "end"});
      drawing.text(x + cell / 2 + 3, top - 5, name, {.size = paper_text, .turned = -90});
      drawing.rectangle(x, y, cell, tall, "#f0f0f0", "#cccccc", 0.5);
    }
    for (std::size_t c = 0; c < comparisons.size(); ++c)
      for (const bool turned : {false, true}) {
        const Comparison& pair = comparisons[c];
        const auto row = std::ranges::find(names, turned ? pair.second : pair.first) - names.begin();
        const auto column = std::ranges::find(names, turned ? pair.first : pair.second) - names.begin();
        if (row == std::ssize(names) || column == std::ssize(names)) continue;
        const double x = left + cell * static_cast<double>(column), y = top + tall * static_cast<double>(row);
        drawing.rectangle(x, y, cell, tall, "#ffffff", "#cccccc", 0.5);
        WhichIsBetter told = pairs[c].same_samples;
        if (told == WhichIsBetter::unknown) continue;
        if (turned && told != WhichIsBetter::neither)
          told = told == WhichIsBetter::first ? WhichIsBetter::second : WhichIsBetter::first;
        const bool numbers = cell >= 30 && !std::isnan(pair.difference);
        told_mark(drawing, numbers ? x + 7 : x + cell / 2, y + tall / 2, told);
        if (!numbers) continue;
        const double shown = (turned ? -1 : 1) * pair.difference * (regression ? 1 : 100);
        std::string text = regression ? fmt::format("{:+.2f}", shown) : fmt::format("{:+.1f}", shown);
        if (text.front() == '-') text = "−" + text.substr(1);
        if (shown == 0) text = "0";
        drawing.text(x + cell - 3, y + tall / 2 + 3, text, {.size = paper_small, .anchor = "end"});
      }
  };
  return out;
}

std::optional<PaperPanel> confusion_panel(const Study& study, double width) {
  const StudyMethod* const best = best_method(study);
  if (best == nullptr || !best->confusion) return {};
  const ConfusionCounts& counts = *best->confusion;
  std::vector<std::string> names = study.target.several();
  std::vector<std::vector<Index>> matrix;
  if (counts.matrix) {
    matrix = *counts.matrix;
  } else if (counts.true_positive && study.target.positive && study.target.negative) {
    names = {*study.target.positive, *study.target.negative};
    matrix = {{counts.true_positive.value_or(0), counts.false_negative.value_or(0)},
              {counts.false_positive.value_or(0), counts.true_negative.value_or(0)}};
  }
  if (matrix.empty() || matrix.size() != names.size()) return {};
  double room = 0;
  for (const std::string& name : names) room = std::max(room, text_width(name, paper_text));
  room = std::min(room, 0.28 * width) + 6;
  const double cell = std::min(54.0, (width - room) / static_cast<double>(names.size())),
               tall = std::clamp(0.62 * cell, 13.0, 30.0);
  PaperPanel out;
  out.title = "Predictions of " + best->name;
  out.height = room + tall * static_cast<double>(names.size()) + 6;
  out.caption = fmt::format(
      "Right and wrong predictions of {}: actual classes in rows, predicted ones in columns; the "
      "shade is the share of the row.",
      best->name);
  out.draw = [names, matrix, room, cell, tall](Drawing& drawing, const Frame& frame) {
    const double left = frame.left + room, top = frame.top + room;
    for (std::size_t r = 0; r < names.size(); ++r) {
      const double y = top + tall * static_cast<double>(r);
      const std::string name = text_within(names[r], room - 6, paper_text);
      drawing.text(left - 5, y + tall / 2 + 3, name, {.size = paper_text, .anchor = "end"});
      drawing.text(left + cell * (static_cast<double>(r) + 0.5) + 3, top - 5, name,
                   {.size = paper_text, .turned = -90});
      double sum = 0;
      for (const Index n : matrix[r]) sum += static_cast<double>(n);
      for (std::size_t k = 0; k < matrix[r].size(); ++k) {
        const double share = sum > 0 ? static_cast<double>(matrix[r][k]) / sum : 0,
                     x = left + cell * static_cast<double>(k);
        drawing.rectangle(x, y, cell, tall, count_colour(share), "#cccccc", 0.5);
        drawing.text(
            x + cell / 2, y + tall / 2 + 3, std::to_string(matrix[r][k]),
            {.size = paper_small, .anchor = "middle", .colour = share > 0.55 ? "#ffffff" : "#222222", .bold = r == k});
      }
    }
  };
  return out;
}

}  // namespace

std::optional<PaperPanel> evidence_panel(const Study& study) {
  if (study.kind == ReportKind::fit) return convergence_panel(study);
  if (study.target.regression()) return predicted_panel(study);
  if (std::optional<PaperPanel> panel = sparsity_panel(study)) return panel;
  return roc_panel(study);
}

std::optional<PaperPanel> test_panel(const Study& study, double width) {
  if (std::optional<PaperPanel> panel = permutation_panel(study)) return panel;
  if (std::optional<PaperPanel> panel = matrix_panel(study, width)) return panel;
  return confusion_panel(study, width);
}

}  // namespace sturm
