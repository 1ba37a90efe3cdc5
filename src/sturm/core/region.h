// SPDX-License-Identifier: BSD-3-Clause
// The voxels of a box that a study looks at. A brain fills a tenth to a quarter of its box: everything that has a
// number for each voxel has one for these alone.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sturm/core/tensor.h"

namespace sturm {

/// Voxels of a box in tensor order; the first of them is column 0 of a design, and so on. Cheap to copy.
class Region {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): a box is the region of all its voxels
  Region(const Shape& box) : box_(box.check()) {}
  /// The voxels whose byte is not 0; an empty mask is every voxel. Throws where none is left.
  Region(const Shape& box, std::span<const std::uint8_t> mask);

  const Shape& box() const { return box_; }
  bool whole() const { return !voxels_; }
  Index size() const { return voxels_ ? static_cast<Index>(voxels_->size()) : box_.size(); }
  Index voxel(Index column) const { return voxels_ ? (*voxels_)[column] : column; }
  std::vector<std::uint8_t> mask() const;  ///< one byte per voxel of the box; empty: every voxel
  /// Of values that belong to the columns: the box itself where that is the region, and n x 1 x 1 otherwise.
  Shape column_shape() const { return whole() ? box_ : Shape{size(), 1, 1}; }
  bool operator==(const Region& other) const;

  /// Values of the columns at their places in the box, 0 elsewhere; and back.
  template <class Real>
  BasicTensor<Real> spread(std::span<const Real> values) const {
    BasicTensor<Real> out(box_);
    for (Index c = 0; c < size(); ++c) out.data()[voxel(c)] = values[c];
    return out;
  }
  template <class Value>
  std::vector<Value> gather(std::span<const Value> box) const {
    std::vector<Value> out(size());
    for (Index c = 0; c < size(); ++c) out[c] = box[voxel(c)];
    return out;
  }

 private:
  Shape box_;
  std::shared_ptr<const std::vector<Index>> voxels_;  ///< null: every voxel
};

}  // namespace sturm
