// SPDX-License-Identifier: BSD-3-Clause
// NIfTI-1, NIfTI-2 and Analyze 7.5 files: reading what people have, writing what everybody reads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sturm/imaging/grid.h"

namespace sturm {

enum class VolumeFormat { nifti1, nifti2, analyze };
enum class VoxelType { uint8, int8, int16, uint16, int32, uint32, int64, uint64, float32, float64 };

/// What a file says of itself, checked: nothing in here can lead to a read outside the file.
struct VolumeInfo {
  std::filesystem::path header_file, data_file;  ///< the same but for pairs
  VolumeFormat format = VolumeFormat::nifti1;
  bool gzip = false;     ///< of the data file
  bool swapped = false;  ///< the other byte order
  Grid grid;
  Index volumes = 1;  ///< of a 4-D file
  VoxelType type = VoxelType::float32;
  double slope = 1, intercept = 0;  ///< value = slope * stored + intercept, in double
  int qform_code = 0, sform_code = 0, intent_code = 0;
  std::string description, intent_name;
  double repetition_time = 0;  ///< seconds; 0: not said
  Index data_offset = 0;
  std::vector<std::string> warnings;  ///< one sentence each
};

std::string to_string(VolumeFormat format);  ///< "NIfTI-1"
std::string to_string(VoxelType type);       ///< "int16"
Index voxel_bytes(VoxelType type);

/// Reads and checks the header, and that the data can be there; an error names the file and the field. Either half of
/// a pair may be named. Whether a file is gzip is told by its content.
VolumeInfo read_volume_info(const std::filesystem::path& file);

/// Throws where a file has several volumes and none was named: it cannot be one sample.
void require_one_volume(const VolumeInfo& info);

/// One volume of a file as float or double, x fastest, in the file's own order of axes; the whole file is read and
/// checked (gzip to its end, with its checksum). `warnings`, where given, gets a sentence for what was found behind the
/// voxels of a gzip file. Safe to call from many threads.
template <class Real>
std::vector<Real> read_volume(const VolumeInfo& info, Index volume = 0, std::vector<std::string>* warnings = nullptr);

/// The same into memory of the caller: one number per voxel.
template <class Real>
void read_volume_into(const VolumeInfo& info, Index volume, std::span<Real> out,
                      std::vector<std::string>* warnings = nullptr);

/// Volumes [first, first + count), one after the other. A gzip file is inflated once for all of them.
template <class Real>
void read_volumes_into(const VolumeInfo& info, Index first, Index count, std::span<Real> out,
                       std::vector<std::string>* warnings = nullptr);

/// What the voxels of a file are, all volumes together.
struct VoxelSummary {
  double least = 0, greatest = 0;  ///< of those that are finite
  Index finite = 0, nan = 0, infinite = 0;
  bool constant = false;              ///< one value everywhere
  double sum_of_squares = 0;          ///< of those that are finite
  std::vector<std::string> warnings;  ///< one sentence each, about values and about what stands behind them in the file
};

/// Reads the whole file, a piece at a time.
VoxelSummary summarise_voxels(const VolumeInfo& info);

/// A summary that grows by pieces: for voxels that are in memory anyway.
class VoxelCounter {
 public:
  template <class Real>
  void add(std::span<const Real> values);
  VoxelSummary summary() const;

 private:
  VoxelSummary so_far_;
};

/// How a map is written.
struct VolumeWriting {
  VoxelType type = VoxelType::float32;  ///< float32, int16 or uint8; integers are scaled so that the range is kept
  int intent_code = 0;
  std::string intent_name;
  std::string description;
  int form_code = 2;  ///< the space of the affine: 1 scanner, 2 aligned to another volume, 3 Talairach, 4 MNI
  double unit = 0;    ///< of integers: values are rounded to multiples of it. 0: their range is kept
};

/// The bytes of a NIfTI-1 file, not compressed. `name` is the file, for errors.
std::string volume_bytes(const std::filesystem::path& name, const Grid& grid, std::span<const float> values,
                         const VolumeWriting& how = {}, Index volumes = 1);

/// Writes NIfTI-1, gzipped where the name ends in .gz: beside, synced, then renamed. Several volumes: 4-D.
void write_volume(const std::filesystem::path& file, const Grid& grid, std::span<const float> values,
                  const VolumeWriting& how = {}, Index volumes = 1);

}  // namespace sturm
