// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/brain_pictures.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "sturm/core/parallel.h"
#include "sturm/core/table.h"
#include "sturm/report/page.h"
#include "sturm/report/sampling.h"
#include "sturm/report/svg.h"

namespace sturm {
namespace {

constexpr double sharpness = 2;  // pixels of the picture in a pixel of the page
constexpr int glass_pixels = 310, slice_pixels = 210, caption_height = 20;
constexpr const char* font_family = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', Arial, sans-serif";

/// "−0.012": three digits, with the sign that is as wide as a plus.
std::string number(double value) {
  const std::string text = fmt::format("{:.2g}", std::abs(value));
  return value < 0 ? "\u2212" + text : text;
}

std::string place_words(const BrainMap& map, int axis, double at) {
  const std::string digits = fmt::format("{}{:.0f}", std::lround(at) < 0 ? "\u2212" : "", std::abs(at));
  return fmt::format("{} = {}{}", std::string("xyz").substr(static_cast<std::size_t>(axis), 1), digits,
                     map.in_world ? " mm" : "");
}

/// A round length, of less than a quarter of the brain.
double scale_length(const ViewPlane& plane) {
  const double quarter = plane.width * plane.pixel / 4.2;
  double best = 1;
  for (const double length : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0})
    if (length <= quarter) best = length;
  return best;
}

std::string scale_words(const BrainMap& map, double length) {
  return fmt::format("{:.0f} {}", length, map.in_world ? "mm" : length == 1 ? "voxel" : "voxels");
}

class Sketch {
 public:
  Sketch(double width, double height) : width_(width), height_(height) {
    body_ = fmt::format(R"(<rect width="{}" height="{}" fill="{}"/>)", width, height, hexadecimal(palette::ground));
  }
  void image(const Image& image) {
    body_ += fmt::format(R"(<image width="{}" height="{}" href="data:image/png;base64,{}"/>)",
                         image.width() / sharpness, image.height() / sharpness, base64(image.png()));
  }
  void rectangle(double x, double y, double width, double height, Colour colour) {
    body_ += fmt::format(R"(<rect x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}" fill="{}"/>)", x, y, width,
                         height, hexadecimal(colour));
  }
  void line(double x1, double y1, double x2, double y2, Colour colour, double width, double opacity = 1) {
    body_ += fmt::format(
        R"(<line x1="{:.2f}" y1="{:.2f}" x2="{:.2f}" y2="{:.2f}" stroke="{}" stroke-width="{}" stroke-opacity="{}"/>)",
        x1, y1, x2, y2, hexadecimal(colour), width, opacity);
  }
  void outline(const std::vector<PixelLine>& pieces) {
    std::string path;
    for (const auto& [from, to] : pieces)
      path += fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", from.first / sharpness, from.second / sharpness,
                          to.first / sharpness, to.second / sharpness);
    if (!path.empty())
      body_ += fmt::format(R"(<path d="{}" fill="none" stroke="{}" stroke-width="1.3" stroke-linecap="round"/>)", path,
                           hexadecimal(palette::lines));
  }
  void text(double x, double y, const std::string& words, const char* anchor = "start", double size = 11) {
    body_ += fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}" font-size="{}" fill="{}">{}</text>)", x, y,
                         anchor, size, hexadecimal(palette::words), xml_text(words));
  }
  BrainPicture picture(std::string id, PictureKind kind, const std::string& words) const {
    return {
        {std::move(id), kind, words, static_cast<Index>(std::lround(width_)), static_cast<Index>(std::lround(height_))},
        fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" )"
                    R"(font-family="{2}"><title>{3}</title>{4}</svg>)",
                    width_, height_, font_family, xml_text(words), body_)};
  }

 private:
  double width_, height_;
  std::string body_;
};

/// Letters at both sides of a view: left and right where they are to be seen, otherwise back and front.
void mark_sides(Sketch& drawing, const BrainMap& map, const ViewPlane& plane, double size) {
  if (!map.in_world) return;
  drawing.text(3, size + 1, plane.across == 0 ? "L" : "P", "start", size);
  drawing.text(plane.width / sharpness - 3, size + 1, plane.across == 0 ? "R" : "A", "end", size);
}

void draw_scale(Sketch& drawing, const ViewPlane& plane, double length, double right, double y) {
  const double wide = length / plane.pixel / sharpness;
  drawing.line(right - wide, y, right, y, palette::words, 2);
}

BrainPicture glass_picture(const ShownWeights& shown, const BrainMap* under, int through,
                           const std::vector<double>& cuts, double length, const std::string& subject) {
  const ViewPlane plane = view_plane(shown.map, under, through, glass_pixels);
  const GlassView view = glass_view(shown, under, plane);
  const double width = plane.width / sharpness, height = plane.height / sharpness;
  Sketch drawing(width, height + caption_height);
  drawing.image(view.image);
  if (plane.up == 2)  // where the slices lie
    for (const double cut : cuts)
      drawing.line(0, plane.row(cut) / sharpness, width, plane.row(cut) / sharpness, palette::lines, 0.8, 0.55);
  drawing.outline(view.outline);
  mark_sides(drawing, shown.map, plane, 12);
  const char* const from = through == 2 ? "from above" : through == 1 ? "from behind" : "from the right";
  drawing.text(3, height + 14, through == 0 ? "from right" : from, "start", 10.5);
  // All views have one scale: it stands where it has room, which it has beside the longest side of a brain.
  const std::string scale = scale_words(shown.map, length);
  const double bar = length / plane.pixel / sharpness, letter = 6;
  const std::size_t letters = std::string_view(through == 1 ? "from behind" : "from above").size() + scale.size();
  if (through == 0 || width >= letter * static_cast<double>(letters) + bar + 16) {
    draw_scale(drawing, plane, length, width - 3, height + 10);
    drawing.text(width - 7 - bar, height + 14, scale, "end", 10);
  }
  return drawing.picture(fmt::format("glass-{}", 3 - through), PictureKind::glass,
                         fmt::format("Glass brain, {}: {}", from, subject));
}

