// SPDX-License-Identifier: BSD-3-Clause
#include <cairo-pdf.h>

#include <cmath>
#include <cstring>
#include <memory>

#include "sturm/core/error.h"
#include "sturm/report/paint.h"
#include "sturm/report/svg.h"

// Asked by the leak sanitizer alone: fontconfig keeps its memory behind pointers that are written as offsets, which
// look lost to it.
extern "C" {
const char* __lsan_default_suppressions();  // NOLINT(bugprone-reserved-identifier): the name that it asks for
const char* __lsan_default_options();       // NOLINT(bugprone-reserved-identifier)
const char* __lsan_default_suppressions() { return "leak:libfontconfig\n"; }  // NOLINT(bugprone-reserved-identifier)
const char* __lsan_default_options() { return "print_suppressions=0"; }       // NOLINT(bugprone-reserved-identifier)
}

namespace sturm {
namespace {

using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
using Context = std::unique_ptr<cairo_t, decltype(&cairo_destroy)>;

void expect_success(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS)
    throw Error(std::string("a figure could not be drawn: cairo says '") + cairo_status_to_string(status) + "'.");
}

/// Draws shapes one after the other.
class Painter {
 public:
  explicit Painter(cairo_t* cairo) : cairo_(cairo) {
    // Letters keep their widths at every size, so that a figure looks the same on paper and on a screen.
    cairo_font_options_t* const options = cairo_font_options_create();
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(cairo_, options);
    cairo_font_options_destroy(options);
    cairo_set_line_join(cairo_, CAIRO_LINE_JOIN_ROUND);
  }

  void operator()(const DrawnRectangle& r) {
    cairo_rectangle(cairo_, r.x, r.y, r.width, r.height);
    fill_and_stroke(r.fill, r.stroke, r.stroke_width, 1);
  }
  void operator()(const DrawnLine& l) {
    cairo_set_dash(cairo_, l.dashes.data(), static_cast<int>(l.dashes.size()), 0);
    cairo_move_to(cairo_, l.x1, l.y1);
    cairo_line_to(cairo_, l.x2, l.y2);
    fill_and_stroke("none", l.colour, l.width, 1);
    cairo_set_dash(cairo_, nullptr, 0, 0);
  }
  void operator()(const DrawnCircle& c) {
    cairo_new_sub_path(cairo_);
    cairo_arc(cairo_, c.x, c.y, c.radius, 0, 2 * std::acos(-1.0));
    cairo_close_path(cairo_);
    fill_and_stroke(c.fill, c.stroke, 1, c.opacity);
  }
  void operator()(const DrawnPath& p) {
    follow(p.points);
    fill_and_stroke("none", p.colour, p.width, 1);
  }
  void operator()(const DrawnArea& a) {
    follow(a.points);
    cairo_close_path(cairo_);
    fill_and_stroke(a.fill, "none", 0, a.opacity);
  }
  void operator()(const DrawnText& t) {
    const std::string words = sound_text(t.words);
    cairo_select_font_face(cairo_, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           t.style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo_, t.style.size);
    cairo_text_extents_t room;
    cairo_text_extents(cairo_, words.c_str(), &room);
    const double before = t.style.anchor == "end"      ? room.x_advance
                          : t.style.anchor == "middle" ? room.x_advance / 2
                                                       : 0;
    set_colour(t.style.colour, 1);
    cairo_save(cairo_);
    cairo_translate(cairo_, t.x, t.y);
    cairo_rotate(cairo_, t.style.turned * std::acos(-1.0) / 180);
    cairo_move_to(cairo_, -before, 0);
    cairo_show_text(cairo_, words.c_str());
    cairo_restore(cairo_);
    cairo_new_path(cairo_);
  }
  void operator()(const DrawnPicture& p) {
    const Surface pixels(cairo_image_surface_create(CAIRO_FORMAT_RGB24, p.image.width(), p.image.height()),
                         &cairo_surface_destroy);
    expect_success(cairo_surface_status(pixels.get()));
    unsigned char* const data = cairo_image_surface_get_data(pixels.get());
    const int stride = cairo_image_surface_get_stride(pixels.get());
    for (int y = 0; y < p.image.height(); ++y)
      for (int x = 0; x < p.image.width(); ++x) {
        const Colour c = p.image.at(x, y);
        const std::uint32_t packed =
            static_cast<std::uint32_t>(c[0]) << 16U | static_cast<std::uint32_t>(c[1]) << 8U | c[2];
        std::memcpy(data + y * stride + 4 * x, &packed, 4);
      }
    cairo_surface_mark_dirty(pixels.get());
    cairo_save(cairo_);
    cairo_rectangle(cairo_, p.x, p.y, p.width, p.height);
    cairo_clip(cairo_);
    cairo_translate(cairo_, p.x, p.y);
    cairo_scale(cairo_, p.width / p.image.width(), p.height / p.image.height());
    cairo_set_source_surface(cairo_, pixels.get(), 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cairo_), CAIRO_FILTER_NEAREST);
    cairo_paint(cairo_);
    cairo_restore(cairo_);
  }

