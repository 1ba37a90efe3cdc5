// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/multiway/prepared_volumes.h"

namespace sturm {

template <class Real>
Tensor volume_of(const Design<Real>& prepared, Index sample, const VoxelScale& scale) {
  std::vector<double> values(prepared.voxels());
  for (Index v = 0; v < prepared.voxels(); ++v) {
    const auto value = static_cast<double>(prepared.column(v)[sample]);
    values[v] = scale.mean.empty() ? value : (value - scale.mean[v]) * scale.inverse[v];
  }
  return prepared.region().template spread<double>(values);
}

template Tensor volume_of(const Design<float>&, Index, const VoxelScale&);
template Tensor volume_of(const Design<double>&, Index, const VoxelScale&);

}  // namespace sturm
