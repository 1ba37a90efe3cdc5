// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/nifti_header.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "sturm/core/error.h"

namespace sturm {
namespace {

namespace fs = std::filesystem;

/// Fields at fixed places of a header.
class Fields {
 public:
  Fields(std::span<const std::byte> bytes, bool swapped) : bytes_(bytes), swapped_(swapped) {}

  template <class T>
  T at(std::size_t offset) const {
    std::array<std::byte, sizeof(T)> raw;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
    std::memcpy(raw.data(), bytes_.subspan(offset, sizeof(T)).data(), sizeof(T));
    if (swapped_) std::ranges::reverse(raw);
    return std::bit_cast<T>(raw);
  }
  template <class T, class To, std::size_t n>
  void list(std::size_t offset, std::array<To, n>& to) const {
    for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<To>(at<T>(offset + i * sizeof(T)));
  }
  /// Up to the first zero byte, without spaces at the end.
  std::string text(std::size_t offset, std::size_t length) const {
    const auto* begin = reinterpret_cast<const char*>(bytes_.subspan(offset, length).data());
    std::string out(begin, ::strnlen(begin, length));
    out.erase(out.find_last_not_of(' ') + 1);
    return out;
  }

 private:
  std::span<const std::byte> bytes_;
  bool swapped_;
};

template <class Real>
void decode_places(const Fields& fields, std::size_t pixdim, std::size_t quatern, VolumeHeader& h) {
  fields.list<Real>(pixdim, h.pixdim);
  fields.list<Real>(quatern, h.quatern);
  fields.list<Real>(quatern + 3 * sizeof(Real), h.qoffset);
  for (std::size_t row = 0; row < 3; ++row) fields.list<Real>(quatern + (6 + 4 * row) * sizeof(Real), h.srow[row]);
}

void decode_348(const Fields& fields, VolumeHeader& h) {
  fields.list<std::int16_t>(40, h.dim);
  h.intent_code = fields.at<std::int16_t>(68);
  h.datatype = fields.at<std::int16_t>(70);
  h.bitpix = fields.at<std::int16_t>(72);
  decode_places<float>(fields, 76, 256, h);
  h.vox_offset = static_cast<double>(fields.at<float>(108));
  h.scl_slope = static_cast<double>(fields.at<float>(112));
  h.scl_inter = static_cast<double>(fields.at<float>(116));
  h.xyzt_units = fields.at<std::uint8_t>(123);
  h.cal_max = static_cast<double>(fields.at<float>(124));
  h.cal_min = static_cast<double>(fields.at<float>(128));
  h.glmax = fields.at<std::int32_t>(140);
  h.glmin = fields.at<std::int32_t>(144);
  h.descrip = fields.text(148, 80);
  if (h.format == VolumeFormat::analyze) {
    fields.list<std::int16_t>(253, h.origin);
  } else {
    h.qform_code = fields.at<std::int16_t>(252);
    h.sform_code = fields.at<std::int16_t>(254);
    h.intent_name = fields.text(328, 16);
  }
}

void decode_540(const Fields& fields, VolumeHeader& h) {
  h.datatype = fields.at<std::int16_t>(12);
  h.bitpix = fields.at<std::int16_t>(14);
  fields.list<std::int64_t>(16, h.dim);
  decode_places<double>(fields, 104, 352, h);
  h.vox_offset = static_cast<double>(fields.at<std::int64_t>(168));  // rounded only far above any file's size
  h.scl_slope = fields.at<double>(176);
  h.scl_inter = fields.at<double>(184);
  h.cal_max = fields.at<double>(192);
  h.cal_min = fields.at<double>(200);
  h.descrip = fields.text(240, 80);
  h.qform_code = fields.at<std::int32_t>(344);
  h.sform_code = fields.at<std::int32_t>(348);
  h.xyzt_units = fields.at<std::int32_t>(500);
  h.intent_code = fields.at<std::int32_t>(504);
  h.intent_name = fields.text(508, 16);
}

/// "n+1" for bytes that can be read, otherwise their codes.
std::string shown(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    char code[8];
    std::snprintf(code, sizeof code, "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    out += c >= ' ' && c <= '~' ? std::string(1, c) : std::string(code);
  }
  return "'" + out + "'";
}

constexpr const char* not_a_volume = "; it is no NIfTI volume, or it is damaged";

/// Whether voxels are in a file of their own, by the magic; Analyze headers have none.
void read_magic(std::span<const std::byte> start, const fs::path& name, VolumeHeader& h) {
  const bool two = h.format == VolumeFormat::nifti2;
  const auto* place = reinterpret_cast<const char*>(start.subspan(two ? 4 : 344, two ? 8 : 4).data());
  const std::string_view magic(place, 4), single(two ? "n+2\0" : "n+1\0", 4), pair(two ? "ni2\0" : "ni1\0", 4);
  if (magic != single && magic != pair) {
    const bool nifti = magic.starts_with("n+") || magic.starts_with("ni");
    if (two || nifti || volume_extension(name) != ".hdr")
      refuse_volume(name, "the field magic of its header is " + shown(magic) + " where a NIfTI-" + (two ? "2" : "1") +
                              " file has 'n+" + (two ? "2" : "1") + "' or 'ni" + (two ? "2" : "1") + "'" +
                              not_a_volume);
    h.format = VolumeFormat::analyze;
    h.pair = true;
    return;
  }
  h.pair = magic == pair;
  const std::string_view line_ends(place + 4, two ? 4 : 0);
  if (two && line_ends != std::string_view("\r\n\x1a\n", 4) && line_ends != std::string_view("\0\0\0\0", 4))
    refuse_volume(name,
                  "the field magic of its header ends in " + shown(line_ends) +
                      " instead of '\\x0d\\x0a\\x1a\\x0a'; it was transferred as text, so copy it again as binary");
  if (h.pair && volume_extension(name) == ".nii")
    refuse_volume(name, "the field magic of its header is 'ni" + std::string(two ? "2" : "1") +
                            "', which puts the voxels in a separate .img file; rename the two to .hdr and .img, or "
                            "convert them to one .nii file");
}

}  // namespace

void refuse_volume(const fs::path& name, const std::string& why) { throw Error({name.string()}, why + "."); }

std::string in_words(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string volume_extension(const fs::path& name) {
  std::string all = name.filename().string();
  std::ranges::transform(all, all.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (all.ends_with(".gz")) all.resize(all.size() - 3);
  for (const char* extension : {".nii", ".hdr", ".img"})
    if (all.ends_with(extension)) return extension;
  return {};
}

bool announces_long_header(std::span<const std::byte> start) {
  return start.size() >= 4 &&
         (Fields(start, false).at<std::int32_t>(0) == 540 || Fields(start, true).at<std::int32_t>(0) == 540);
}

VolumeHeader decode_header(std::span<const std::byte> start, const fs::path& name) {
  if (start.empty()) refuse_volume(name, "is empty; copy or download it again");
  if (start.size() < 4)
    refuse_volume(name, "ends after " + std::to_string(start.size()) + " bytes, inside the field sizeof_hdr of its " +
                            "header; copy or download it again");
  VolumeHeader h;
  const auto size = Fields(start, false).at<std::int32_t>(0), turned = Fields(start, true).at<std::int32_t>(0);
  if (size != 348 && size != 540 && turned != 348 && turned != 540)
    refuse_volume(name, "the field sizeof_hdr of its header is " + std::to_string(size) + ", not 348 (NIfTI-1, " +
                            "Analyze) or 540 (NIfTI-2), in either byte order" + not_a_volume);
  h.swapped = size != 348 && size != 540;
  if (announces_long_header(start)) h.format = VolumeFormat::nifti2;
  if (static_cast<Index>(start.size()) < h.bytes())
    refuse_volume(name, "ends after " + std::to_string(start.size()) + " bytes, inside the header of " +
                            std::to_string(h.bytes()) +
                            " that its field sizeof_hdr announces; copy or download it "
                            "again");
  read_magic(start, name, h);
  const Fields fields(start, h.swapped);
  h.format == VolumeFormat::nifti2 ? decode_540(fields, h) : decode_348(fields, h);
  return h;
}

}  // namespace sturm
