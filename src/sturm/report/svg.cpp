// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/svg.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sturm/report/palette.h"

namespace sturm {
namespace {

const char* const axis_colour = "#444444";
const char* const grid_colour = "#e4e4e4";

}  // namespace

std::string xml_text(const std::string& text) {
  using nlohmann::json;
  const auto sound = json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace)).get<std::string>();
  std::string out;
  for (const char c : sound) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else if (static_cast<unsigned char>(c) >= 0x20)
      out += c;
    else
      out += ' ';
  }
  return out;
}

std::string series_colour(std::size_t series) {
  return hexadecimal(palette::methods[series % palette::methods.size()]);
}

std::string heat_colour(double share) { return hexadecimal(ramp(palette::cividis, share)); }

bool heat_is_dark(double share) { return share < 0.57; }

void Svg::rectangle(double x, double y, double width, double height, const std::string& fill, const std::string& stroke,
                    double stroke_width) {
  body_ += fmt::format(
      R"(<rect x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}" fill="{}" stroke="{}" stroke-width="{:.1f}"/>)", x,
      y, width, height, fill, stroke, stroke_width);
  body_ += "\n";
}

void Svg::line(double x1, double y1, double x2, double y2, const std::string& colour, double width,
               const std::string& dashes) {
  body_ += fmt::format(R"(<line x1="{:.2f}" y1="{:.2f}" x2="{:.2f}" y2="{:.2f}" stroke="{}" stroke-width="{:.2f}"{}/>)",
                       x1, y1, x2, y2, colour, width, dashes.empty() ? "" : " stroke-dasharray=\"" + dashes + "\"");
  body_ += "\n";
}

void Svg::circle(double x, double y, double radius, const std::string& fill, const std::string& stroke,
                 double opacity) {
  body_ += fmt::format(R"(<circle cx="{:.2f}" cy="{:.2f}" r="{:.2f}" fill="{}" stroke="{}" opacity="{:.2f}"/>)", x, y,
                       radius, fill, stroke, opacity) +
           "\n";
}

void Svg::path(const std::vector<std::pair<double, double>>& points, const std::string& colour, double width) {
  std::string d;
  for (const auto& [x, y] : points) d += fmt::format("{}{:.2f} {:.2f}", d.empty() ? "M" : "L", x, y);
  body_ += fmt::format(R"(<path d="{}" fill="none" stroke="{}" stroke-width="{:.2f}" stroke-linejoin="round"/>)", d,
                       colour, width) +
           "\n";
}

void Svg::text(double x, double y, const std::string& words, const TextStyle& style) {
  body_ += fmt::format(
               R"(<text x="{:.2f}" y="{:.2f}" font-size="{:.1f}" text-anchor="{}" fill="{}"{}{}>{}</text>)", x, y,
               style.size, style.anchor, style.colour, style.bold ? " font-weight=\"bold\"" : "",
               style.turned == 0 ? "" : fmt::format(" transform=\"rotate({:.0f} {:.2f} {:.2f})\"", style.turned, x, y),
               xml_text(words)) +
           "\n";
}

std::string Svg::file(const std::string& title) const {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0f}\" "
      "height=\"{:.0f}\" viewBox=\"0 0 {:.0f} {:.0f}\" font-family=\"Helvetica, Arial, sans-serif\" role=\"img\">\n"
      "<title>{}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{}</svg>\n",
      width_, height_, width_, height_, xml_text(title), body_);
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

void draw_x_axis(Svg& svg, const Axis& x, double bottom, double top, const std::string& label, double unit) {
  for (const double tick : x.ticks()) {
    svg.line(x(tick), bottom, x(tick), top, grid_colour);
    svg.line(x(tick), bottom, x(tick), bottom + 4, axis_colour);
    svg.text(x(tick), bottom + 16, tick_label(unit * tick), {.anchor = "middle"});
  }
  svg.line(x.first, bottom, x.last, bottom, axis_colour);
  svg.text((x.first + x.last) / 2, bottom + 34, label, {.size = 12, .anchor = "middle"});
}

void draw_y_axis(Svg& svg, const Axis& y, double left, double right, const std::string& label, double unit) {
  for (const double tick : y.ticks()) {
    svg.line(left, y(tick), right, y(tick), grid_colour);
    svg.line(left - 4, y(tick), left, y(tick), axis_colour);
    svg.text(left - 7, y(tick) + 4, tick_label(unit * tick), {.anchor = "end"});
  }
  svg.line(left, y.first, left, y.last, axis_colour);
  svg.text(left - 44, (y.first + y.last) / 2, label, {.size = 12, .anchor = "middle", .turned = -90});
}

}  // namespace sturm
