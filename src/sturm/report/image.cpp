// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/image.h"

#include <zlib.h>

#include <cmath>
#include <map>
#include <stdexcept>

namespace sturm {
namespace {

/// Rows from the top, five bits each.
const std::map<char, std::array<std::uint8_t, 7>> font = {
    {'0', {14, 17, 19, 21, 25, 17, 14}}, {'1', {4, 12, 4, 4, 4, 4, 14}},      {'2', {14, 17, 1, 2, 4, 8, 31}},
    {'3', {31, 2, 4, 2, 1, 17, 14}},     {'4', {2, 6, 10, 18, 31, 2, 2}},     {'5', {31, 16, 30, 1, 1, 17, 14}},
    {'6', {6, 8, 16, 30, 17, 17, 14}},   {'7', {31, 1, 2, 4, 8, 8, 8}},       {'8', {14, 17, 17, 14, 17, 17, 14}},
    {'9', {14, 17, 17, 15, 1, 2, 12}},   {'-', {0, 0, 0, 31, 0, 0, 0}},       {'+', {0, 4, 4, 31, 4, 4, 0}},
    {'.', {0, 0, 0, 0, 0, 12, 12}},      {'=', {0, 0, 31, 0, 31, 0, 0}},      {'x', {0, 0, 17, 10, 4, 10, 17}},
    {'y', {0, 0, 17, 17, 15, 1, 14}},    {'z', {0, 0, 31, 2, 4, 8, 31}},      {'m', {0, 0, 26, 21, 21, 17, 17}},
    {'e', {0, 0, 14, 17, 31, 16, 14}},   {'L', {16, 16, 16, 16, 16, 16, 31}}, {'R', {30, 17, 17, 30, 20, 18, 17}}};

void put_number(std::string& to, std::uint32_t value) {
  for (const int shift : {24, 16, 8, 0}) to += static_cast<char>(value >> shift & 255U);
}

void put_chunk(std::string& to, const std::string& type, const std::string& data) {
  put_number(to, static_cast<std::uint32_t>(data.size()));
  const std::string body = type + data;
  to += body;
  put_number(to, static_cast<std::uint32_t>(
                     ::crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()))));
}

}  // namespace

Image::Image(int width, int height, Colour fill) : width_(width), height_(height) {
  if (width < 1 || height < 1 || width > 20000 || height > 20000) throw std::logic_error("Image: bad size");
  pixels_.reserve(3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  for (int p = 0; p < width * height; ++p) pixels_.insert(pixels_.end(), fill.begin(), fill.end());
}

void Image::set(int x, int y, Colour colour) {
  if (x < 0 || y < 0 || x >= width_ || y >= height_) return;
  for (int c = 0; c < 3; ++c) pixels_[3 * (x + width_ * y) + c] = colour[c];
}

Colour Image::at(int x, int y) const {
  Colour out{};
  for (int c = 0; c < 3; ++c) out[c] = pixels_[3 * (x + width_ * y) + c];
  return out;
}

int Image::text(int x, int y, std::string_view words, Colour colour, int scale) {
  for (const char letter : words) {
    const auto found = font.find(letter);
    if (found != font.end())
      for (int row = 0; row < 7 * scale; ++row)
        for (int column = 0; column < 5 * scale; ++column)
          if (found->second[row / scale] >> (4 - column / scale) & 1U) set(x + column, y + row, colour);
    x += 6 * scale;
  }
  return text_width(words, scale);
}

std::string Image::png(int dpi) const {
  std::string raw;
  const std::size_t row = 3 * static_cast<std::size_t>(width_);
  for (int y = 0; y < height_; ++y) {
    raw += '\0';  // no filter
    raw.append(reinterpret_cast<const char*>(pixels_.data()) + y * row, row);
  }
  uLongf length = ::compressBound(static_cast<uLong>(raw.size()));
  std::string packed(length, '\0');
  if (::compress2(reinterpret_cast<Bytef*>(packed.data()), &length, reinterpret_cast<const Bytef*>(raw.data()),
                  static_cast<uLong>(raw.size()), Z_BEST_COMPRESSION) != Z_OK)
    throw std::logic_error("Image: zlib could not compress");
  packed.resize(length);
  std::string head;
  put_number(head, static_cast<std::uint32_t>(width_));
  put_number(head, static_cast<std::uint32_t>(height_));
  head += std::string("\x08\x02\x00\x00\x00", 5);
  std::string out("\x89PNG\r\n\x1a\n", 8);
  put_chunk(out, "IHDR", head);
  if (dpi > 0) {
    std::string size;  // pixels in a metre, across and down
    for (int n = 0; n < 2; ++n) put_number(size, static_cast<std::uint32_t>(std::lround(dpi / 0.0254)));
    put_chunk(out, "pHYs", size + '\x01');
  }
  put_chunk(out, "IDAT", packed);
  put_chunk(out, "IEND", "");
  return out;
}

}  // namespace sturm
