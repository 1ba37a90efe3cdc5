// SPDX-License-Identifier: BSD-3-Clause
// From a name to what the file, or the pair of files, says of itself, held against what is there.
#include <algorithm>
#include <array>
#include <limits>

#include "sturm/imaging/gzip.h"
#include "sturm/imaging/nifti.h"
#include "sturm/imaging/nifti_header.h"

namespace sturm {
namespace {

namespace fs = std::filesystem;

/// The other half of a pair: `a.img` for `a.hdr`, gzipped or not, whichever is there; first the one that is named
/// alike. Empty where there is none.
fs::path other_half(const fs::path& file, const std::string& extension) {
  fs::path base = file;
  const std::string last = base.extension().string();
  const bool gzip = last == ".gz" || last == ".GZ";
  if (gzip) base.replace_extension();
  std::string upper = extension;
  std::ranges::transform(upper, upper.begin(), [](char c) { return c == '.' ? c : static_cast<char>(c - 32); });
  for (const std::string& middle : {extension, upper})
    for (const char* end : {gzip ? ".gz" : "", gzip ? "" : ".gz", gzip ? ".GZ" : ""}) {
      fs::path candidate = base;
      candidate.replace_extension(middle);
      candidate += end;
      std::error_code ignored;
      if (fs::is_regular_file(candidate, ignored)) return candidate;
    }
  return {};
}

/// Follows the extensions from one to the next. They are not used; one that is wrong does not move the voxels, which
/// are found by vox_offset. `end` is where they end, in bytes of the stream; of a pair's header file that is not known.
void check_extensions(ByteStream& stream, const VolumeHeader& h, Index end, std::vector<std::string>& warnings) {
  constexpr Index far_enough = Index{64} << 20;  // nobody's extensions; a pair's header could go on for ever
  std::array<std::byte, 4> flag{};
  if (stream.read(flag) < 4 || flag[0] == std::byte{0}) return;
  for (Index at = h.bytes() + 4; at < std::min(end, far_enough);) {
    std::array<std::byte, 8> sizes{};
    const Index got = stream.read(std::span(sizes).first(static_cast<std::size_t>(std::min<Index>(8, end - at))));
    if (got == 0 && h.pair) return;
    std::uint32_t bits = 0;
    for (int n = 0; n < 4; ++n) bits |= std::to_integer<std::uint32_t>(sizes[n]) << 8 * (h.swapped ? 3 - n : n);
    const auto esize = static_cast<std::int32_t>(bits);
    const bool fits = got == 8 && esize >= 16 && esize % 16 == 0 && esize <= end - at;
    if (!fits || stream.skip(esize - 8) < esize - 8) {
      warnings.push_back("the extension at byte " + std::to_string(at) + " of its header " +
                         (got < 8 ? std::string("is cut off before its field esize")
                                  : "has " + std::to_string(esize) + " in its field esize, which cannot be") +
                         "; extensions are passed over from there on");
      return;
    }
    at += esize;
  }
}

Index all_bytes(const VolumeInfo& info) { return info.grid.shape.size() * info.volumes * voxel_bytes(info.type); }

std::string asked_for(const VolumeInfo& info) {
  return to_string(info.grid.shape) + (info.volumes > 1 ? "x" + std::to_string(info.volumes) : "") +
         " voxels of type " + to_string(info.type) + " from byte " + std::to_string(info.data_offset) +
         " on (dim, datatype, vox_offset)";
}

/// Whether the data can be there: before any memory is taken for them.
void check_size(const ByteStream& data, VolumeInfo& info) {
  const Index needed = info.data_offset + all_bytes(info);
  info.gzip = data.gzip();
  const std::string where = info.data_file == info.header_file ? "the file" : info.data_file.filename().string();
  if (needed > data.most_bytes())
    refuse_volume(info.header_file, "its header asks for " + asked_for(info) + ", " + std::to_string(needed) +
                                        " bytes in all, and " + where +
                                        (data.gzip() ? " can hold " + std::to_string(data.most_bytes()) + " at most"
                                                     : " has " + std::to_string(data.file_bytes())) +
                                        "; it is cut off or its header is wrong, so copy or download it again");
  if (!data.gzip() && needed < data.file_bytes())
    info.warnings.push_back(std::to_string(data.file_bytes() - needed) +
                            " bytes stand after the voxels; they are "
                            "passed over");
}

}  // namespace

VolumeInfo read_volume_info(const fs::path& file) {
  fs::path header_file = file;
  if (volume_extension(file) == ".img") {
    header_file = other_half(file, ".hdr");
    if (header_file.empty())
      refuse_volume(file,
                    "has no .hdr file of the same name beside it, where its header would be; put the two together");
  }
  ByteStream stream(header_file);
  std::array<std::byte, long_header> start{};
  auto got = static_cast<std::size_t>(stream.read(std::span(start).first(short_header)));
  if (got == short_header && announces_long_header(std::span(start).first(got)))
    got += static_cast<std::size_t>(stream.read(std::span(start).subspan(got)));
  const VolumeHeader header = decode_header(std::span(start).first(got), header_file);
  VolumeInfo info = check_header(header, header_file);

  if (!header.pair) {
    check_size(stream, info);
    check_extensions(stream, header, info.data_offset, info.warnings);
    return info;
  }
  if (header.format != VolumeFormat::analyze)
    check_extensions(stream, header, std::numeric_limits<Index>::max(), info.warnings);
  if (stream.gzip()) stream.skip(Index{1} << 20);  // to the end of any sound header, for its checksum
  info.data_file = volume_extension(file) == ".img" ? file : other_half(file, ".img");
  if (info.data_file.empty())
    refuse_volume(file,
                  volume_extension(file) == ".hdr"
                      ? "has no .img file of the same name beside it, where its voxels would be (its field magic "
                        "is that of a pair); put the two together"
                      : "its field magic is that of the header of a pair; name it .hdr and put its .img beside it");
  if (header.format == VolumeFormat::analyze && !other_half(file, ".mat").empty())
    info.warnings.emplace_back(
        "a .mat file lies beside it and is not read: the place of its voxels is that of the "
        "header");
  check_size(ByteStream(info.data_file), info);
  return info;
}

void require_one_volume(const VolumeInfo& info) {
  if (info.volumes > 1)
    refuse_volume(info.header_file, "the field dim[4] of its header says " + std::to_string(info.volumes) +
                                        " volumes where one sample is one volume; name one of them in a column "
                                        "'volume' of the samples table, counted from 0");
}

}  // namespace sturm
