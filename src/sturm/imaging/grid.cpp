// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/grid.h"

#include <algorithm>
#include <cmath>

#include "sturm/core/error.h"

namespace sturm {
namespace {

// Headers keep affines in float32, and a rotation near 180 degrees kept as a quaternion of such numbers is good to 1e-4
// only: over a hundred voxels a hundredth of a voxel. Less than that is not a different place.
constexpr double same_place = 0.01;

Point column(const Affine& a, int n) { return {a.rows[0][n], a.rows[1][n], a.rows[2][n]}; }
// Not std::hypot: of three arguments g++ 12's loses a NaN.
double length(const Point& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }
std::array<Index, 3> extents(const Shape& s) { return {s.n1, s.n2, s.n3}; }

/// The order of world axes that follows the indices best, over all six; |cosines| are summed.
std::array<int, 3> nearest_axes(const Affine& a) {
  const Point size = voxel_size(a);
  std::array<int, 3> order{0, 1, 2}, best = order;
  double most = -1;
  do {
    double sum = 0;
    for (int n = 0; n < 3; ++n) sum += std::abs(a.rows[order[n]][n]) / std::max(size[n], 1e-300);
    if (sum > most + 1e-9) {
      most = sum;
      best = order;
    }
  } while (std::ranges::next_permutation(order).found);
  return best;
}

}  // namespace

Point Affine::operator()(const Point& voxel) const {
  Point out{};
  for (int r = 0; r < 3; ++r)
    out[r] = rows[r][0] * voxel[0] + rows[r][1] * voxel[1] + rows[r][2] * voxel[2] + rows[r][3];
  return out;
}

Affine operator*(const Affine& a, const Affine& b) {
  Affine out;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c)
      out.rows[r][c] = a.rows[r][0] * b.rows[0][c] + a.rows[r][1] * b.rows[1][c] + a.rows[r][2] * b.rows[2][c] +
                       (c == 3 ? a.rows[r][3] : 0);
  return out;
}

double determinant(const Affine& a) {
  const auto& m = a.rows;
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

bool singular(const Affine& a) {
  const Point size = voxel_size(a);
  for (const auto& row : a.rows)
    for (const double v : row)
      if (!std::isfinite(v)) return true;
  // Each column is divided by its length first, so that neither micrometres nor metres look flat.
  Affine unit = a;
  for (auto& row : unit.rows)
    for (int c = 0; c < 3; ++c) {
      if (!(size[c] > 0) || !std::isfinite(size[c])) return true;
      row[c] /= size[c];
    }
  return !(std::abs(determinant(unit)) > 1e-6);
}

Affine inverse(const Affine& a) {
  if (singular(a)) throw Error("an affine that maps the volume to a plane, or is not finite, has no inverse");
  const auto& m = a.rows;
  const double scale = 1 / determinant(a);
  Affine out;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) {
      const int r1 = (c + 1) % 3, r2 = (c + 2) % 3, c1 = (r + 1) % 3, c2 = (r + 2) % 3;
      out.rows[r][c] = (m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1]) * scale;
    }
  for (auto& row : out.rows) row[3] = -(row[0] * m[0][3] + row[1] * m[1][3] + row[2] * m[2][3]);
  return out;
}

Point voxel_size(const Affine& a) { return {length(column(a, 0)), length(column(a, 1)), length(column(a, 2))}; }

std::string orientation(const Affine& a) {
  const std::array<int, 3> axes = nearest_axes(a);
  std::string out;
  for (int n = 0; n < 3; ++n) out += a.rows[axes[n]][n] < 0 ? "LPI"[axes[n]] : "RAS"[axes[n]];
  return out;
}

bool same_grid(const Grid& a, const Grid& b) {
  if (a.shape != b.shape) return false;
  const Point size_a = voxel_size(a.affine), size_b = voxel_size(b.affine);
  const double voxel = std::min({size_a[0], size_a[1], size_a[2], size_b[0], size_b[1], size_b[2]});
  // Both maps are affine: the voxels that lie furthest apart are corners.
  for (int corner = 0; corner < 8; ++corner) {
    Point voxel_index{};
    for (int n = 0; n < 3; ++n)
      voxel_index[n] = (corner >> n & 1) != 0 ? static_cast<double>(extents(a.shape)[n] - 1) : 0;
    const Point p = a.affine(voxel_index), q = b.affine(voxel_index);
    if (!(length({p[0] - q[0], p[1] - q[1], p[2] - q[2]}) <= same_place * voxel)) return false;
  }
  return true;
}

Grid reordered(const Grid& from, const Reorder& how) {
  const std::array<Index, 3> n = extents(from.shape);
  Affine steps{};  // from indices of the result to indices of `from`
  for (auto& row : steps.rows) row.fill(0);
  for (int r = 0; r < 3; ++r) {
    const int axis = how.axis[r];
    steps.rows[axis][r] = how.flip[r] ? -1 : 1;
    if (how.flip[r]) steps.rows[axis][3] = static_cast<double>(n[axis] - 1);
  }
  return {{n[how.axis[0]], n[how.axis[1]], n[how.axis[2]]}, from.affine * steps};
}

std::optional<Reorder> reorder(const Grid& from, const Grid& to) {
  if (singular(from.affine) || singular(to.affine)) return {};
  // Column n of R_from^-1 R_to is what a step along index n of the target is in indices of the source.
  const Affine step = inverse(from.affine) * to.affine;
  Reorder how;
  how.axis = nearest_axes(step);
  for (int n = 0; n < 3; ++n) how.flip[n] = step.rows[how.axis[n]][n] < 0;
  if (!same_grid(reordered(from, how), to)) return {};
  return how;
}

}  // namespace sturm
