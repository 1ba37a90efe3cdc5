// SPDX-License-Identifier: BSD-3-Clause
// A short name for a content, to find the same bytes again. Not for secrets: who wants two contents of one name can
// make them.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "sturm/core/shape.h"

namespace sturm {

/// 128 bits, from four independent lanes that each mix 8 bytes at a time.
class ContentHash {
 public:
  void add(const void* data, std::size_t bytes);
  /// A text and its length, so that "ab", "c" is not "a", "bc".
  void add(const std::string& text);

  /// 32 digits.
  std::string text() const;

 private:
  std::array<std::uint64_t, 4> lanes_{0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89};
  std::uint64_t length_ = 0;
};

/// The name of a file's bytes. Throws where it cannot be read.
std::string hash_file(const std::filesystem::path& file);

/// The name of a volume's values and shape; every NaN counts as the same, and so do 0 and -0.
std::string hash_volume(std::span<const float> values, const Shape& shape);

}  // namespace sturm
