// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/paper_figure.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "sturm/report/paper_panels.h"

namespace sturm {
namespace {

constexpr double paper_margin = 5, paper_gap = 20, paper_head = 17;

std::vector<PaperPanel> panels_of(const Report& report, double width) {
  std::vector<PaperPanel> out;
  for (std::optional<PaperPanel>& panel :
       std::vector<std::optional<PaperPanel>>{scores_panel(report.study), map_panel(report, width),
                                              evidence_panel(report.study), test_panel(report.study, width)})
    if (panel) out.push_back(std::move(*panel));
  return out;
}

}  // namespace

int paper_pixels(int millimetres) { return static_cast<int>(std::lround(millimetres / 25.4 * paper_dpi)); }

Drawing paper_figure(const Report& report, int millimetres) {
  const double whole = millimetres / 25.4 * 96;
  const std::size_t columns = millimetres > 120 ? 2 : 1;
  const auto count = static_cast<double>(columns);
  const double width = (whole - 2 * paper_margin - (count - 1) * paper_gap) / count;
  const std::vector<PaperPanel> panels = panels_of(report, width);
  std::vector<double> tops, heights;
  double top = paper_margin;
  for (std::size_t first = 0; first < panels.size(); first += columns) {
    double height = 0;
    for (std::size_t p = first; p < std::min(first + columns, panels.size()); ++p)
      height = std::max(height, panels[p].height);
    tops.push_back(top);
    heights.push_back(height);
    top += paper_head + height + paper_gap / 2;
  }
  Drawing out(whole, panels.empty() ? 1 : top - paper_gap / 2 + paper_margin);
  for (std::size_t p = 0; p < panels.size(); ++p) {
    const std::size_t row = p / columns;
    const double left = paper_margin + static_cast<double>(p % columns) * (width + paper_gap);
    out.text(left, tops[row] + 10, std::string(1, static_cast<char>('A' + p)), {.size = 12, .bold = true});
    out.text(left + 15, tops[row] + 10, text_within(panels[p].title, width - 15, paper_text), {.size = paper_text});
    panels[p].draw(out, {left, tops[row] + paper_head, width, heights[row]});
  }
  return out;
}

std::string paper_caption(const Report& report) {
  const std::vector<PaperPanel> panels = panels_of(report, 300);
  if (panels.empty()) return {};
  const Study& study = report.study;
  std::string out;
  if (study.target.regression())
    out = fmt::format("Prediction of {} from {}", study.target.column, plural(study.counts.samples, "volume"));
  else if (study.target.positive)
    out = fmt::format("Telling {} from {} in {}", *study.target.positive, study.target.negative.value_or("the rest"),
                      plural(study.counts.samples, "volume"));
  else
    out = fmt::format("Telling {} classes of {} apart in {}", study.target.several().size(), study.target.column,
                      plural(study.counts.samples, "volume"));
  if (study.counts.groups) out += fmt::format(" ({})", plural(*study.counts.groups, "group"));
  out += ".";
  for (std::size_t p = 0; p < panels.size(); ++p)
    out += fmt::format(" ({}) {}", static_cast<char>('A' + p), panels[p].caption);
  return out;
}

}  // namespace sturm
