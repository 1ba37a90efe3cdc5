// SPDX-License-Identifier: BSD-3-Clause
// What stands for volumes where a study is only looked over: their number and extents are known from headers, and no
// voxel is read.
#pragma once

#include "sturm/core/design.h"

namespace sturm {

/// The volumes as they would be loaded.
struct Outline {
  Shape shape;        ///< of the box
  Index voxels = 0;   ///< that are used
  bool exact = true;  ///< false: at most that many, since each training set learns its own mask
};

/// As many samples of noise on a box of the same proportions with a few thousand voxels, so that a few fits can be
/// timed.
template <class Real>
Design<Real> stand_in(Index samples, const Shape& shape);

}  // namespace sturm
