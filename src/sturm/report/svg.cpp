// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/svg.h"

#include <fmt/core.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "sturm/report/page.h"

namespace sturm {
namespace {

/// Writes each shape as an element.
struct SvgElement {
  std::string operator()(const DrawnRectangle& r) const {
    return fmt::format(
        R"(<rect x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}" fill="{}" stroke="{}" stroke-width="{:.1f}"/>)",
        r.x, r.y, r.width, r.height, r.fill, r.stroke, r.stroke_width);
  }
  std::string operator()(const DrawnLine& l) const {
    std::string dashes;
    for (const double length : l.dashes) dashes += fmt::format("{}{:g}", dashes.empty() ? "" : " ", length);
    return fmt::format(R"(<line x1="{:.2f}" y1="{:.2f}" x2="{:.2f}" y2="{:.2f}" stroke="{}" stroke-width="{:.2f}"{}/>)",
                       l.x1, l.y1, l.x2, l.y2, l.colour, l.width,
                       dashes.empty() ? "" : " stroke-dasharray=\"" + dashes + "\"");
  }
  std::string operator()(const DrawnCircle& c) const {
    return fmt::format(R"(<circle cx="{:.2f}" cy="{:.2f}" r="{:.2f}" fill="{}" stroke="{}" opacity="{:.2f}"/>)", c.x,
                       c.y, c.radius, c.fill, c.stroke, c.opacity);
  }
  std::string operator()(const DrawnPath& p) const {
    return fmt::format(R"(<path d="{}" fill="none" stroke="{}" stroke-width="{:.2f}" stroke-linejoin="round"/>)",
                       places(p.points), p.colour, p.width);
  }
  std::string operator()(const DrawnArea& a) const {
    return fmt::format(R"(<path d="{}Z" fill="{}" fill-opacity="{:.2f}"/>)", places(a.points), a.fill, a.opacity);
  }
  std::string operator()(const DrawnText& t) const {
    const TextStyle& style = t.style;
    return fmt::format(
        R"(<text x="{:.2f}" y="{:.2f}" font-size="{:.1f}" text-anchor="{}" fill="{}"{}{}>{}</text>)", t.x, t.y,
        style.size, style.anchor, style.colour, style.bold ? " font-weight=\"bold\"" : "",
        style.turned == 0 ? "" : fmt::format(" transform=\"rotate({:.0f} {:.2f} {:.2f})\"", style.turned, t.x, t.y),
        xml_text(t.words));
  }
  std::string operator()(const DrawnPicture& p) const {
    return fmt::format(
        R"(<image x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}" preserveAspectRatio="none" href="data:image/png;base64,{}"/>)",
        p.x, p.y, p.width, p.height, base64(p.image.png()));
  }

 private:
  static std::string places(const std::vector<std::pair<double, double>>& points) {
    std::string d;
    for (const auto& [x, y] : points) d += fmt::format("{}{:.2f} {:.2f}", d.empty() ? "M" : "L", x, y);
    return d;
  }
};

/// A length without zeros at its end.
std::string svg_length(double pixels) { return fmt::format("{:g}", std::round(1000 * pixels) / 1000); }

}  // namespace

std::string sound_text(const std::string& text) {
  using nlohmann::json;
  auto sound = json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace)).get<std::string>();
  for (char& c : sound)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  for (const char* none : {"\xef\xbf\xbe", "\xef\xbf\xbf"})  // numbers that no character has, nor XML allows
    for (auto at = sound.find(none); at != std::string::npos; at = sound.find(none)) sound.replace(at, 3, " ");
  return sound;
}

std::string xml_text(const std::string& text) {
  std::string out;
  for (const char c : sound_text(text)) {
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
    else
      out += c;
  }
  return out;
}

std::string svg_file(const Drawing& drawing, const std::string& title) {
  std::string body;
  for (const Shape2d& shape : drawing.shapes()) body += std::visit(SvgElement(), shape) + "\n";
  const std::string width = svg_length(drawing.width()), height = svg_length(drawing.height());
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" "
      "height=\"{1}\" viewBox=\"0 0 {0} {1}\" font-family=\"Helvetica, Arial, sans-serif\" role=\"img\">\n"
      "<title>{2}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{3}</svg>\n",
      width, height, xml_text(title), body);
}

}  // namespace sturm
