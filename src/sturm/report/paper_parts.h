// SPDX-License-Identifier: BSD-3-Clause
// Axes and labels at the size of print, for the panels of a figure.
#pragma once

#include <vector>

#include "sturm/report/paper_panels.h"

namespace sturm {

inline constexpr const char *paper_soft = "#666666", *paper_grid = "#e6e6e6", *paper_line = "#444444";

/// " (%)" of a share.
inline const char* percent_words(const MeasureFacts& facts) { return facts.percent ? " (%)" : ""; }

/// A number with a sign of minus in the place of a hyphen.
std::string with_minus(std::string number);

/// A range with room around the values; a share stays between 0 and 1.
Axis paper_axis(std::vector<double> values, double first, double last, bool share);

/// The axis below a plot: ticks, numbers in `unit`s and a label, 28 pixels in all.
void paper_x_axis(Drawing& drawing, const Axis& x, double bottom, double top, const std::string& label,
                  double unit = 1);
/// The axis to the left of a plot: numbers, and the label upright, 38 pixels in all.
void paper_y_axis(Drawing& drawing, const Axis& y, double left, double right, const std::string& label,
                  double unit = 1);

/// A small grey label around x that does not leave the frame.
void paper_centred(Drawing& drawing, double x, double y, const std::string& words, const Frame& frame);

/// Puts labels beside points where they cover neither each other nor a point.
class PaperLabels {
 public:
  explicit PaperLabels(const Frame& area) : area_(area) {}
  void keep_free(double x, double y, double radius);
  void place(Drawing& drawing, double x, double y, const std::string& words, const TextStyle& style);

 private:
  struct Box {
    double left, top, right, bottom;
  };
  double cost(const Box& box) const;
  Frame area_;
  std::vector<Box> taken_;
};

}  // namespace sturm
