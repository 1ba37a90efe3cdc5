// SPDX-License-Identifier: BSD-3-Clause
// Pictures of pixels: a canvas, a small font, and PNG files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sturm/report/palette.h"

namespace sturm {

class Image {
 public:
  Image(int width, int height, Colour fill = {255, 255, 255});

  int width() const { return width_; }
  int height() const { return height_; }
  void set(int x, int y, Colour colour);  ///< outside: nothing
  Colour at(int x, int y) const;

  /// Digits, signs and the few letters that slices need (xyzmLRe=+-. and space), 5 x 7 pixels times `scale`; others are
  /// left blank. Its width.
  int text(int x, int y, std::string_view words, Colour colour, int scale = 1);
  static int text_width(std::string_view words, int scale = 1) { return 6 * scale * static_cast<int>(words.size()); }

  /// As PNG: 8 bits, RGB, without a time, so that the same pixels give the same bytes. With `dpi`, pixels have a size.
  std::string png(int dpi = 0) const;

 private:
  int width_, height_;
  std::vector<std::uint8_t> pixels_;
};

}  // namespace sturm
