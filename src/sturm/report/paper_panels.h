// SPDX-License-Identifier: BSD-3-Clause
// The panels of the figure for a paper, each small enough for a column. Sizes are pixels of 1/96 inch; no text is below
// 6 points.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "sturm/report/drawing.h"
#include "sturm/report/report.h"

namespace sturm {

struct Frame {
  double left = 0, top = 0, width = 0, height = 0;
  double right() const { return left + width; }
  double bottom() const { return top + height; }
};

struct PaperPanel {
  std::string title;
  double height = 0;  ///< that it needs; it may be given more
  std::function<void(Drawing&, const Frame&)> draw;
  std::string caption;  ///< sentences
};

/// Text of a figure in print: 7 and 6 points, in pixels.
inline constexpr double paper_text = 9.34, paper_small = 8.01;

/// Each in a column of that width; none where the study has no numbers for it.
std::optional<PaperPanel> scores_panel(const Study& study);
std::optional<PaperPanel> map_panel(const Report& report, double width);
/// Accuracy against sparsity, or ROC curves; of a regression predicted against actual; of a fit its convergence.
std::optional<PaperPanel> evidence_panel(const Study& study);
/// Permutations, or which methods can be told apart, or right and wrong predictions.
std::optional<PaperPanel> test_panel(const Study& study, double width);

}  // namespace sturm
