// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/resample.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sturm/core/parallel.h"
#include "sturm/imaging/resize.h"

namespace sturm {
namespace {

std::array<Index, 3> extents_of(const Shape& s) { return {s.n1, s.n2, s.n3}; }

/// The weights of four neighbours (at -1, 0, 1, 2) for a place `t` in [0, 1) between the second and the third.
std::array<double, 4> neighbour_weights(double t, Interpolation how) {
  if (how == Interpolation::linear) return {0, 1 - t, t, 0};
  return {t * (-0.5 + t * (1 - 0.5 * t)), 1 + t * t * (-2.5 + 1.5 * t), t * (0.5 + t * (2 - 1.5 * t)),
          t * t * (-0.5 + 0.5 * t)};
}

/// Where a coordinate lies along an axis: the four neighbours, those beyond the ends replaced by the last voxel.
struct Position {
  std::array<Index, 4> at{};
  std::array<double, 4> weight{};
  bool inside = false;
};

Position place(double x, Index extent, Interpolation how) {
  Position out;
  // Half a voxel beyond the outermost centres is still inside the outermost voxels; a hair more is rounding.
  out.inside = x >= -0.5 - 1e-6 && x <= static_cast<double>(extent) - 0.5 + 1e-6;
  if (!out.inside) return out;
  x = std::clamp(x, 0.0, static_cast<double>(extent - 1));
  const double whole = std::floor(x);
  out.weight = neighbour_weights(x - whole, how);
  for (int n = 0; n < 4; ++n) out.at[n] = std::clamp<Index>(static_cast<Index>(whole) + n - 1, 0, extent - 1);
  return out;
}

template <class Real>
double interpolate(const Real* in, const Shape& s, const Position& x, const Position& y, const Position& z) {
  double sum = 0;
  for (int c = 0; c < 4; ++c) {
    if (z.weight[c] == 0) continue;
    for (int b = 0; b < 4; ++b) {
      const double w = z.weight[c] * y.weight[b];
      if (w == 0) continue;
      const Real* const row = in + s.n1 * (y.at[b] + s.n2 * z.at[c]);
      for (int a = 0; a < 4; ++a)
        if (x.weight[a] != 0) sum += w * x.weight[a] * static_cast<double>(row[x.at[a]]);
    }
  }
  return sum;
}

/// How many voxels of `from` a voxel of `to` spans along each axis of `from`, as the number of voxels that would be
/// left of it if they were as large as those of `to`.
Shape matched_shape(const Grid& from, const Affine& to_index) {
  std::array<Index, 3> out = extents_of(from.shape);
  for (int axis = 0; axis < 3; ++axis) {
    double step = 0;
    for (int n = 0; n < 3; ++n) step = std::max(step, std::abs(to_index.rows[axis][n]));
    if (step > 1.2)  // below that, averaging blurs more than it saves
      out[axis] = std::max<Index>(1, static_cast<Index>(std::lround(static_cast<double>(out[axis]) / step)));
  }
  return {out[0], out[1], out[2]};
}

}  // namespace

template <class Real>
std::vector<Real> reordered(std::span<const Real> in, const Shape& from, const Reorder& how) {
  const std::array<Index, 3> size = extents_of(from), stride = {1, from.n1, from.slice()};
  std::array<Index, 3> extent{}, step{};
  Index start = 0;
  for (int n = 0; n < 3; ++n) {
    extent[n] = size[how.axis[n]];
    step[n] = how.flip[n] ? -stride[how.axis[n]] : stride[how.axis[n]];
    if (how.flip[n]) start += (extent[n] - 1) * stride[how.axis[n]];
  }
  std::vector<Real> out(in.size());
  Index at = 0;
  for (Index k = 0; k < extent[2]; ++k)
    for (Index j = 0; j < extent[1]; ++j)
      for (Index i = 0; i < extent[0]; ++i) out[at++] = in[start + i * step[0] + j * step[1] + k * step[2]];
  return out;
}

template <class Real>
std::vector<Real> resampled(std::span<const Real> in, const Grid& from, const Grid& to, Interpolation how) {
  const Affine to_index = inverse(from.affine) * to.affine;
  const Shape matched = matched_shape(from, to_index);
  if (matched != from.shape) {
    const std::vector<Real> coarse = Resizer(from.shape, matched).shrink<Real>(in);
    return resampled<Real>(coarse, resized_grid(from, matched), to, how);
  }
  std::vector<Real> out(static_cast<std::size_t>(to.shape.size()), std::numeric_limits<Real>::quiet_NaN());
  parallel_for(
      to.shape.n3,
      [&](Index k, int) {
        Index at = k * to.shape.slice();
        for (Index j = 0; j < to.shape.n2; ++j)
          for (Index i = 0; i < to.shape.n1; ++i, ++at) {
            const Point p = to_index({static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)});
            const Position x = place(p[0], from.shape.n1, how), y = place(p[1], from.shape.n2, how),
                           z = place(p[2], from.shape.n3, how);
            if (x.inside && y.inside && z.inside)
              out[at] = static_cast<Real>(interpolate(in.data(), from.shape, x, y, z));
          }
      },
      100.0 * static_cast<double>(to.shape.size()));
  return out;
}

template std::vector<float> reordered(std::span<const float>, const Shape&, const Reorder&);
template std::vector<double> reordered(std::span<const double>, const Shape&, const Reorder&);
template std::vector<float> resampled(std::span<const float>, const Grid&, const Grid&, Interpolation);
template std::vector<double> resampled(std::span<const double>, const Grid&, const Grid&, Interpolation);

}  // namespace sturm
