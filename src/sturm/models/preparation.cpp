// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/preparation.h"

#include <cmath>
#include <numeric>

#include "sturm/core/parallel.h"
#include "sturm/models/training_statistics.h"
#include "sturm/models/voxel_runs.h"

namespace sturm {

template <class Real>
void require_finite(const Design<Real>& x, std::span<const Index> columns) {
  const Index m = x.samples();
  const auto bad = in_runs(std::ssize(columns), [&](Index first, Index last) {
    std::vector<Index> part(m);
    for (Index k = first; k < last; ++k)
      for (Index i = 0; i < m; ++i) part[i] += !std::isfinite(x.column(columns[k])[i]);
    return part;
  });
  for (Index i = 0; i < m; ++i) {
    Index count = 0;
    for (const auto& part : bad) count += part[i];
    if (count > 0)
      throw Error("sample " + std::to_string(i + 1) + " has " + std::to_string(count) +
                  " voxels that are NaN or infinite; repair it, drop its row, or give a `mask` that leaves them out");
  }
}

template <class Real>
void require_finite(const Design<Real>& x) {
  std::vector<Index> all(x.voxels());
  std::iota(all.begin(), all.end(), Index{0});
  require_finite(x, all);
}

template <class Real>
Design<Real> prepared(const Design<Real>& x, Normalize normalize) {
  require_finite(x);
  if (normalize != Normalize::sample) return x;
  const Index m = x.samples();
  const SampleStatistics samples = sample_statistics(x, normalize);
  AlignedVector<Real> copy(x.x().size());
  in_runs(x.voxels(), [&](Index first, Index last) {
    std::vector<double> scaled(m);
    for (Index v = first; v < last; ++v) {
      scaled_samples(x, samples, v, scaled.data());
      for (Index i = 0; i < m; ++i) copy[v * m + i] = static_cast<Real>(scaled[i]);
    }
    return 0;
  });
  return Design<Real>::owning(x.region(), m, std::move(copy));
}

template <class Real>
Design<Real> subtract_common_part(const Design<Real>& x, std::span<const double> weights) {
  constexpr double harmless = 30;  // mean over deviation, of all voxels together: costs 1e3 in rounding
  if constexpr (sizeof(Real) == 8) return x;
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  constexpr Index block = 4096;
  const Index blocks = (x.voxels() + block - 1) / block, m = x.samples();
  std::vector<double> means(x.voxels()), common(blocks), rest(blocks);
  parallel_for(blocks, [&](Index b, int) {
    for (Index v = b * block; v < std::min(x.voxels(), (b + 1) * block); ++v) {
      double mean = 0, square = 0;
      for (Index i = 0; i < m; ++i) mean += weights[i] * static_cast<double>(x.column(v)[i]);
      mean /= total;
      for (Index i = 0; i < m; ++i) square += weights[i] * std::pow(static_cast<double>(x.column(v)[i]) - mean, 2);
      means[v] = mean;
      common[b] += mean * mean * total;
      rest[b] += square;
    }
  });
  const double whole = std::accumulate(common.begin(), common.end(), 0.0);
  if (whole <= harmless * harmless * std::accumulate(rest.begin(), rest.end(), 0.0)) return x;
  AlignedVector<Real> copy(x.x().size());
  parallel_for(blocks, [&](Index b, int) {
    for (Index v = b * block; v < std::min(x.voxels(), (b + 1) * block); ++v)
      for (Index i = 0; i < m; ++i) copy[v * m + i] = static_cast<Real>(static_cast<double>(x.column(v)[i]) - means[v]);
  });
  return Design<Real>::owning(x.region(), m, std::move(copy));
}

#define STURM_INSTANTIATE(Real)                                              \
  template void require_finite(const Design<Real>&);                         \
  template void require_finite(const Design<Real>&, std::span<const Index>); \
  template Design<Real> prepared(const Design<Real>&, Normalize);            \
  template Design<Real> subtract_common_part(const Design<Real>&, std::span<const double>);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
