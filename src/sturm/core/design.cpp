// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/design.h"

#include <algorithm>

#include "sturm/core/parallel.h"

namespace sturm {

template <class Real>
std::vector<Index> columns_of(const Design<Real>& x, const Region& region) {
  std::vector<Index> out(region.size());
  Index at = 0;
  for (Index c = 0; c < region.size(); ++c) {
    while (at < x.voxels() && x.region().voxel(at) < region.voxel(c)) ++at;
    if (at == x.voxels() || x.region().voxel(at) != region.voxel(c))
      throw Error("a voxel of the mask is not among those that were loaded");
    out[c] = at;
  }
  return out;
}

template <class Real>
Design<Real> part_of(const Design<Real>& x, std::span<const Index> rows, const Region& region) {
  require_same_shape(region.box(), x.shape());
  const bool all_columns = region == x.region();
  if (rows.empty() && all_columns) return x;
  const Index count = rows.empty() ? x.samples() : static_cast<Index>(rows.size());
  const std::vector<Index> columns = all_columns ? std::vector<Index>() : columns_of(x, region);
  AlignedVector<Real> out(checked_product(count, region.size()));
  constexpr Index block = 1024;
  parallel_for((region.size() + block - 1) / block, [&](Index piece, int) {
    for (Index c = piece * block; c < std::min(region.size(), (piece + 1) * block); ++c) {
      const Real* from = x.column(all_columns ? c : columns[c]);
      Real* to = out.data() + c * count;
      if (rows.empty())
        std::copy_n(from, count, to);
      else
        for (Index m = 0; m < count; ++m) to[m] = from[rows[m]];
    }
  });
  return Design<Real>::owning(region, count, std::move(out));
}

template std::vector<Index> columns_of(const Design<float>&, const Region&);
template std::vector<Index> columns_of(const Design<double>&, const Region&);
template Design<float> part_of(const Design<float>&, std::span<const Index>, const Region&);
template Design<double> part_of(const Design<double>&, std::span<const Index>, const Region&);

}  // namespace sturm
