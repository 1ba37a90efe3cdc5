// SPDX-License-Identifier: BSD-3-Clause
// Panels A and B: scores, and a map. The others are in paper_evidence.cpp.
#include "sturm/report/paper_panels.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "sturm/models/registry.h"
#include "sturm/report/paper_parts.h"
#include "sturm/report/readable_map.h"
#include "sturm/report/slices.h"
#include "sturm/report/words.h"
#include "sturm/results/findings.h"

namespace sturm {
namespace {

struct ScoreRow {
  std::string name;
  double centre = not_known, low = not_known, high = not_known;
  std::vector<double> folds;
};

/// One row for each method that has a score: all predictions with their interval, or mean and deviation of the folds.
std::vector<ScoreRow> score_rows(const Study& study) {
  std::vector<ScoreRow> rows;
  for (const StudyMethod& method : study.methods) {
    const StudyScore score = method.score(study.score);
    ScoreRow row{method.name, score.mean, not_known, not_known, {}};
    if (method.interval) {
      row.centre = score.pooled;
      row.low = method.interval->front();
      row.high = method.interval->back();
    } else if (!std::isnan(score.sd)) {
      row.low = row.centre - score.sd;
      row.high = row.centre + score.sd;
    }
    if (std::isnan(row.centre)) continue;
    for (const double fold : score.folds)
      if (!std::isnan(fold)) row.folds.push_back(fold);
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Guessing, with what it is called; NaN where there is none to draw.
std::pair<double, std::string> guess_line(const Study& study) {
  if (study.target.regression()) return {study.score == Measure::mean_absolute_error ? not_known : 0.0, "mean"};
  if (study.score == Measure::accuracy && !std::isnan(study.majority))
    return {study.majority, study.target.several().empty() ? "larger class" : "largest class"};
  return {study.chance, "chance"};
}

std::string scores_caption(const Study& study, std::size_t methods) {
  const MeasureFacts& facts = facts_of(study.score);
  const bool intervals =
      std::ranges::any_of(study.methods, [](const StudyMethod& m) { return m.interval.has_value(); });
  std::string out =
      fmt::format("{} of {} on samples that were left out", title_of(facts),
                  methods == 1 ? study.methods.front().name : plural(static_cast<Index>(methods), "method"));
  if (study.counts.folds) out += fmt::format(" ({})", plural(*study.counts.folds, "outer fold"));
  out += intervals ? ". Points: all predictions together; bars: their 95 % intervals; rings: outer folds."
                   : ". Points and bars: mean and standard deviation over the outer folds; rings: outer folds.";
  if (const auto [guess, name] = guess_line(study); !std::isnan(guess))
    out += fmt::format(" Dashed: {} ({}).",
                       name == "mean"     ? "predicting the mean"
                       : name == "chance" ? name
                                          : "always naming the " + name,
                       score_words(study.score, guess));
  if (const StudyMethod* const best = best_method(study)) {
    const StudyScore score = best->score(study.score);
    out += fmt::format(" Best over the folds: {}, {}", best->name, score_words(study.score, score.mean));
    if (best->interval)
      out += fmt::format(" (all predictions {}, 95 % interval {} to {})", score_words(study.score, score.pooled),
                         score_words(study.score, best->interval->front()),
                         score_words(study.score, best->interval->back()));
    out += ".";
  }
  return out;
}

std::string place_words(const Slice& slice, bool in_world) {
  const std::string at =
      fmt::format("{} = {}{}", "xyz"[slice.axis], slice.at < 0 ? "−" : "", std::abs(std::lround(slice.at)));
  if (!in_world) return at;
  if (slice.axis != 0) return at;
  return at + (std::lround(slice.at) < 0 ? " (L)" : std::lround(slice.at) > 0 ? " (R)" : "");
}

std::string map_caption(const Study& study, const ReportVolume& volume, const SliceSet& set, const std::string& why) {
  const std::string of_class = volume.of_class.empty() ? "" : fmt::format(" for {}", volume.of_class);
  std::string out = fmt::format("Weights of {}{}, fitted to all samples", volume.method, of_class);
  out += set.threshold > 0 ? fmt::format(": the {} with |w| of at least {:.2g}, 2 % of the volume.",
                                         plural(set.shown, "voxel"), set.threshold)
                           : fmt::format(": the {} that are not 0.", plural(set.shown, "voxel"));
  if (!why.empty()) out += " " + why;
  if (!volume.of_class.empty())
    out += fmt::format(" Orange: for {}; blue: against it.", volume.of_class);
  else if (study.target.positive)
    out += fmt::format(" Orange: towards {}; blue: towards {}.", *study.target.positive,
                       study.target.negative.value_or("the rest"));
  else
    out += " Orange: positive; blue: negative.";
  out += fmt::format(" Colours end at ±{:.2g}.", set.limit);
  if (set.in_world)
    return out +
           " Coordinates are in millimetres; the left of the brain (L) is on the left, and (L) or (R) says on which "
           "side of the middle a sagittal slice lies.";
  return out + " Coordinates are voxels, as the array has no place in the world.";
}

}  // namespace

std::optional<PaperPanel> scores_panel(const Study& study) {
  std::vector<ScoreRow> rows = score_rows(study);
  if (rows.empty()) return {};
  const MeasureFacts& facts = facts_of(study.score);
  const double unit = facts.percent ? 100 : 1;
  PaperPanel out;
  out.title = title_of(facts) + " of each method";
  out.height = 46 + (rows.size() > 8 ? 12 : 17) * static_cast<double>(rows.size());
  out.caption = scores_caption(study, rows.size());
  out.draw = [rows, unit, guess = guess_line(study), percent = facts.percent,
              label = title_of(facts) + percent_words(facts)](Drawing& drawing, const Frame& frame) {
    double names = 20;
    for (const ScoreRow& row : rows) names = std::max(names, text_width(row.name, paper_text));
    names = std::min(names, 0.34 * frame.width);
    const double left = frame.left + names + 8, top = frame.top + 14, bottom = frame.bottom() - 28;
    std::vector<double> all;
    for (const ScoreRow& row : rows) {
      all.insert(all.end(), row.folds.begin(), row.folds.end());
      for (const double v : {row.centre, row.low, row.high})
        if (!std::isnan(v)) all.push_back(v);
    }
    if (!std::isnan(guess.first)) all.push_back(guess.first);
    const Axis x = paper_axis(all, left, frame.right() - 6, percent);
    paper_x_axis(drawing, x, bottom, top, label, unit);
    if (!std::isnan(guess.first)) {
      drawing.line(x(guess.first), top, x(guess.first), bottom, paper_soft, 0.9, "4 3");
      paper_centred(drawing, x(guess.first), top - 4, guess.second, frame);
    }
    const double step = (bottom - top) / static_cast<double>(rows.size());
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const ScoreRow& row = rows[r];
      const double y = top + step * (static_cast<double>(r) + 0.5);
      drawing.text(left - 6, y + 3, text_within(row.name, names, paper_text), {.size = paper_text, .anchor = "end"});
      for (const double fold : row.folds) drawing.circle(x(fold), y + std::min(5.0, step / 3), 1.7, "none", "#8a8a8a");
      if (!std::isnan(row.low)) {
        drawing.line(x(row.low), y, x(row.high), y, series_colour(0), 1.3);
        for (const double end : {row.low, row.high})
          drawing.line(x(end), y - 2.5, x(end), y + 2.5, series_colour(0), 1.3);
      }
      drawing.circle(x(row.centre), y, 3, series_colour(0), "#ffffff");
    }
  };
  return out;
}

std::optional<PaperPanel> map_panel(const Report& report, double width) {
  const std::optional<ReadableMap> readable = readable_map(report.study, report.volumes);
  if (!readable) return {};
  const ReportVolume* const volume = readable->volume;
  const BrainMap* under = nullptr;
  for (const ReportVolume& other : report.volumes)
    if (other.kind == VolumeKind::background) under = &other.map;
  constexpr double gap = 4, bar = 46, words = 13;
  const SliceSet set = slices_of(volume->map, under, 200);
  if (set.axial.empty() || set.coronal.empty() || set.sagittal.empty()) return {};
  // One scale for all slices: the row that needs more room sets it.
  const auto row_width = [](const std::vector<const Slice*>& row) {
    double sum = 0;
    for (const Slice* slice : row) sum += slice->width;
    return sum;
  };
  std::vector<std::vector<const Slice*>> rows(2);
  for (const Slice& slice : set.axial) rows[0].push_back(&slice);
  for (const Slice& slice : set.coronal) rows[1].push_back(&slice);
  for (const Slice& slice : set.sagittal) rows[1].push_back(&slice);
  double scale = 1e9, height = 4;
  for (const auto& row : rows)
    scale = std::min(scale, (width - bar - gap * (static_cast<double>(row.size()) - 1)) / row_width(row));
  for (const auto& row : rows) height += scale * std::ranges::max(row, {}, &Slice::height)->height + words + gap;
  PaperPanel out;
  out.title = "Map of " + volume->method + (volume->of_class.empty() ? "" : ": " + volume->of_class);
  out.height = height;
  out.caption = map_caption(report.study, *volume, set, readable->why);
  out.draw = [set, scale](Drawing& drawing, const Frame& frame) {
    double top = frame.top + 4;
    for (const bool first : {true, false}) {
      std::vector<const Slice*> row;
      for (const auto* list : {&set.axial, &set.coronal, &set.sagittal})
        if ((list == &set.axial) == first)
          for (const Slice& slice : *list) row.push_back(&slice);
      double sum = 0, tallest = 0;
      for (const Slice* slice : row) {
        sum += scale * slice->width;
        tallest = std::max(tallest, scale * slice->height);
      }
      const double room = frame.width - bar;
      const double between = row.size() > 1 ? (room - sum) / (static_cast<double>(row.size()) - 1) : 0;
      double x = frame.left;
      for (const Slice* slice : row) {
        const double wide = scale * slice->width, tall = scale * slice->height;
        drawing.picture(x, top, wide, tall, slice->image);
        if (set.in_world && slice->axis != 0) {
          for (const bool left : {true, false}) {  // on black, as the anatomy below may be light
            drawing.rectangle(left ? x : x + wide - 9, top, 9, 10, "#000000");
            drawing.text(left ? x + 4.5 : x + wide - 4.5, top + 8, left ? "L" : "R",
                         {.size = paper_small, .anchor = "middle", .colour = "#ffffff"});
          }
        }
        drawing.text(x + wide / 2, top + tall + 10, place_words(*slice, set.in_world),
                     {.size = paper_small, .anchor = "middle"});
        x += wide + between;
      }
      top += tallest + words + gap;
    }
    // The scale of the colours.
    const double left = frame.right() - bar + 14, from = frame.top + 22, to = top - words - gap - 14;
    Image colours(1, 101);
    for (int y = 0; y < 101; ++y) colours.set(0, y, y == 50 ? Colour{0, 0, 0} : weight_colour(1 - y / 50.0));
    drawing.picture(left, from, 8, to - from, colours);
    drawing.text(frame.right() + 2, from - 13, "weight", {.size = paper_small, .anchor = "end"});
    drawing.text(frame.right() + 2, from - 3, fmt::format("{:.2g}", set.limit), {.size = paper_small, .anchor = "end"});
    drawing.text(left + 11, (from + to) / 2 + 3, "0", {.size = paper_small});
    drawing.text(frame.right() + 2, to + 9, fmt::format("−{:.2g}", set.limit), {.size = paper_small, .anchor = "end"});
  };
  return out;
}

}  // namespace sturm
