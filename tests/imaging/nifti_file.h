// SPDX-License-Identifier: BSD-3-Clause
// Small NIfTI files made byte by byte, so that every field can be set to anything.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "sturm/core/files.h"
#include "sturm/imaging/nifti.h"
#include "temporary.h"

namespace sturm::test {

inline std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A header and its voxels. The default is 4x3x2 int16 voxels 0 to 23 of 2 mm, with qform and sform.
class NiftiFile {
 public:
  explicit NiftiFile(bool swapped = false, bool two = false)
      : swapped_(swapped), two_(two), bytes_(two ? 544 : 352, '\0') {
    set<std::int32_t>(0, two ? 540 : 348);
    std::memcpy(bytes_.data() + (two ? 4 : 344), two ? "n+2\0\r\n\x1a\n" : "n+1", two ? 8 : 4);
    dim({3, 4, 3, 2, 1, 1, 1, 1});
    type(4, 16);
    for (int n = 0; n < 8; ++n) pixdim(n, n >= 1 && n <= 3 ? 2 : 1);
    two ? set<std::int64_t>(168, 544) : set<float>(108, 352);
    scaling(1, 0);
    codes(1, 1);
    for (int n = 0; n < 3; ++n) srow(n, n, 2);
    for (std::int16_t v = 0; v < 24; ++v) add(v);
  }

  template <class T>
  NiftiFile& set(std::size_t offset, T value) {
    std::array<char, sizeof(T)> raw = ordered(value);
    std::memcpy(bytes_.data() + offset, raw.data(), sizeof(T));
    return *this;
  }
  template <class T>
  NiftiFile& add(T value) {
    const std::array<char, sizeof(T)> raw = ordered(value);
    bytes_.append(raw.data(), sizeof(T));
    return *this;
  }
  NiftiFile& real(std::size_t one, std::size_t two, double value) {
    return two_ ? set<double>(two, value) : set<float>(one, static_cast<float>(value));
  }
  NiftiFile& dim(const std::array<int, 8>& d) {
    for (std::size_t n = 0; n < 8; ++n)
      two_ ? set<std::int64_t>(16 + 8 * n, d[n]) : set<std::int16_t>(40 + 2 * n, static_cast<std::int16_t>(d[n]));
    return *this;
  }
  NiftiFile& type(int code, int bits) {
    set<std::int16_t>(two_ ? 12 : 70, static_cast<std::int16_t>(code));
    return set<std::int16_t>(two_ ? 14 : 72, static_cast<std::int16_t>(bits));
  }
  NiftiFile& pixdim(int n, double value) { return real(76 + 4 * n, 104 + 8 * n, value); }
  NiftiFile& scaling(double slope, double inter) { return real(112, 176, slope).real(116, 184, inter); }
  NiftiFile& quatern(double b, double c, double d) { return real(256, 352, b).real(260, 360, c).real(264, 368, d); }
  NiftiFile& qoffset(int n, double value) { return real(268 + 4 * n, 376 + 8 * n, value); }
  NiftiFile& srow(int r, int c, double value) { return real(280 + 16 * r + 4 * c, 400 + 32 * r + 8 * c, value); }
  NiftiFile& codes(int q, int s) {
    if (two_) return set<std::int32_t>(344, q).set<std::int32_t>(348, s);
    return set<std::int16_t>(252, static_cast<std::int16_t>(q)).set<std::int16_t>(254, static_cast<std::int16_t>(s));
  }
  NiftiFile& no_voxels() {
    bytes_.resize(two_ ? 544 : 352);
    return *this;
  }
  std::string& bytes() { return bytes_; }

 private:
  template <class T>
  std::array<char, sizeof(T)> ordered(T value) const {
    std::array<char, sizeof(T)> raw{};
    std::memcpy(raw.data(), &value, sizeof(T));
    if (swapped_) std::ranges::reverse(raw);
    return raw;
  }
  bool swapped_, two_;
  std::string bytes_;
};

/// A folder for files that a test makes.
class NiftiFolder {
 public:
  std::filesystem::path write(const std::string& bytes, const std::string& name = "a.nii") const {
    // Not write_file(), and not over the old one: thousands of these would wait for the disk each time.
    std::filesystem::remove(folder_ / name);
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }
  VolumeInfo info(NiftiFile& file, const std::string& name = "a.nii") const {
    return read_volume_info(write(file.bytes(), name));
  }
  std::filesystem::path operator/(const std::string& name) const { return folder_ / name; }

 private:
  TemporaryFolder folder_;
};

}  // namespace sturm::test
