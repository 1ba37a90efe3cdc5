// SPDX-License-Identifier: BSD-3-Clause
// The design matrix: every sample's volume, held once, as the voxels of a region.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sturm/core/region.h"

namespace sturm {

/// X with the sample index fastest: element (m, column) is x()[m + samples() * column], columns being the voxels of the
/// region in tensor order. A voxel's values over the samples are contiguous, so that columns of X are gathered at
/// memory speed. The numbers may be owned, or lie in a file mapped into memory: `keep` holds whatever they live in.
template <class Real>
class Design {
 public:
  Design(Region region, Index samples, std::span<const Real> x, std::shared_ptr<const void> keep)
      : region_(std::move(region)), samples_(samples), x_(x), keep_(std::move(keep)) {
    if (samples < 1) throw Error("a study without samples has nothing to learn from");
    if (static_cast<Index>(x.size()) != checked_product(samples, region_.size()))
      throw Error("a design of " + std::to_string(samples) + " volumes of " + std::to_string(region_.size()) +
                  " voxels needs " + std::to_string(samples * region_.size()) + " numbers, not " +
                  std::to_string(x.size()));
  }
  static Design owning(Region region, Index samples, AlignedVector<Real> x) {
    auto keep = std::make_shared<const AlignedVector<Real>>(std::move(x));
    return Design(std::move(region), samples, *keep, keep);
  }

  /// The same numbers as the columns of another region of as many voxels.
  Design with_region(Region region) const { return Design(std::move(region), samples_, x_, keep_); }

  const Region& region() const { return region_; }
  const Shape& shape() const { return region_.box(); }  ///< of the box
  Index samples() const { return samples_; }
  Index voxels() const { return region_.size(); }  ///< columns
  std::span<const Real> x() const { return x_; }
  const Real* column(Index voxel) const { return x_.data() + voxel * samples_; }

 private:
  Region region_;
  Index samples_;
  std::span<const Real> x_;
  std::shared_ptr<const void> keep_;
};

/// Where the columns of `region`, all of which x must have, are among those of x.
template <class Real>
std::vector<Index> columns_of(const Design<Real>& x, const Region& region);

/// A copy of some rows (empty: all, in their order) and of the columns of `region`, which must be among those of x.
/// Where nothing is left out, x itself.
template <class Real>
Design<Real> part_of(const Design<Real>& x, std::span<const Index> rows, const Region& region);

/// The columns of a mask on the box; empty: x itself.
template <class Real>
Design<Real> masked(const Design<Real>& x, std::span<const std::uint8_t> mask) {
  return mask.empty() ? x : part_of(x, {}, Region(x.shape(), mask));
}

/// Some rows, at least one, and all columns.
template <class Real>
Design<Real> rows_of(const Design<Real>& x, std::span<const Index> rows) {
  if (rows.empty()) throw Error("a study without samples has nothing to learn from");
  return part_of(x, rows, x.region());
}

}  // namespace sturm
