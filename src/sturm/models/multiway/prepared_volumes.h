// SPDX-License-Identifier: BSD-3-Clause
// Volumes one by one, for methods that look at pieces of them.
#pragma once

#include "sturm/core/design.h"
#include "sturm/core/tensor.h"
#include "sturm/models/training_statistics.h"

namespace sturm {

/// One volume of a design as by prepared() of preparation.h, in double: zero outside the region, voxels on their scale.
template <class Real>
Tensor volume_of(const Design<Real>& prepared, Index sample, const VoxelScale& scale);

}  // namespace sturm
