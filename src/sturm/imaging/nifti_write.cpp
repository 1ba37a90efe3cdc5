// SPDX-License-Identifier: BSD-3-Clause
// NIfTI-1 files as everybody reads them: one file, little-endian, sform and qform set, every byte of the header set.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "sturm/core/error.h"
#include "sturm/core/files.h"
#include "sturm/imaging/gzip.h"
#include "sturm/imaging/nifti.h"
#include "sturm/imaging/nifti_header.h"

namespace sturm {
namespace {

namespace fs = std::filesystem;
static_assert(std::endian::native == std::endian::little, "bytes are written as they lie in memory");

constexpr std::size_t data_offset = 352;

template <class T>
void put(std::string& bytes, std::size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

/// At most length - 1 bytes, so that a zero follows; never half a character of UTF-8.
void put_text(std::string& bytes, std::size_t offset, std::size_t length, const std::string& text) {
  std::size_t end = std::min(text.size(), length - 1);
  if (end < text.size())
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  std::memcpy(bytes.data() + offset, text.data(), end);
}

/// The unit quaternion (a, b, c, d), a >= 0, of the rotation whose columns are the axes of the voxels, the third turned
/// round where they are left-handed.
std::array<double, 4> quaternion(const Affine& a, double handedness) {
  const Point size = voxel_size(a);
  double r[3][3];
  for (int row = 0; row < 3; ++row)
    for (int n = 0; n < 3; ++n) r[row][n] = a.rows[row][n] / size[n] * (n == 2 ? handedness : 1);
  // 4 q_n^2, each from the diagonal; the largest is safe to divide by.
  const double squares[4] = {1 + r[0][0] + r[1][1] + r[2][2], 1 + r[0][0] - r[1][1] - r[2][2],
                             1 - r[0][0] + r[1][1] - r[2][2], 1 - r[0][0] - r[1][1] + r[2][2]};
  const auto most = std::max_element(squares, squares + 4) - squares;
  const double s = 2 * std::sqrt(std::max(squares[most], 0.0));
  std::array<double, 4> q{};
  if (most == 0)
    q = {s / 4, (r[2][1] - r[1][2]) / s, (r[0][2] - r[2][0]) / s, (r[1][0] - r[0][1]) / s};
  else if (most == 1)
    q = {(r[2][1] - r[1][2]) / s, s / 4, (r[0][1] + r[1][0]) / s, (r[0][2] + r[2][0]) / s};
  else if (most == 2)
    q = {(r[0][2] - r[2][0]) / s, (r[0][1] + r[1][0]) / s, s / 4, (r[1][2] + r[2][1]) / s};
  else
    q = {(r[1][0] - r[0][1]) / s, (r[0][2] + r[2][0]) / s, (r[1][2] + r[2][1]) / s, s / 4};
  if (q[0] < 0)
    for (double& v : q) v = -v;
  return q;
}

/// Voxel sizes, sform, and the qform where it puts every voxel at the same place: a sheared affine has none.
void put_affine(std::string& bytes, const fs::path& file, const Grid& grid, int code) {
  const Point size = voxel_size(grid.affine);
  const double handedness = determinant(grid.affine) < 0 ? -1 : 1;
  const auto q = quaternion(grid.affine, handedness);
  put(bytes, 76, static_cast<float>(handedness));
  for (std::size_t n = 0; n < 3; ++n) {
    put(bytes, 80 + 4 * n, static_cast<float>(size[n]));
    put(bytes, 256 + 4 * n, static_cast<float>(q[n + 1]));
    put(bytes, 268 + 4 * n, static_cast<float>(grid.affine.rows[n][3]));
    for (std::size_t c = 0; c < 4; ++c) put(bytes, 280 + 16 * n + 4 * c, static_cast<float>(grid.affine.rows[n][c]));
  }
  // What a reader will make of it decides.
  put(bytes, 252, static_cast<std::int16_t>(code));
  put(bytes, 254, std::int16_t{0});
  const auto read_back = [&] { return decode_header(std::as_bytes(std::span(bytes).first(short_header)), file); };
  std::vector<std::string> ignored;
  const bool rigid = same_grid(grid, {grid.shape, read_affine(read_back(), grid.shape, file, ignored)});
  put(bytes, 252, static_cast<std::int16_t>(rigid ? code : 0));
  put(bytes, 254, static_cast<std::int16_t>(code));
}

struct Range {
  float least = 0, greatest = 0;
  bool finite = true, whole = true;  ///< every value
};

Range range_of(std::span<const float> values) {
  Range r;
  bool first = true;
  for (const float v : values) {
    if (!std::isfinite(v)) {
      r.finite = false;
      continue;
    }
    r.least = first ? v : std::min(r.least, v);
    r.greatest = first ? v : std::max(r.greatest, v);
    r.whole = r.whole && v == std::floor(v);
    first = false;
  }
  return r;
}

/// Multiples of a unit, where there is one. Without, whole numbers that fit are kept; otherwise the range of the values
/// is spread over the range of the type.
template <class Stored>
void put_integers(std::string& bytes, const fs::path& file, std::span<const float> values, const Range& range,
                  double unit) {
  if (!range.finite)
    throw Error({file.string()}, "has values that are not finite, which integers cannot hold; write float32.");
  constexpr auto lowest = static_cast<double>(std::numeric_limits<Stored>::min());
  constexpr auto highest = static_cast<double>(std::numeric_limits<Stored>::max());
  const auto least = static_cast<double>(range.least), greatest = static_cast<double>(range.greatest);
  float slope = 1, intercept = 0;
  if (static_cast<float>(unit) > 0) {
    slope = static_cast<float>(unit);
  } else if (!range.whole || least < lowest || greatest > highest) {
    slope = static_cast<float>((greatest - least) / (highest - lowest));
    if (!(slope > 0)) slope = 1;  // one value, or a range too small for float32
    intercept = static_cast<float>(least - lowest * static_cast<double>(slope));
  }
  put(bytes, 112, slope);
  put(bytes, 116, intercept);
  std::size_t at = data_offset;
  for (const float v : values) {
    const double stored =
        std::round((static_cast<double>(v) - static_cast<double>(intercept)) / static_cast<double>(slope));
    put(bytes, at, static_cast<Stored>(std::clamp(stored, lowest, highest)));
    at += sizeof(Stored);
  }
}

void check_request(const fs::path& file, const Grid& grid, std::span<const float> values, const VolumeWriting& how,
                   Index volumes) {
  grid.shape.check();
  if (volumes < 1 || static_cast<Index>(values.size()) != checked_product(grid.shape.size(), volumes))
    throw Error({file.string()}, std::to_string(values.size()) + " values were given for " + std::to_string(volumes) +
                                     " volumes of " + to_string(grid.shape) + ".");
  constexpr Index most = std::numeric_limits<std::int16_t>::max();
  if (std::max({grid.shape.n1, grid.shape.n2, grid.shape.n3, volumes}) > most)
    throw Error({file.string()}, "has an extent above " + std::to_string(most) +
                                     ", the most that NIfTI-1 can hold; write fewer volumes.");
  if (singular(grid.affine)) throw Error({file.string()}, "the affine of its grid is singular or not finite.");
  if (how.type != VoxelType::float32 && how.type != VoxelType::int16 && how.type != VoxelType::uint8)
    throw Error({file.string()}, "volumes are written as float32, int16 or uint8, not " + to_string(how.type) + ".");
}

}  // namespace

std::string volume_bytes(const fs::path& name, const Grid& grid, std::span<const float> values,
                         const VolumeWriting& how, Index volumes) {
  check_request(name, grid, values, how, volumes);
  const auto item = static_cast<std::size_t>(voxel_bytes(how.type));
  std::string bytes(data_offset + values.size() * item, '\0');
  put(bytes, 0, std::int32_t{348});
  bytes[38] = 'r';
  const Index dim[8] = {volumes > 1 ? 4 : 3, grid.shape.n1, grid.shape.n2, grid.shape.n3, volumes, 1, 1, 1};
  for (std::size_t n = 0; n < 8; ++n) put(bytes, 40 + 2 * n, static_cast<std::int16_t>(dim[n]));
  put(bytes, 68, static_cast<std::int16_t>(how.intent_code));
  put(bytes, 70, static_cast<std::int16_t>(how.type == VoxelType::float32 ? 16 : how.type == VoxelType::int16 ? 4 : 2));
  put(bytes, 72, static_cast<std::int16_t>(8 * item));
  for (std::size_t n = 4; n < 8; ++n) put(bytes, 76 + 4 * n, 1.0F);
  put(bytes, 108, static_cast<float>(data_offset));
  put(bytes, 112, 1.0F);
  bytes[123] = 2;  // millimetres
  const Range range = range_of(values);
  put(bytes, 124, range.greatest);
  put(bytes, 128, range.least);
  put_text(bytes, 148, 80, how.description);
  put_text(bytes, 328, 16, how.intent_name);
  std::memcpy(bytes.data() + 344, "n+1", 4);
  put_affine(bytes, name, grid, how.form_code);

  if (how.type == VoxelType::float32)
    std::memcpy(bytes.data() + data_offset, values.data(), values.size_bytes());
  else if (how.type == VoxelType::int16)
    put_integers<std::int16_t>(bytes, name, values, range, how.unit);
  else
    put_integers<std::uint8_t>(bytes, name, values, range, how.unit);
  return bytes;
}

void write_volume(const fs::path& file, const Grid& grid, std::span<const float> values, const VolumeWriting& how,
                  Index volumes) {
  const std::string bytes = volume_bytes(file, grid, values, how, volumes);
  const std::string ending = file.extension().string();
  write_file(file, ending == ".gz" || ending == ".GZ" ? gzip_compress(bytes) : bytes);
}

}  // namespace sturm
