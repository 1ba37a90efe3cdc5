// SPDX-License-Identifier: BSD-3-Clause
// Drawings as lists of shapes, which files of several kinds are made from (svg.h, paint.h); axes with round numbers,
// and colours that the colour-blind can tell apart.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sturm/report/image.h"

namespace sturm {

/// One of ten colours, again from the first after the last: Okabe and Ito's, and more like them. The page has the same.
std::string series_colour(std::size_t series);

/// From dark blue (0) over grey to yellow (1), evenly in lightness: cividis, as heat maps of the page have it.
std::string heat_colour(double share);
/// Whether text on heat_colour(share) is better white.
bool heat_is_dark(double share);

/// From nearly white (0) to dark blue (1): counts of a confusion matrix.
std::string count_colour(double share);

struct TextStyle {
  double size = 11;
  std::string anchor = "start";  ///< start, middle, end
  std::string colour = "#222222";
  bool bold = false;
  double turned = 0;  ///< degrees, clockwise
};

/// What a drawing is made of. Colours are #rrggbb or none.
struct DrawnRectangle {
  double x, y, width, height;
  std::string fill, stroke;
  double stroke_width;
};
struct DrawnLine {
  double x1, y1, x2, y2;
  std::string colour;
  double width;
  std::vector<double> dashes;  ///< lengths drawn and left out, in turn; empty: without a gap
};
struct DrawnCircle {
  double x, y, radius;
  std::string fill, stroke;
  double opacity;
};
struct DrawnPath {
  std::vector<std::pair<double, double>> points;
  std::string colour;
  double width;
};
/// A closed area without an edge.
struct DrawnArea {
  std::vector<std::pair<double, double>> points;
  std::string fill;
  double opacity;
};
struct DrawnText {
  double x, y;
  std::string words;
  TextStyle style;
};
/// A picture of pixels, stretched over a rectangle.
struct DrawnPicture {
  double x, y, width, height;
  Image image;
};
using Shape2d = std::variant<DrawnRectangle, DrawnLine, DrawnCircle, DrawnPath, DrawnArea, DrawnText, DrawnPicture>;

/// A drawing of some width and height, in pixels of 1/96 inch, on white. What comes later lies above.
class Drawing {
 public:
  Drawing(double width, double height) : width_(width), height_(height) {}

  void rectangle(double x, double y, double width, double height, const std::string& fill,
                 const std::string& stroke = "none", double stroke_width = 1);
  void line(double x1, double y1, double x2, double y2, const std::string& colour, double width = 1,
            const std::string& dashes = "");
  void circle(double x, double y, double radius, const std::string& fill, const std::string& stroke = "none",
              double opacity = 1);
  void path(const std::vector<std::pair<double, double>>& points, const std::string& colour, double width = 1.5);
  void area(const std::vector<std::pair<double, double>>& points, const std::string& fill, double opacity = 1);
  void text(double x, double y, const std::string& words, const TextStyle& style = {});
  void picture(double x, double y, double width, double height, Image image);

  double width() const { return width_; }
  double height() const { return height_; }
  const std::vector<Shape2d>& shapes() const { return shapes_; }

 private:
  double width_, height_;
  std::vector<Shape2d> shapes_;
};

/// Room that a text takes at most in the usual fonts without serifs.
double text_width(const std::string& words, double size, bool bold = false);
/// The text, or as much of it as `width` has room for and a mark that there was more.
std::string text_within(const std::string& words, double width, double size, bool bold = false);

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
void draw_x_axis(Drawing& drawing, const Axis& x, double bottom, double top, const std::string& label, double unit = 1);
void draw_y_axis(Drawing& drawing, const Axis& y, double left, double right, const std::string& label, double unit = 1);

}  // namespace sturm