 private:
  void set_colour(const std::string& colour, double opacity) {
    const auto part = [&](std::size_t at) { return std::stoi(colour.substr(at, 2), nullptr, 16) / 255.0; };
    cairo_set_source_rgba(cairo_, part(1), part(3), part(5), opacity);
  }
  void follow(const std::vector<std::pair<double, double>>& points) {
    cairo_new_path(cairo_);
    for (const auto& [x, y] : points) cairo_line_to(cairo_, x, y);
  }
  /// What was laid out as a path.
  void fill_and_stroke(const std::string& fill, const std::string& stroke, double width, double opacity) {
    if (fill != "none") {
      set_colour(fill, opacity);
      cairo_fill_preserve(cairo_);
    }
    if (stroke != "none" && width > 0) {
      set_colour(stroke, opacity);
      cairo_set_line_width(cairo_, width);
      cairo_stroke_preserve(cairo_);
    }
    cairo_new_path(cairo_);
  }

  cairo_t* cairo_;
};

void paint_all(cairo_t* cairo, const Drawing& drawing, double scale) {
  cairo_scale(cairo, scale, scale);
  cairo_set_source_rgb(cairo, 1, 1, 1);
  cairo_paint(cairo);
  Painter painter(cairo);
  for (const Shape2d& shape : drawing.shapes()) std::visit(painter, shape);
  expect_success(cairo_status(cairo));
}

cairo_status_t take_bytes(void* to, const unsigned char* bytes, unsigned count) {
  static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(bytes), count);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

bool can_paint() { return true; }

std::string pdf_file(const Drawing& drawing, const std::string& title) {
  constexpr double points = 0.75;  // of a pixel: 72 / 96
  std::string out;
  {
    const Surface surface(
        cairo_pdf_surface_create_for_stream(&take_bytes, &out, points * drawing.width(), points * drawing.height()),
        &cairo_surface_destroy);
    expect_success(cairo_surface_status(surface.get()));
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE, sound_text(title).c_str());
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, nullptr);  // or it is the time of day
    const Context context(cairo_create(surface.get()), &cairo_destroy);
    paint_all(context.get(), drawing, points);
    cairo_show_page(context.get());
    cairo_surface_finish(surface.get());
    expect_success(cairo_surface_status(surface.get()));
  }
  return out;
}

Image painted(const Drawing& drawing, int width) {
  const double scale = width / drawing.width();
  const int height = static_cast<int>(std::lround(scale * drawing.height()));
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height), &cairo_surface_destroy);
  expect_success(cairo_surface_status(surface.get()));
  {
    const Context context(cairo_create(surface.get()), &cairo_destroy);
    paint_all(context.get(), drawing, scale);
  }
  cairo_surface_flush(surface.get());
  Image out(width, height);
  const unsigned char* const data = cairo_image_surface_get_data(surface.get());
  const int stride = cairo_image_surface_get_stride(surface.get());
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      std::uint32_t packed = 0;
      std::memcpy(&packed, data + y * stride + 4 * x, 4);
      out.set(x, y,
              {static_cast<std::uint8_t>(packed >> 16U & 255U), static_cast<std::uint8_t>(packed >> 8U & 255U),
               static_cast<std::uint8_t>(packed & 255U)});
    }
  return out;
}

}  // namespace sturm
