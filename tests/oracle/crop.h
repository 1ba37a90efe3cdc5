// SPDX-License-Identifier: BSD-3-Clause
// Where the cropped copies of the penalties stand in the box, written again from the definition of the crop: a copy has
// the rows and the columns that some voxel of the mask has, in rising order, and nothing of the others.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sturm/core/tensor.h"

namespace sturm::oracle {

/// Those of `count` numbers that key(i, j, k) takes over the voxels of the mask (empty: all), in rising order.
template <class Key>
std::vector<Index> used(const Shape& box, const std::vector<std::uint8_t>& mask, Index count, const Key& key) {
  std::vector<Index> out;
  for (Index n = 0; n < count; ++n) {
    bool found = false;
    for (Index k = 0; k < box.n3; ++k)
      for (Index j = 0; j < box.n2; ++j)
        for (Index i = 0; i < box.n1; ++i)
          if (mask.empty() || mask[i + box.n1 * (j + box.n2 * k)]) found = found || key(i, j, k) == n;
    if (found) out.push_back(n);
  }
  return out;
}

/// Rows i and columns j of the mask, whole tubes.
inline Tensor tubal_in_box(const Tensor& copy, const Shape& box, const std::vector<std::uint8_t>& mask) {
  const std::vector<Index> rows = used(box, mask, box.n1, [](Index i, Index, Index) { return i; });
  const std::vector<Index> columns = used(box, mask, box.n2, [](Index, Index j, Index) { return j; });
  require_same_shape(copy.shape(), {std::ssize(rows), std::ssize(columns), box.n3});
  Tensor out(box);
  for (Index k = 0; k < box.n3; ++k)
    for (std::size_t b = 0; b < columns.size(); ++b)
      for (std::size_t a = 0; a < rows.size(); ++a)
        out(rows[a], columns[b], k) = copy(static_cast<Index>(a), static_cast<Index>(b), k);
  return out;
}

/// The unfolding along mode 1, 2 or 3: one row for each index of the mode, one column for each pair of the two others;
/// of modes 2 and 3 the transpose.
inline Tensor unfolding_in_box(const Tensor& copy, const Shape& box, const std::vector<std::uint8_t>& mask, int mode) {
  const auto alone = [mode](Index i, Index j, Index k) { return mode == 1 ? i : mode == 2 ? j : k; };
  const auto pair = [mode, box](Index i, Index j, Index k) {
    return mode == 1 ? j + box.n2 * k : mode == 2 ? i + box.n1 * k : i + box.n1 * j;
  };
  const Index extent = mode == 1 ? box.n1 : mode == 2 ? box.n2 : box.n3;
  const std::vector<Index> singles = used(box, mask, extent, alone);
  const std::vector<Index> pairs = used(box, mask, box.size() / extent, pair);
  const Shape expected =
      mode == 1 ? Shape{std::ssize(singles), std::ssize(pairs), 1} : Shape{std::ssize(pairs), std::ssize(singles), 1};
  require_same_shape(copy.shape(), expected);
  Tensor out(box);
  for (Index k = 0; k < box.n3; ++k)
    for (Index j = 0; j < box.n2; ++j)
      for (Index i = 0; i < box.n1; ++i) {
        const auto s = std::ranges::find(singles, alone(i, j, k)), p = std::ranges::find(pairs, pair(i, j, k));
        if (s == singles.end() || p == pairs.end()) continue;  // a row or a column of zeros
        const Index a = s - singles.begin(), b = p - pairs.begin();
        out(i, j, k) = mode == 1 ? copy(a, b, 0) : copy(b, a, 0);
      }
  return out;
}

/// The parts of a split, one of the tubal and three of the overlapped nuclear norm, as tensors of the box.
template <class Real>
std::vector<Tensor> split_in_box(const std::vector<BasicTensor<Real>>& split, const Shape& box,
                                 const std::vector<std::uint8_t>& mask) {
  std::vector<Tensor> out;
  for (std::size_t k = 0; k < split.size(); ++k) {
    const Tensor copy = cast<double>(split[k]);
    out.push_back(split.size() == 1 ? tubal_in_box(copy, box, mask)
                                    : unfolding_in_box(copy, box, mask, static_cast<int>(k) + 1));
  }
  return out;
}

}  // namespace sturm::oracle
