// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "sturm/core/shape.h"
#include "sturm/models/normalize.h"

namespace sturm {

/// The voxels that count and what is done to them: samples as kernels see them, and models of kernels keep them.
struct VoxelSpace {
  std::vector<Index> voxels;              ///< columns of the design, rising
  std::vector<double> scale;              ///< one per listed voxel; empty: all 1
  Normalize normalize = Normalize::none;  ///< `sample` takes its mean and norm over all columns

  double scale_of(std::size_t k) const { return scale.empty() ? 1.0 : scale[k]; }
};

}  // namespace sturm
