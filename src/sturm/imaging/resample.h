// SPDX-License-Identifier: BSD-3-Clause
// Volumes brought from one grid to another: exactly where that can be done, by interpolation where it is asked for.
#pragma once

#include <span>
#include <vector>

#include "sturm/core/options.h"
#include "sturm/imaging/grid.h"

namespace sturm {

enum class Interpolation { linear, cubic };
template <>
inline std::vector<std::string> names_of<Interpolation>() {
  return {"linear", "cubic"};
}

/// The same voxels in another order: no value changes. `from` is the shape of `in`.
template <class Real>
std::vector<Real> reordered(std::span<const Real> in, const Shape& from, const Reorder& how);

/// Values at the voxels of `to`, interpolated in the world: linear, or cubic (Catmull and Rom's, which passes through
/// the values). A source finer than the target is averaged over the target's voxels first. NaN where the source does
/// not reach, or where a value that counts is not finite.
template <class Real>
std::vector<Real> resampled(std::span<const Real> in, const Grid& from, const Grid& to, Interpolation how);

}  // namespace sturm
