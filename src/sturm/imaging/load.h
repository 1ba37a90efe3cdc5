// SPDX-License-Identifier: BSD-3-Clause
// From volume files to a design matrix.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sturm/core/design.h"
#include "sturm/imaging/mask.h"
#include "sturm/imaging/nifti.h"
#include "sturm/imaging/samples.h"

namespace sturm {

enum class OnNan { error, zero };
template <>
inline std::vector<std::string> names_of<OnNan>() {
  return {"error", "zero"};
}

/// What to do with volumes that do not fit as they are.
struct VolumeOptions {
  OnMismatch on_mismatch = OnMismatch::error;
  Interpolation interpolation = Interpolation::linear;
  OnNan nan = OnNan::error;
};
template <class Field>
void describe(Field&& field, VolumeOptions& o) {
  field("on-mismatch", o.on_mismatch, "volumes on other grids: an error, or resampled to the most common one");
  field("interpolation", o.interpolation, "how they are resampled");
  field("nan", o.nan, "voxels inside the mask that are not finite: an error, or taken as 0");
}

/// Files that are known to be sound as far as their headers say, and the grid that all of them are brought to.
struct VolumeSet {
  std::vector<SampleFile> files;
  std::vector<VolumeInfo> infos;  ///< one a file
  Grid grid;
};

/// The grid that most have, up to the order of their axes; the first of those in that order.
Grid common_grid(std::span<const VolumeInfo> infos);

/// "is 4x5x6 of 3 x 3 x 3 mm, RAS, first voxel at (1, 2, 3)"
std::string describe_grid(const Grid& grid);

/// Reads every header. Throws one Error with all that is wrong: files that cannot be read, 4-D files whose volume is
/// not said, and, unless they are to be resampled, volumes on another grid than `required` (none: the common one).
VolumeSet open_volumes(std::vector<SampleFile> files, OnMismatch mismatch, const Grid* required = nullptr);

/// A volume as it is on another grid: the same voxels in another order, or interpolated.
template <class Real>
std::vector<Real> on_grid(std::vector<Real> values, const Grid& from, const Grid& to, Interpolation how);

struct VolumeLoad {
  Shape shape;                     ///< of the design's box: the grid's, or a coarser one
  std::vector<std::uint8_t> mask;  ///< on the grid; empty: every voxel
  bool learn_mask = false;         ///< find the mask from these volumes instead
  /// No mask, but only voxels that are not the same in all volumes: what any mask learnt from some of them may hold.
  /// See imaging/learnt_mask.h.
  bool masks_later = false;
  MaskRule rule = MaskRule::automatic;  ///< of a mask that is learnt
  std::optional<Region> region{};       ///< columns of the design; none: those of the mask
  VolumeOptions options{};
  std::function<void(Index done, Index total)> progress{};  ///< called from any thread, one at a time
  /// Called when the columns are known, and how many voxels the rim has, before the design is made.
  std::function<void(const Region&, Index rim)> check{};
};

template <class Real>
struct LoadedVolumes {
  Design<Real> design;                    ///< of the voxels of the mask
  std::vector<std::uint8_t> grid_mask;    ///< on the grid; empty: every voxel. Outside, values count as 0
  std::vector<Index> not_finite;          ///< voxels of each file
  std::vector<Index> not_finite_in_mask;  ///< of which inside the mask
  /// Which voxels each volume covers, on the grid, before any mask.
  std::shared_ptr<const Coverage> coverage{};
  /// With masks_later, of volumes that are resized: the voxels that some volumes cover and others do not, on the grid.
  /// `design` is then of what all volumes cover, and a mask adds those of its own.
  std::optional<Design<Real>> rim{};
};

/// Bytes that load_volumes() takes, a design of these columns among them.
template <class Real>
Index load_bytes(const VolumeSet& set, const Region& region, Index rim = 0);

/// Reads the volumes in parallel, a few at a time, straight into the design; twice where they must first say which
/// voxels it has. What is outside the mask or not finite becomes 0 before a volume is resized. Throws one Error with
/// every file that cannot be read, that holds no finite number or, unless it is to be zero or the mask is learnt, has
/// voxels inside the mask that are not finite.
template <class Real>
LoadedVolumes<Real> load_volumes(const VolumeSet& set, const VolumeLoad& load);

}  // namespace sturm