BrainPicture slice_picture(const ShownWeights& shown, const BrainMap* under, std::pair<double, double> window,
                           const ViewPlane& plane, double at, std::size_t n, const std::string& subject) {
  const double width = plane.width / sharpness, height = plane.height / sharpness;
  Sketch drawing(width, height + caption_height);
  drawing.image(slice_image(shown, under, window, plane, at));
  mark_sides(drawing, shown.map, plane, 10);
  const std::string place = place_words(shown.map, plane.through, at);
  drawing.text(width / 2, height + 14, place, "middle", 10.5);
  return drawing.picture(fmt::format("slice-{}", n + 1), PictureKind::slice,
                         fmt::format("Slice at {}: {}", place, subject));
}

struct Ends {
  std::string above, below;  ///< what weights above and below zero speak for
};

Ends ends_of(const Study& study, const ReportVolume& volume) {
  if (!volume.of_class.empty()) return {volume.of_class, "the others"};
  if (study.target.regression()) return {"higher " + study.target.column, "lower " + study.target.column};
  return {study.target.positive.value_or("positive"), study.target.negative.value_or("negative")};
}

BrainPicture bar_picture(const ShownWeights& shown, const Ends& ends) {
  constexpr double width = 124, height = 172, left = 6, top = 34, tall = 96, wide = 14;
  Sketch drawing(width, height);
  const auto short_of = [](const std::string& name) {
    if (name.size() <= 16) return name;
    std::size_t end = 15;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) --end;  // inside a character
    return name.substr(0, end) + "\u2026";
  };
  drawing.text(left, 13, "weight", "start", 11);
  drawing.text(left, 27, "for " + short_of(ends.above), "start", 10.5);
  constexpr int steps = 96;
  for (int step = 0; step < steps; ++step) {
    const double weight = shown.limit * (1 - (2 * step + 1.0) / steps);
    if (shown.shows(weight))
      drawing.rectangle(left, top + step * tall / steps, wide, tall / steps + 0.3, shown.colour(weight));
  }
  const auto tick = [&](double weight) {
    const double y = top + tall / 2 * (1 - weight / shown.limit);
    drawing.line(left + wide, y, left + wide + 4, y, palette::words, 1);
    drawing.text(left + wide + 7, y + 3.6, number(weight), "start", 10.5);
  };
  tick(shown.limit);
  tick(-shown.limit);
  if (shown.least > 0.2 * shown.limit) {
    tick(shown.least);
    tick(-shown.least);
  } else {
    tick(0);
  }
  drawing.text(left, top + tall + 17, "for " + short_of(ends.below), "start", 10.5);
  return drawing.picture("bar", PictureKind::bar,
                         fmt::format("Colours: orange for {} up to {}, blue for {} down to {}", ends.above,
                                     number(shown.limit), ends.below, number(-shown.limit)));
}

}  // namespace

std::vector<BrainPicture> brain_pictures(const Study& study, const ReadableMap& map, const BrainMap* under,
                                         int cuts_at_most) {
  const ReportVolume& volume = *map.volume;
  const ShownWeights shown{volume.map, map.shown.least, limit_of(volume.map)};
  const std::vector<double> cuts = slices_through(shown, under, 2, cuts_at_most);
  const double length = scale_length(view_plane(volume.map, under, 2, glass_pixels));
  const ViewPlane plane = view_plane(volume.map, under, 2, slice_pixels);
  const std::pair<double, double> window = under != nullptr ? window_of(*under) : std::pair{0.0, 1.0};
  constexpr Index views = 3;
  std::vector<BrainPicture> out(views + 1 + cuts.size());
  parallel_for(std::ssize(out), [&](Index i, int) {
    if (i < views)
      out[i] = glass_picture(shown, under, static_cast<int>(views - 1 - i), cuts, length,
                             "the strongest weights of " + volume.method);
    else if (i == views)
      out[i] = bar_picture(shown, ends_of(study, volume));
    else
      out[i] =
          slice_picture(shown, under, window, plane, cuts[i - views - 1], i - views - 1, "weights of " + volume.method);
  });
  return out;
}

namespace {

Index count_filled(const BrainMap& map) {
  return std::ranges::count_if(map.values.flat(), [](float v) { return v != 0; });
}

}  // namespace

StudyWhere where_of(const Study& study, const ReadableMap& map) {
  StudyWhere out;
  const ReportVolume& volume = *map.volume;
  out.volume = volume.id;
  out.method = volume.method;
  out.voxels = map.shown.voxels;
  out.least = map.shown.least;
  out.limit = limit_of(volume.map);
  const std::string of = volume.of_class.empty() ? "" : " for " + volume.of_class + " against the other classes";
  const std::string fitted = study.kind == ReportKind::cv ? ", fitted to all samples" : "";
  out.words =
      map.shown.cut
          ? fmt::format(
                "Weights of {}{}{}: the {} with the largest ones (2 % of the volume), of a map with "
                "weights in {}.",
                volume.method, of, fitted, plural(map.shown.voxels, "voxel"), count_filled(volume.map))
          : fmt::format("Weights of {}{}{}: {} {} the whole map, and every other weight is exactly 0.", volume.method,
                        of, fitted, plural(map.shown.voxels, "voxel"), map.shown.voxels == 1 ? "is" : "are");
  if (!map.why.empty()) out.words += " " + map.why;
  return out;
}

}  // namespace sturm
