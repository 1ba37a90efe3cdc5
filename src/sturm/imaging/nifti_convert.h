// SPDX-License-Identifier: BSD-3-Clause
// From voxels as a file stores them to numbers.
#pragma once

#include <cstddef>
#include <span>

#include "sturm/imaging/nifti.h"

namespace sturm {

/// value = slope * stored + intercept in double, rounded once more where Real is float: of as many voxels as `to` has
/// room for. Without a slope and an intercept the values are the stored ones, bit by bit where the types are the same.
template <class Real>
void convert_voxels(const VolumeInfo& info, std::span<const std::byte> from, std::span<Real> to);

}  // namespace sturm
