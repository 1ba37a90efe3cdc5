// SPDX-License-Identifier: BSD-3-Clause
// The Cholesky factor of a Gram matrix to which columns are added at the end and from which any may be taken away.
#pragma once

#include <span>
#include <vector>

#include "sturm/core/shape.h"

namespace sturm {

/// A = R'R with R upper triangular, column after column without the zeros below the diagonal.
class PackedCholesky {
 public:
  Index size() const { return size_; }

  /// A gets one more row and column, `products` above `diagonal`. False, and nothing changes, where what is left of the
  /// diagonal is not above `floor`: the new column depends on the others.
  bool append(std::span<const double> products, double diagonal, double floor);
  /// Takes row and column k away; the rows below are turned back into a triangle by rotations.
  void remove(Index k);
  /// b <- A^-1 b.
  void solve(std::span<double> b) const;

 private:
  const double* column(Index k) const { return packed_.data() + k * (k + 1) / 2; }
  double* column(Index k) { return packed_.data() + k * (k + 1) / 2; }
  void solve_transposed(std::span<double> b) const;  ///< b <- R'^-1 b

  Index size_ = 0;
  std::vector<double> packed_;
};

}  // namespace sturm
