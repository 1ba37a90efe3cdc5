// SPDX-License-Identifier: BSD-3-Clause
// The charts and slices of a report as files for papers: SVG and PNG, without a browser.
#pragma once

#include <string>
#include <vector>

#include "sturm/report/report.h"

namespace sturm {

struct Figure {
  std::string name;   ///< of the file
  std::string bytes;  ///< of the same
};

/// The figure for a paper (figure_89mm and figure_183mm as SVG and, where this build can, PDF and PNG at 300 dpi) with
/// caption.md and references.bib; comparison of the methods, accuracy beside sparsity, heat maps of the grids,
/// convergence, ROC curves and confusions as SVG, and one mosaic of slices per map as PNG (one per class where there
/// are several, named by its number and the class): those for which there are numbers. The same report gives the same
/// bytes.
std::vector<Figure> figures_of(const Report& report);

/// What this build leaves out and why, in a sentence; empty: nothing.
std::string figures_left_out();

/// The figure for a paper as the page carries it: SVG and PDF in both widths. What the study is told of each.
std::vector<std::pair<StudyFigure, std::string>> page_figures(const Report& report);

}  // namespace sturm
