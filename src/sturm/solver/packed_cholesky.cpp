// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/solver/packed_cholesky.h"

#include <cmath>

#include "sturm/linalg/voxels.h"

namespace sturm {

void PackedCholesky::solve_transposed(std::span<double> b) const {
  const auto dot = linalg::voxel_kernel<double>().dot;
  for (Index k = 0; k < size_; ++k) b[k] = (b[k] - dot(column(k), b.data(), k)) / column(k)[k];
}

void PackedCholesky::solve(std::span<double> b) const {
  solve_transposed(b);
  const auto add = linalg::voxel_kernel<double>().add;
  for (Index k = size_ - 1; k >= 0; --k) {
    b[k] /= column(k)[k];
    add(column(k), -b[k], b.data(), k);
  }
}

bool PackedCholesky::append(std::span<const double> products, double diagonal, double floor) {
  std::vector<double> next(products.begin(), products.end());
  solve_transposed(next);
  double pivot = diagonal;
  for (const double v : next) pivot -= v * v;
  if (!(pivot > floor)) return false;
  packed_.insert(packed_.end(), next.begin(), next.end());
  packed_.push_back(std::sqrt(pivot));
  ++size_;
  return true;
}

void PackedCholesky::remove(Index k) {
  struct Rotation {
    double c, s;
  };
  std::vector<Rotation> rotations;
  for (Index j = k; j + 1 < size_; ++j) {
    // Old column j + 1 has one entry too many for its new place: a rotation of rows j and j + 1 makes it zero.
    const double* from = column(j + 1);
    double* to = column(j);
    for (Index i = 0; i < k; ++i) to[i] = from[i];
    double above = from[k];
    for (Index i = k; i < j; ++i) {
      const auto [c, s] = rotations[i - k];
      const double below = from[i + 1];
      to[i] = c * above + s * below;
      above = c * below - s * above;
    }
    const double below = from[j + 1], length = std::hypot(above, below);
    rotations.push_back({above / length, below / length});
    to[j] = length;
  }
  --size_;
  packed_.resize(size_ * (size_ + 1) / 2);
}

}  // namespace sturm
