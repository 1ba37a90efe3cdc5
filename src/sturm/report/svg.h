// SPDX-License-Identifier: BSD-3-Clause
// Drawings in SVG: shapes, text that is always inert, axes with round numbers, and colours that the colour-blind can
// tell.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sturm {

/// <, >, &, " and ' as entities; control characters become spaces, and bytes that are not UTF-8 are replaced.
std::string xml_text(const std::string& text);

/// The colour of a method, again from the first after the tenth.
std::string series_colour(std::size_t series);

/// From dark blue (0) over grey to yellow (1), evenly in lightness: a heat map's.
std::string heat_colour(double share);
/// Whether text on heat_colour(share) is better white.
bool heat_is_dark(double share);

struct TextStyle {
  double size = 11;
  std::string anchor = "start";  ///< start, middle, end
  std::string colour = "#222222";
  bool bold = false;
  double turned = 0;  ///< degrees, clockwise
};

/// A drawing of some width and height, in pixels of 1/96 inch.
class Svg {
 public:
  Svg(double width, double height) : width_(width), height_(height) {}

  void rectangle(double x, double y, double width, double height, const std::string& fill,
                 const std::string& stroke = "none", double stroke_width = 1);
  void line(double x1, double y1, double x2, double y2, const std::string& colour, double width = 1,
            const std::string& dashes = "");
  void circle(double x, double y, double radius, const std::string& fill, const std::string& stroke = "none",
              double opacity = 1);
  void path(const std::vector<std::pair<double, double>>& points, const std::string& colour, double width = 1.5);
  void text(double x, double y, const std::string& words, const TextStyle& style = {});

  /// The file, with a title for those who cannot see it.
  std::string file(const std::string& title) const;

 private:
  double width_, height_;
  std::string body_;
};

/// Numbers along an edge: from value to pixel.
struct Axis {
  double low = 0, high = 1;    ///< values
  double first = 0, last = 1;  ///< pixels
  bool logarithmic = false;

  double operator()(double value) const;
  /// Round numbers between low and high; powers of ten on a logarithmic axis.
  std::vector<double> ticks(int about = 5) const;
};

/// A number as a tick says it: 0.25, 1e-4, 1500.
std::string tick_label(double value);

/// The axis below (or to the left of) a plot, with lines across it up to `other`.
void draw_x_axis(Svg& svg, const Axis& x, double bottom, double top, const std::string& label, double unit = 1);
void draw_y_axis(Svg& svg, const Axis& y, double left, double right, const std::string& label, double unit = 1);

}  // namespace sturm
