// SPDX-License-Identifier: BSD-3-Clause
// Which voxels are brain: from a file, or from the volumes themselves.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sturm/core/design.h"
#include "sturm/imaging/coverage.h"
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

/// Of the voxels that volumes cover (imaging/coverage.h; empty: all) those that are varying. A brain fills a half of
/// its box at the most: where more than that varies, the background is noise, and only voxels as bright as a brain are
/// kept, with the holes in it and without what is not connected to it; not where `by_brightness` is false. Throws where
/// nothing is left.
std::vector<std::uint8_t> auto_mask(const VoxelRanges& ranges, std::span<const std::uint8_t> covered = {},
                                    bool by_brightness = true);
/// Whether what volumes cover leaves it open that the background is noise: more than a half of their box.
bool may_be_noise(const CoveredVoxels& covered);

/// The same from the training rows of a design, so that a fold's mask knows nothing of its test rows. Empty: all rows.
template <class Real>
std::vector<std::uint8_t> auto_mask(const Design<Real>& design, std::span<const Index> rows = {},
                                    std::span<const std::uint8_t> covered = {}, bool by_brightness = true);

/// "auto" or "union" as a rule; nothing for none, a file, or no word at all.
std::optional<MaskRule> mask_rule(const std::string& mask);

/// One sentence for the person: how many voxels a learnt mask has, which were left out, and why. `columns` is what is
/// left after those that do not vary are gone too, on the grid or on a coarser one; `names` are of the samples.
std::string describe_mask(const CoveredVoxels& covered, MaskRule rule, Index columns, const Shape& shape,
                          std::span<const std::string> names = {});

/// Throws one sentence that says why a learnt mask has no voxel.
[[noreturn]] void refuse_empty_mask(const CoveredVoxels& covered, std::span<const std::string> names = {});

/// A mask file (.nii, .nii.gz, .hdr, .img) in the order of `grid`; not 0 is inside, NaN is outside. One on another grid
/// is an error, or interpolated, where at least one half is inside. What is odd about its values is added to `notes`.
std::vector<std::uint8_t> load_mask_volume(const std::filesystem::path& file, const Grid& grid, OnMismatch mismatch,
                                           std::vector<std::string>* notes = nullptr);

}  // namespace sturm
