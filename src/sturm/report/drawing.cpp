// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/drawing.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "sturm/report/palette.h"

namespace sturm {
namespace {

const char* const axis_colour = "#444444";
const char* const grid_colour = "#e4e4e4";

/// Counts of a confusion matrix, from nearly white to dark blue; the page has the same.
constexpr std::array<Colour, 4> blues{{{247, 251, 255}, {158, 202, 225}, {49, 130, 189}, {8, 69, 128}}};

}  // namespace

std::string series_colour(std::size_t series) {
  return hexadecimal(palette::methods[series % palette::methods.size()]);
}

std::string heat_colour(double share) { return hexadecimal(ramp(palette::cividis, share)); }

bool heat_is_dark(double share) { return share < 0.55; }

std::string count_colour(double share) { return hexadecimal(ramp(blues, 0.92 * share)); }

void Drawing::rectangle(double x, double y, double width, double height, const std::string& fill,
                        const std::string& stroke, double stroke_width) {
  shapes_.emplace_back(DrawnRectangle{x, y, width, height, fill, stroke, stroke_width});
}

void Drawing::line(double x1, double y1, double x2, double y2, const std::string& colour, double width,
                   const std::string& dashes) {
  std::istringstream words(dashes);
  std::vector<double> lengths;
  for (double length = 0; words >> length;) lengths.push_back(length);
  shapes_.emplace_back(DrawnLine{x1, y1, x2, y2, colour, width, std::move(lengths)});
}

void Drawing::circle(double x, double y, double radius, const std::string& fill, const std::string& stroke,
                     double opacity) {
  shapes_.emplace_back(DrawnCircle{x, y, radius, fill, stroke, opacity});
}

void Drawing::path(const std::vector<std::pair<double, double>>& points, const std::string& colour, double width) {
  shapes_.emplace_back(DrawnPath{points, colour, width});
}

void Drawing::area(const std::vector<std::pair<double, double>>& points, const std::string& fill, double opacity) {
  shapes_.emplace_back(DrawnArea{points, fill, opacity});
}

void Drawing::text(double x, double y, const std::string& words, const TextStyle& style) {
  shapes_.emplace_back(DrawnText{x, y, words, style});
}

void Drawing::picture(double x, double y, double width, double height, Image image) {
  shapes_.emplace_back(DrawnPicture{x, y, width, height, std::move(image)});
}

double text_width(const std::string& words, double size, bool bold) {
  // Shares of the size, rounded up to the widest of the usual fonts (DejaVu Sans).
  double width = 0;
  for (const char c : words) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0U) == 0x80U) continue;  // goes on with a character
    if (std::string_view("ijlI.,:;'|! ").find(c) != std::string_view::npos)
      width += 0.33;
    else if (std::string_view("frt()[]/-\"").find(c) != std::string_view::npos)
      width += 0.42;
    else if (std::string_view("mwMW@%").find(c) != std::string_view::npos)
      width += 0.98;
    else if (c >= 'A' && c <= 'Z')
      width += 0.72;
    else
      width += byte < 0x80 ? 0.63 : 0.84;
  }
  return width * size * (bold ? 1.1 : 1);
}

std::string text_within(const std::string& words, double width, double size, bool bold) {
  if (text_width(words, size, bold) <= width) return words;
  std::string cut = words;
  while (!cut.empty() && text_width(cut + "…", size, bold) > width) {
    while (cut.size() > 1 && (static_cast<unsigned char>(cut.back()) & 0xc0U) == 0x80U) cut.pop_back();
    cut.pop_back();
  }
  return cut + "…";
}

double Axis::operator()(double value) const {
  const double share = logarithmic ? (std::log10(value) - std::log10(low)) / (std::log10(high) - std::log10(low))
                                   : (value - low) / (high - low);
  return first + share * (last - first);
}

std::vector<double> Axis::ticks(int about) const {
  std::vector<double> out;
  if (logarithmic) {
    const int from = static_cast<int>(std::ceil(std::log10(low) - 1e-9)),
              to = static_cast<int>(std::floor(std::log10(high) + 1e-9));
    const int step = std::max(1, (to - from) / std::max(about, 1));
    for (int e = from; e <= to; e += step) out.push_back(std::pow(10.0, e));
    return out;
  }
  const double raw = (high - low) / about, power = std::pow(10.0, std::floor(std::log10(raw)));
  double step = 10 * power;
  for (const double nice : {5.0, 2.0, 1.0})
    if (nice * power >= raw) step = nice * power;
  for (double n = std::ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; ++n) out.push_back(n * step);
  return out;
}

std::string tick_label(double value) {
  if (std::abs(value) < 1e-12) return "0";
  return std::abs(value) < 1e-3 || std::abs(value) >= 1e5 ? fmt::format("{:.3g}", value) : fmt::format("{:.5g}", value);
}

void draw_x_axis(Drawing& drawing, const Axis& x, double bottom, double top, const std::string& label, double unit) {
  for (const double tick : x.ticks()) {
    drawing.line(x(tick), bottom, x(tick), top, grid_colour);
    drawing.line(x(tick), bottom, x(tick), bottom + 4, axis_colour);
    drawing.text(x(tick), bottom + 16, tick_label(unit * tick), {.anchor = "middle"});
  }
  drawing.line(x.first, bottom, x.last, bottom, axis_colour);
  drawing.text((x.first + x.last) / 2, bottom + 34, label, {.size = 12, .anchor = "middle"});
}

void draw_y_axis(Drawing& drawing, const Axis& y, double left, double right, const std::string& label, double unit) {
  for (const double tick : y.ticks()) {
    drawing.line(left, y(tick), right, y(tick), grid_colour);
    drawing.line(left - 4, y(tick), left, y(tick), axis_colour);
    drawing.text(left - 7, y(tick) + 4, tick_label(unit * tick), {.anchor = "end"});
  }
  drawing.line(left, y.first, left, y.last, axis_colour);
  drawing.text(left - 44, (y.first + y.last) / 2, label, {.size = 12, .anchor = "middle", .turned = -90});
}

}  // namespace sturm
