// SPDX-License-Identifier: BSD-3-Clause
// The figure for a paper: panels A to D in the width of one column or two.
#pragma once

#include <string>

#include "sturm/report/drawing.h"
#include "sturm/report/report.h"

namespace sturm {

/// Widths in print, in millimetres: one column, two columns.
inline constexpr int paper_widths[] = {89, 183};
inline constexpr int paper_dpi = 300;

/// How many pixels so many millimetres are at 300 dpi.
int paper_pixels(int millimetres);

/// Scores; a map; what they rest on; how they were tested: those that the study has. Without shapes where there are
/// none.
Drawing paper_figure(const Report& report, int millimetres);

/// What the panels show, from the numbers; empty where there are none.
std::string paper_caption(const Report& report);

}  // namespace sturm
