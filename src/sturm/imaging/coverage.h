// SPDX-License-Identifier: BSD-3-Clause
// Which voxels each volume of a study covers. A volume that ends too early, that was cut to another brain or that was
// resampled holds 0 or NaN where others hold values: one bit per voxel and volume, noted while the volumes are read.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sturm/core/design.h"

namespace sturm {

class Coverage {
 public:
  using Words = std::vector<std::uint64_t>;  ///< 64 voxels each, in tensor order

  Coverage(const Shape& shape, Index samples);
  /// From the bits of every sample, as the functions below give them.
  Coverage(const Shape& shape, std::vector<Words> lacks, std::vector<Words> not_finite, std::vector<Words> lone_zeros)
      : shape_(shape), lacks_(std::move(lacks)), not_finite_(std::move(not_finite)), lone_(std::move(lone_zeros)) {}

  /// Notes the volume of a sample. Any thread, each sample once.
  template <class Real>
  void add(Index sample, std::span<const Real> volume);

  const Shape& shape() const { return shape_; }
  Index samples() const { return static_cast<Index>(lacks_.size()); }
  Index words() const { return (shape_.size() + 63) / 64; }

  /// Voxels that are exactly 0 or not finite.
  const Words& lacks(Index sample) const { return lacks_[sample]; }
  /// Voxels that are not finite; empty: none.
  const Words& not_finite(Index sample) const { return not_finite_[sample]; }
  /// Zeros that stand alone in a volume of whole numbers, or of steps, where 0 is as likely as the values next to it: a
  /// value and no gap. Empty: none.
  const Words& lone_zeros(Index sample) const { return lone_[sample]; }

  Index lacking(Index sample) const;  ///< how many voxels it lacks

  /// The number of voxels that one of two samples lacks and the other does not, samples x samples: squared distances.
  /// Of the voxels of a mask alone where one is given.
  std::vector<double> differences(std::span<const std::uint8_t> mask = {}) const;
  /// How many voxels some samples lack, but not all of them; of the mask alone where one is given.
  Index varying(std::span<const std::uint8_t> mask = {}) const;

  /// The same where 0 is a value: only what is not finite is lacking.
  Coverage without_zeros() const;
  /// The same samples in another order, or some of them.
  Coverage rows_of(std::span<const Index> rows) const;

  static Index bytes(const Shape& shape, Index samples) { return (shape.size() + 63) / 64 * 8 * samples; }

 private:
  Words words_in(std::span<const std::uint8_t> mask) const;

  Shape shape_;
  std::vector<Words> lacks_, not_finite_, lone_;
};

/// Of an array that is held already: its columns are voxels, and a block of samples is read at a time.
template <class Real>
Coverage coverage_of(const Design<Real>& design);

enum class MaskRule { automatic, any };  ///< covered in (nearly) every volume, or in one at least

/// The voxels that volumes cover, and why the others are left out.
struct CoveredVoxels {
  std::vector<std::uint8_t> mask;  ///< on the grid of the volumes
  Index samples = 0;
  Index allowed = 0;           ///< volumes that may lack a voxel of the mask
  bool zero_is_value = false;  ///< 0 is no gap here: see covered_voxels()
  Index kept = 0;
  Index background = 0;  ///< voxels that are 0 or not finite in every volume
  Index not_finite = 0;  ///< voxels that are NaN or infinite in more volumes than are allowed
  Index zero = 0;        ///< voxels that are 0, or either of the two, in more volumes than are allowed
  Index worst = -1;      ///< the sample that alone takes away most voxels, as a position among the rows
  Index worst_takes = 0;
};

/// `automatic`: the voxels that all volumes cover but one in a hundred: with fewer than a hundred, all. A voxel is
/// covered where it is finite and not a background. 0 is a background unless it is a value like others: where fewer
/// than a tenth of the voxels that are not always 0 are different from 0 in nine of ten volumes (lesions, thresholded
/// maps), or where a zero stands alone in a volume of whole numbers. `any`: the voxels that one volume covers at least.
/// Of some rows; empty: all.
CoveredVoxels covered_voxels(const Coverage& coverage, MaskRule rule, std::span<const Index> rows = {});

}  // namespace sturm
