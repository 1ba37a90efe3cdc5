// SPDX-License-Identifier: BSD-3-Clause
// The header of a volume as it stands in the file: NIfTI-1, NIfTI-2 and Analyze 7.5 in one struct, in either byte
// order. Nothing but its identity has been checked.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sturm/imaging/nifti.h"

namespace sturm {

/// Fields bear the names of the NIfTI standard; float32 and int16 are widened, which loses nothing.
struct VolumeHeader {
  VolumeFormat format = VolumeFormat::nifti1;
  bool swapped = false;
  bool pair = false;  ///< voxels in a file of their own
  std::array<Index, 8> dim{};
  int datatype = 0, bitpix = 0;
  std::array<double, 8> pixdim{};
  double vox_offset = 0, scl_slope = 0, scl_inter = 0, cal_max = 0, cal_min = 0;
  Index glmax = 0, glmin = 0;  ///< Analyze alone
  int xyzt_units = 0, intent_code = 0, qform_code = 0, sform_code = 0;
  std::array<double, 3> quatern{}, qoffset{};
  std::array<std::array<double, 4>, 3> srow{};
  std::array<int, 3> origin{};  ///< SPM's use of Analyze: the voxel at 0 mm, counted from 1
  std::string descrip, intent_name;

  /// Bytes of the header, and of what stands before the first extension.
  Index bytes() const { return format == VolumeFormat::nifti2 ? 540 : 348; }
};

/// Bytes of the shorter headers, and of NIfTI-2's.
constexpr std::size_t short_header = 348, long_header = 540;
/// Whether a header that begins like this is of the longer kind.
bool announces_long_header(std::span<const std::byte> start);

/// Decodes the first bytes of a header file. `name` allows Analyze headers where it ends in .hdr or .hdr.gz: these
/// have no magic to know them by.
VolumeHeader decode_header(std::span<const std::byte> start, const std::filesystem::path& name);

/// Checks every field that the rest depends on, but not yet against the files; both files are `name`. Throws where a
/// field cannot be.
VolumeInfo check_header(const VolumeHeader& header, const std::filesystem::path& name);

/// Where the voxels lie: sform, else qform, else voxel sizes with the origin in the middle; each computed as nibabel
/// does, to the last bit. `warnings` gets a sentence for whatever is odd but has an answer.
Affine read_affine(const VolumeHeader& header, const Shape& shape, const std::filesystem::path& name,
                   std::vector<std::string>& warnings);

/// Throws an Error about a file: "NAME: WHY."
[[noreturn]] void refuse_volume(const std::filesystem::path& name, const std::string& why);

/// A number of a header in a sentence, as short as it can be.
std::string in_words(double value);

/// ".nii", ".hdr" or ".img" in lower case, without .gz; empty where a name ends otherwise.
std::string volume_extension(const std::filesystem::path& name);

}  // namespace sturm
