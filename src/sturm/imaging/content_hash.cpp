// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/content_hash.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <vector>

#include "sturm/core/error.h"
#include "sturm/core/files.h"

namespace sturm {
namespace {

constexpr std::uint64_t odd = 0x9e3779b97f4a7c15, other = 0xc2b2ae3d27d4eb4f;

std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace

void ContentHash::add(const void* data, std::size_t bytes) {
  const auto* at = static_cast<const unsigned char*>(data);
  length_ += bytes;
  std::array<std::uint64_t, 4> words{};
  while (bytes > 0) {
    const std::size_t part = std::min(bytes, sizeof words);
    if (part < sizeof words) words = {};
    std::memcpy(words.data(), at, part);
    for (int n = 0; n < 4; ++n) lanes_[n] = std::rotl(lanes_[n] + words[n] * other, 31) * odd;
    at += part;
    bytes -= part;
  }
}

void ContentHash::add(const std::string& text) {
  const std::uint64_t length = text.size();
  add(&length, sizeof length);
  add(text.data(), text.size());
}

std::string ContentHash::text() const {
  const std::uint64_t a = mixed(lanes_[0] + mixed(lanes_[1] + mixed(lanes_[2] + mixed(lanes_[3] + length_))));
  const std::uint64_t b = mixed(lanes_[3] + mixed(lanes_[2] * odd + mixed(lanes_[1] + mixed(lanes_[0] ^ length_))));
  std::array<char, 33> out{};
  std::snprintf(out.data(), out.size(), "%016llx%016llx", static_cast<unsigned long long>(a),
                static_cast<unsigned long long>(b));
  return out.data();
}

std::string hash_file(const std::filesystem::path& file) {
  require_regular_file(file);
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error({file.string()}, "cannot be opened; check the path and its permissions.");
  ContentHash hash;
  std::vector<char> piece(std::size_t{1} << 20);
  while (in) {
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    hash.add(piece.data(), static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) throw Error({file.string()}, "could not be read to its end.");
  return hash.text();
}

std::string hash_volume(std::span<const float> values, const Shape& shape) {
  ContentHash hash;
  hash.add(to_string(shape));
  std::vector<float> piece(8192);
  for (std::size_t begin = 0; begin < values.size(); begin += piece.size()) {
    const std::size_t count = std::min(piece.size(), values.size() - begin);
    for (std::size_t i = 0; i < count; ++i) {
      const float v = values[begin + i];
      piece[i] = std::isnan(v) ? std::numeric_limits<float>::quiet_NaN() : v + 0.0F;
    }
    hash.add(piece.data(), count * sizeof(float));
  }
  return hash.text();
}

}  // namespace sturm
