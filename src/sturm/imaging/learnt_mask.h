// SPDX-License-Identifier: BSD-3-Clause
// Volumes as the voxels of a mask that some of them, the training set, have taught: the same rule for one fit and for
// every fold of a cross-validation, and the same numbers as if the volumes were loaded with that mask.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "sturm/imaging/coverage.h"
#include "sturm/imaging/resize.h"

namespace sturm {

template <class Real>
class LearntMasks {
 public:
  /// As load_volumes() leaves them with masks_later: `design` has every column that a mask may hold, and nothing that
  /// is not finite. `rim`: see LoadedVolumes; none where volumes are not resized.
  LearntMasks(Design<Real> design, std::optional<Design<Real>> rim, std::shared_ptr<const Coverage> coverage,
              MaskRule rule);

  /// `rows`, as the voxels of the mask that `train` teaches; empty: all. First the voxels that the volumes of the
  /// training set cover, on their own grid: outside, they count as 0 and are resized; then those that vary.
  Design<Real> volumes(std::span<const Index> train, std::span<const Index> rows) const;

  /// What the training set covers, on the grid of the volumes.
  CoveredVoxels covered(std::span<const Index> train) const { return covered_voxels(*coverage_, rule_, train); }

 private:
  Design<Real> inside(const Region& region, const std::vector<std::uint8_t>& mask, std::span<const Index> rows) const;

  Design<Real> design_;
  std::optional<Design<Real>> rim_;
  std::shared_ptr<const Coverage> coverage_;
  MaskRule rule_;
  std::shared_ptr<const Resizer> resizer_;  ///< null where volumes are not resized
};

}  // namespace sturm
