// SPDX-License-Identifier: BSD-3-Clause
// Reading voxels: of plain files by seeking, of gzip files whole.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include "sturm/core/error.h"
#include "sturm/core/memory.h"
#include "sturm/core/table.h"
#include "sturm/imaging/gzip.h"
#include "sturm/imaging/nifti.h"
#include "sturm/imaging/nifti_convert.h"
#include "sturm/imaging/nifti_header.h"

namespace sturm {
namespace {

using Sink = std::function<void(std::span<const std::byte>)>;

constexpr Index piece = Index{1} << 18;            // stays in the second-level cache between reading and converting
constexpr Index whole_at_once = Index{256} << 20;  // larger gzip files are inflated piece by piece
constexpr Index worth_asking = Index{256} << 20;   // below this no machine runs out of memory

Index volume_bytes(const VolumeInfo& info) { return info.grid.shape.size() * voxel_bytes(info.type); }

[[noreturn]] void refuse_short(const VolumeInfo& info) {
  refuse_volume(info.data_file,
                "ends before the voxels that dim and datatype of its header ask for (" + to_string(info.grid.shape) +
                    (info.volumes > 1 ? "x" + std::to_string(info.volumes) : "") + " of " + to_string(info.type) +
                    " from vox_offset " + std::to_string(info.data_offset) + " on); copy or download it again");
}

/// Reads on to the end of a gzip file, for its checksum: through as much as stands there by accident, but not through
/// whatever somebody put there.
void read_to_end(ByteStream& stream, std::vector<std::string>* warnings) {
  constexpr Index by_accident = Index{1} << 20;
  const Index behind = stream.skip(by_accident);
  if (warnings == nullptr) return;
  if (behind == by_accident)
    warnings->push_back("at least " + std::to_string(behind) +
                        " bytes stand after the voxels; the rest of the gzip data "
                        "was not read and its checksum not verified");
  else if (behind > 0)
    warnings->push_back(std::to_string(behind) + " bytes stand after the voxels; they are passed over");
  if (stream.padded())
    warnings->push_back("zeros stand after its gzip data, as tapes leave them; they are passed over");
}

/// Calls `sink` with the bytes of volumes [first, first + count) in order, in pieces of whole voxels. The file is read
/// and checked to its end; where it fails the sink may have had some of them.
void stream_voxels(const VolumeInfo& info, Index first, Index count, std::vector<std::string>* warnings,
                   const Sink& sink) {
  if (first < 0 || count < 1 || first > info.volumes - count)
    refuse_volume(info.header_file, "has " + plural(info.volumes, "volume") + " (dim[4]), so there is no volume " +
                                        std::to_string(first < 0 ? first : first + count - 1) +
                                        "; the first is number 0");
  const Index begin = info.data_offset + first * volume_bytes(info), bytes = count * volume_bytes(info);
  const Index end = info.data_offset + info.volumes * volume_bytes(info);
  if (info.gzip && end <= whole_at_once) {
    const auto all = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(end));
    if (inflate_whole(info.data_file, {all.get(), static_cast<std::size_t>(end)}))
      return sink({all.get() + begin, static_cast<std::size_t>(bytes)});
  }
  ByteStream stream(info.data_file);
  if (stream.skip(begin) < begin) refuse_short(info);
  const auto scratch = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(std::min(piece, bytes)));
  for (Index done = 0; done < bytes;) {
    const std::span part(scratch.get(), static_cast<std::size_t>(std::min(piece, bytes - done)));
    if (stream.read(part) < static_cast<Index>(part.size())) refuse_short(info);
    sink(part);
    done += static_cast<Index>(part.size());
  }
  if (stream.skip(end - begin - bytes) < end - begin - bytes) refuse_short(info);
  if (stream.gzip()) read_to_end(stream, warnings);
}

void require_memory(const VolumeInfo& info, Index bytes) {
  if (bytes < worth_asking) return;
  const Index available = memory_available();
  if (bytes > available)
    refuse_volume(info.header_file, "needs " + format_bytes(bytes) +
                                        " of memory for the voxels that its field dim "
                                        "asks for, and " +
                                        format_bytes(available) +
                                        " are available; use a machine with "
                                        "more, or smaller volumes");
}

/// Converts the voxels of a piece to the front of `to`; what is left of it.
template <class Real>
std::span<Real> convert_some(const VolumeInfo& info, std::span<const std::byte> stored, std::span<Real> to) {
  const std::size_t count = stored.size() / static_cast<std::size_t>(voxel_bytes(info.type));
  convert_voxels(info, stored, to.first(count));
  return to.subspan(count);
}

}  // namespace

