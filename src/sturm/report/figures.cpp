// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/figures.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "sturm/core/parallel.h"
#include "sturm/report/charts.h"
#include "sturm/report/mosaic.h"
#include "sturm/report/paint.h"
#include "sturm/report/paper_figure.h"
#include "sturm/report/svg.h"

namespace sturm {
namespace {

/// A name as a part of a file's name.
std::string plain(std::string name) {
  for (char& c : name)
    if ((c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '+') c = '_';
  return name.substr(0, 40);
}

std::string figure_title(const Report& report) {
  return report.study.title.empty() ? "A study" : "The study " + report.study.title;
}

}  // namespace

std::string figures_left_out() {
  if (can_paint()) return {};
  return "The figure for a paper is written as SVG alone: this copy of sturm was built without cairo, which PDF and "
         "PNG "
         "need (Debian package libcairo2-dev).";
}

std::vector<std::pair<StudyFigure, std::string>> page_figures(const Report& report) {
  std::vector<std::vector<std::pair<StudyFigure, std::string>>> each(std::size(paper_widths));
  parallel_for(std::ssize(each), [&](Index i, int) {
    const int width = paper_widths[i];
    const Drawing drawing = paper_figure(report, width);
    if (drawing.shapes().empty()) return;
    const auto add = [&](const std::string& kind, std::string bytes) {
      each[i].push_back(
          {{fmt::format("{}-{}", width, kind), fmt::format("figure_{}mm.{}", width, kind), width, paper_pixels(width)},
           std::move(bytes)});
    };
    add("svg", svg_file(drawing, figure_title(report)));
    if (can_paint()) add("pdf", pdf_file(drawing, figure_title(report)));
  });
  std::vector<std::pair<StudyFigure, std::string>> out;
  for (auto& figures : each) std::ranges::move(figures, std::back_inserter(out));
  return out;
}

std::vector<Figure> figures_of(const Report& report) {
  std::vector<Figure> out;
  const Study& study = report.study;
  const auto add = [&](const std::string& name, std::string bytes) {
    if (!bytes.empty()) out.push_back({name, std::move(bytes)});
  };
  for (auto& [figure, bytes] : page_figures(report)) add(figure.name, std::move(bytes));
  for (const int width : paper_widths)
    if (const Drawing drawing = paper_figure(report, width); can_paint() && !drawing.shapes().empty())
      add(fmt::format("figure_{}mm.png", width), painted(drawing, paper_pixels(width)).png(paper_dpi));
  if (const std::string caption = paper_caption(report); !caption.empty()) add("caption.md", caption + "\n");
  add("references.bib", study.text.bibtex);
  add("comparison.svg", comparison_chart(study));
  add("sparsity.svg", sparsity_chart(study));
  add("permutations.svg", null_chart(study));
  add("roc.svg", roc_chart(study));
  add("confusion.svg", confusion_chart(study));
  add("scatter.svg", scatter_chart(study));
  add("convergence.svg", convergence_chart(study));
  for (const StudyMethod& method : study.methods) add("grid_" + plain(method.name) + ".svg", grid_chart(study, method));
  const BrainMap* under = nullptr;
  std::vector<const BrainMap*> maps;
  for (const ReportVolume& volume : report.volumes) {
    if (volume.kind == VolumeKind::background) under = &volume.map;
    if (volume.kind == VolumeKind::map || volume.kind == VolumeKind::truth) maps.push_back(&volume.map);
  }
  if (maps.empty()) return out;
  const Cuts cuts = cuts_through(maps);
  for (const ReportVolume& volume : report.volumes) {
    std::string name = to_word(volume.kind) + (volume.method.empty() ? "" : "_" + plain(volume.method));
    if (!volume.of_class.empty())
      name += "_" + volume.id.substr(volume.id.rfind('-') + 1) + "_" + plain(volume.of_class);
    name += ".png";
    if (volume.kind == VolumeKind::map || volume.kind == VolumeKind::truth)
      add(name, mosaic(volume.map, under, cuts, Palette::diverging).png());
    else if (volume.kind == VolumeKind::stability)
      add(name, mosaic(volume.map, under, cuts, Palette::sequential).png());
  }
  return out;
}

}  // namespace sturm
