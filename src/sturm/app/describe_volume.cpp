// SPDX-License-Identifier: BSD-3-Clause
// What a NIfTI or Analyze volume is: its header and its voxels, read to the end.
#include <fmt/core.h>

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sturm/app/describe_file.h"
#include "sturm/core/files.h"
#include "sturm/imaging/nifti.h"
#include "sturm/imaging/nifti_header.h"

namespace sturm {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

/// The length of the character of UTF-8 at the front of a text; 0 where there is none, and for those that do something
/// to a terminal or to the order of the text around them.
std::size_t plain_character(std::string_view text) {
  const auto byte = [text](std::size_t n) { return n < text.size() ? static_cast<unsigned char>(text[n]) : 0U; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return lead >= 0x20 && lead != 0x7f ? 1 : 0;
  const std::size_t length = lead >= 0xc2 && lead < 0xe0   ? 2
                             : lead >= 0xe0 && lead < 0xf0 ? 3
                             : lead >= 0xf0 && lead < 0xf5 ? 4
                                                           : 0;
  unsigned code = length == 2 ? lead & 0x1f : length == 3 ? lead & 0x0f : lead & 0x07;
  for (std::size_t n = 1; n < length; ++n) {
    if ((byte(n) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(n) & 0x3f);
  }
  const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool valid = length > 0 && code >= least[length] && code < 0x110000 && (code < 0xd800 || code > 0xdfff);
  const bool control = code < 0xa0 || (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
                       (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
  return valid && !control ? length : 0;
}

/// Text from a header, which anybody may have written: what is not plain is shown as its bytes.
std::string inert(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = plain_character(text);
    if (length > 0)
      out += text.substr(0, length);
    else
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

ordered_json or_null(const std::string& text) { return text.empty() ? ordered_json() : ordered_json(text); }

}  // namespace

bool may_be_volume(const fs::path& file) {
  if (!volume_extension(file).empty()) return true;
  require_regular_file(file);
  std::array<unsigned char, 4> start{};
  std::ifstream(file, std::ios::binary).read(reinterpret_cast<char*>(start.data()), 4);
  const unsigned little = start[0] + 256U * start[1], big = start[3] + 256U * start[2];
  return little == 348 || little == 540 || big == 348 || big == 540 || (start[0] == 0x1f && start[1] == 0x8b);
}

ordered_json describe_volume(const fs::path& file) {
  const VolumeInfo info = read_volume_info(file);
  const VoxelSummary voxels = summarise_voxels(info);
  const Shape& shape = info.grid.shape;
  const bool little = !info.swapped;  // nothing else is built for big-endian machines
  ordered_json facts = {
      {"kind", info.volumes > 1 ? "volumes over time" : "a volume"},
      {"format", to_string(info.format)},
      {"header_file", info.header_file.string()},
      {"data_file", info.data_file.string()},
      {"gzip", info.gzip},
      {"byte_order", little ? "little-endian" : "big-endian"},
      {"type", to_string(info.type)},
      {"shape", {shape.n1, shape.n2, shape.n3}},
      {"volumes", info.volumes},
      {"voxel_size", voxel_size(info.grid.affine)},
      {"orientation", orientation(info.grid.affine)},
      {"affine", info.grid.affine.rows},
      {"qform_code", info.qform_code},
      {"sform_code", info.sform_code},
      {"slope", info.slope},
      {"intercept", info.intercept},
      {"repetition_time", info.repetition_time > 0 ? ordered_json(info.repetition_time) : ordered_json()},
      {"intent_code", info.intent_code},
      {"intent", or_null(inert(info.intent_name))},
      {"description", or_null(inert(info.description))},
      {"range", voxels.finite > 0 ? ordered_json{voxels.least, voxels.greatest} : ordered_json()},
      {"nan", voxels.nan},
      {"infinite", voxels.infinite},
      {"constant", voxels.constant}};
  facts["warnings"] = info.warnings;
  for (const std::string& warning : voxels.warnings) facts["warnings"].push_back(warning);
  return facts;
}

}  // namespace sturm