template <class Real>
void read_volumes_into(const VolumeInfo& info, Index first, Index count, std::span<Real> out,
                       std::vector<std::string>* warnings) {
  if (static_cast<Index>(out.size()) != checked_product(count, info.grid.shape.size()))
    throw Error("a place for " + std::to_string(out.size()) + " voxels was given for " + std::to_string(count) +
                " volumes of " + to_string(info.grid.shape));
  stream_voxels(info, first, count, warnings,
                [&info, out](std::span<const std::byte> stored) mutable { out = convert_some(info, stored, out); });
}

template <class Real>
void read_volume_into(const VolumeInfo& info, Index volume, std::span<Real> out, std::vector<std::string>* warnings) {
  read_volumes_into(info, volume, 1, out, warnings);
}

template <class Real>
std::vector<Real> read_volume(const VolumeInfo& info, Index volume, std::vector<std::string>* warnings) {
  require_memory(info, info.grid.shape.size() * static_cast<Index>(sizeof(Real)));
  std::vector<Real> out;
  std::span<Real> left;
  stream_voxels(info, volume, 1, warnings, [&](std::span<const std::byte> stored) {
    if (out.empty()) {  // only now has the file shown that it has voxels
      out.resize(static_cast<std::size_t>(info.grid.shape.size()));
      left = out;
    }
    left = convert_some(info, stored, left);
  });
  return out;
}

VoxelSummary summarise_voxels(const VolumeInfo& info) {
  constexpr std::size_t at_once = 4096;
  std::vector<std::string> warnings;
  std::vector<double> values(at_once);
  VoxelCounter counter;
  const auto item = static_cast<std::size_t>(voxel_bytes(info.type));
  stream_voxels(info, 0, info.volumes, &warnings, [&](std::span<const std::byte> stored) {
    while (!stored.empty()) {
      const std::span part = std::span(values).first(std::min(at_once, stored.size() / item));
      convert_voxels(info, stored, part);
      counter.add(std::span<const double>(part));
      stored = stored.subspan(part.size() * item);
    }
  });
  VoxelSummary out = counter.summary();
  out.warnings.insert(out.warnings.begin(), warnings.begin(), warnings.end());
  return out;
}

template <class Real>
void VoxelCounter::add(std::span<const Real> values) {
  VoxelSummary& s = so_far_;
  for (const Real real : values) {
    const auto v = static_cast<double>(real);
    if (std::isnan(v)) {
      ++s.nan;
    } else if (std::isinf(v)) {
      ++s.infinite;
    } else {
      s.least = s.finite == 0 ? v : std::min(s.least, v);
      s.greatest = s.finite == 0 ? v : std::max(s.greatest, v);
      s.sum_of_squares += v * v;
      ++s.finite;
    }
  }
}

VoxelSummary VoxelCounter::summary() const {
  constexpr auto largest = static_cast<double>(std::numeric_limits<float>::max());
  VoxelSummary s = so_far_;
  s.constant = s.finite > 0 && s.nan == 0 && s.infinite == 0 && s.least == s.greatest;
  const auto say = [&s](std::string text) { s.warnings.push_back(std::move(text)); };
  if (s.finite == 0) say("no voxel is a finite number");
  if (s.nan > 0) say(plural(s.nan, "voxel") + (s.nan == 1 ? " is" : " are") + " not a number (NaN)");
  if (s.infinite > 0) say(plural(s.infinite, "voxel") + (s.infinite == 1 ? " is" : " are") + " infinite");
  if (s.constant) say("every voxel is " + in_words(s.least) + ": there is nothing to learn from it");
  if (std::max(std::abs(s.least), std::abs(s.greatest)) > largest)
    say("values up to " + in_words(std::max(std::abs(s.least), std::abs(s.greatest))) +
        " do not fit float32; look at scl_slope and scl_inter");
  else if (s.sum_of_squares > largest)
    say("values are so large that their sum of squares does not fit float32; scale them down");
  return s;
}

template std::vector<float> read_volume(const VolumeInfo&, Index, std::vector<std::string>*);
template std::vector<double> read_volume(const VolumeInfo&, Index, std::vector<std::string>*);
template void read_volume_into(const VolumeInfo&, Index, std::span<float>, std::vector<std::string>*);
template void read_volume_into(const VolumeInfo&, Index, std::span<double>, std::vector<std::string>*);
template void read_volumes_into(const VolumeInfo&, Index, Index, std::span<float>, std::vector<std::string>*);
template void read_volumes_into(const VolumeInfo&, Index, Index, std::span<double>, std::vector<std::string>*);
template void VoxelCounter::add(std::span<const float>);
template void VoxelCounter::add(std::span<const double>);

}  // namespace sturm
