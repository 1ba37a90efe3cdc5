// SPDX-License-Identifier: BSD-3-Clause
// Which voxels are brain: from a file, or from the volumes themselves.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "sturm/core/design.h"
#include "sturm/imaging/grid.h"
#include "sturm/imaging/resample.h"

namespace sturm {

enum class OnMismatch { error, resample };
template <>
inline std::vector<std::string> names_of<OnMismatch>() {
  return {"error", "resample"};
}

/// The smallest and the largest value of every voxel over some volumes, and whether all of them were finite. Volumes
/// may be added in any order with the same result.
struct VoxelRanges {
  explicit VoxelRanges(const Shape& shape);
  template <class Real>
  void add(std::span<const Real> volume) {
    add(volume, 0, volume.size());
  }
  template <class Real>
  void add(std::span<const Real> volume, std::size_t first, std::size_t last);  ///< these voxels of it

  Shape shape;
  std::vector<float> low, high;  ///< of the finite values
  std::vector<std::uint8_t> all_finite;
};

/// The voxels that are finite in all of the volumes and not the same in all.
std::vector<std::uint8_t> varying(const VoxelRanges& ranges);

/// The voxels that are varying. A brain fills a half of its box at
/// the most: where more than that varies, the background is noise, and only voxels as bright as a brain are kept, with
/// the holes in it and without what is not connected to it. Throws where nothing is left.
std::vector<std::uint8_t> auto_mask(const VoxelRanges& ranges);

/// The same from the training rows of a design, so that a fold's mask knows nothing of its test rows. Empty: all rows.
template <class Real>
std::vector<std::uint8_t> auto_mask(const Design<Real>& design, std::span<const Index> rows = {});

/// A mask file (.nii, .nii.gz, .hdr, .img) in the order of `grid`; not 0 is inside. One on another grid is an error, or
/// interpolated, where at least one half is inside.
std::vector<std::uint8_t> load_mask_volume(const std::filesystem::path& file, const Grid& grid, OnMismatch mismatch);

}  // namespace sturm
