// SPDX-License-Identifier: BSD-3-Clause
// Which indices a region uses, numbered anew without the others.
#pragma once

#include "sturm/core/region.h"

namespace sturm {

/// Numbers 0, 1, 2 ... for those of `count` keys that some voxel of a region has, in rising order; -1 for the others.
class Used {
 public:
  /// key(i, j, k) of a voxel.
  template <class Key>
  Used(const Region& region, Index count, const Key& key) : number_(count, -1) {
    const Shape& s = region.box();
    for (Index c = 0; c < region.size(); ++c) {
      const Index v = region.voxel(c);
      number_[key(v % s.n1, v / s.n1 % s.n2, v / s.slice())] = 0;
    }
    for (Index& n : number_)
      if (n == 0) n = size_++;
  }
  Index size() const { return size_; }
  Index operator[](Index key) const { return number_[key]; }

 private:
  std::vector<Index> number_;
  Index size_ = 0;
};

/// position(i, j, k) of every voxel of a region.
template <class Position>
std::vector<Index> positions_of(const Region& region, const Position& position) {
  const Shape& s = region.box();
  std::vector<Index> out(region.size());
  for (Index c = 0; c < region.size(); ++c) {
    const Index v = region.voxel(c);
    out[c] = position(v % s.n1, v / s.n1 % s.n2, v / s.slice());
  }
  return out;
}

/// A copy whose rows and columns are those that a region uses, as a tensor of the box: row(i, j, k) and column(i, j, k)
/// are the keys of a voxel, position(row, column, k) is where the copy has it.
template <class Row, class Column, class Position>
Tensor copy_in_box(const Tensor& copy, const Shape& box, const Used& rows, const Row& row, const Used& columns,
                   const Column& column, const Position& position) {
  Tensor out(box);
  for (Index k = 0; k < box.n3; ++k)
    for (Index j = 0; j < box.n2; ++j)
      for (Index i = 0; i < box.n1; ++i) {
        const Index r = rows[row(i, j, k)], c = columns[column(i, j, k)];
        if (r >= 0 && c >= 0) out(i, j, k) = copy.data()[position(r, c, k)];
      }
  return out;
}

}  // namespace sturm
