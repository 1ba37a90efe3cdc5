// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/training_statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sturm/core/error.h"
#include "sturm/core/parallel.h"
#include "sturm/linalg/voxels.h"
#include "sturm/models/voxel_runs.h"

namespace sturm {

std::vector<double> training_weights(std::span<const double> given, Index samples) {
  if (given.empty()) return std::vector<double>(samples, 1.0);
  if (std::ssize(given) != samples)
    throw Error("there are " + std::to_string(samples) + " volumes and " + std::to_string(given.size()) + " weights");
  return {given.begin(), given.end()};
}

template <class Real>
SampleStatistics sample_statistics(const Design<Real>& x, Normalize normalize) {
  if (normalize != Normalize::sample) return {};
  const Index m = x.samples();
  const auto voxels = static_cast<double>(x.voxels());
  struct Part {
    std::vector<double> sum, largest;
  };
  const auto parts = in_runs(x.voxels(), [&](Index first, Index last) {
    Part part{std::vector<double>(m), std::vector<double>(m)};
    for (Index v = first; v < last; ++v)
      for (Index i = 0; i < m; ++i) {
        const double value = static_cast<double>(x.column(v)[i]);
        part.sum[i] += value;
        part.largest[i] = std::max(part.largest[i], std::abs(value));
      }
    return part;
  });
  SampleStatistics out{std::vector<double>(m), std::vector<double>(m)};
  std::vector<double> largest(m);
  for (const Part& part : parts)
    for (Index i = 0; i < m; ++i) {
      out.mean[i] += part.sum[i];
      largest[i] = std::max(largest[i], part.largest[i]);
    }
  for (double& v : out.mean) v /= voxels;
  const auto squares = in_runs(x.voxels(), [&](Index first, Index last) {
    std::vector<double> part(m);
    for (Index v = first; v < last; ++v)
      for (Index i = 0; i < m; ++i) {
        const double away = static_cast<double>(x.column(v)[i]) - out.mean[i];
        part[i] += away * away;
      }
    return part;
  });
  for (const std::vector<double>& part : squares)
    for (Index i = 0; i < m; ++i) out.inverse[i] += part[i];
  for (Index i = 0; i < m; ++i) {
    const double norm = std::sqrt(out.inverse[i]), deviation = norm / std::sqrt(voxels);
    out.inverse[i] = deviation > constant_below * largest[i] ? 1 / norm : 0;  // a constant volume becomes 0
  }
  return out;
}

template <class Real>
double scaled_samples(const Design<Real>& x, const SampleStatistics& samples, Index voxel, double* out) {
  const bool plain = samples.mean.empty();
  return linalg::voxel_kernel<Real>().standardise(x.column(voxel), plain ? nullptr : samples.mean.data(),
                                                  plain ? nullptr : samples.inverse.data(), out, x.samples());
}

template <class Real>
VoxelStatistics voxel_statistics(const Design<Real>& x, std::span<const Index> columns,
                                 std::span<const double> weights) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  VoxelStatistics out{std::vector<double>(columns.size()), std::vector<double>(columns.size())};
  in_runs(std::ssize(columns), [&](Index first, Index last) {
    for (Index k = first; k < last; ++k) {
      const Real* const column = x.column(columns[k]);
      double mean = 0, variance = 0, largest = 0;
      for (std::size_t i = 0; i < weights.size(); ++i)
        if (weights[i] > 0) mean += weights[i] * static_cast<double>(column[i]) / total;
      for (std::size_t i = 0; i < weights.size(); ++i) {
        if (!(weights[i] > 0)) continue;
        const auto value = static_cast<double>(column[i]);
        variance += weights[i] * (value - mean) * (value - mean) / total;
        largest = std::max(largest, std::abs(value));
      }
      const double deviation = std::sqrt(variance);
      out.mean[k] = mean;
      if (!(deviation <= constant_below * largest)) out.deviation[k] = deviation;  // a NaN stays one
    }
    return 0;
  });
  return out;
}

template <class Real>
VoxelStatistics voxel_statistics(const Design<Real>& x, std::span<const double> weights) {
  std::vector<Index> all(x.voxels());
  std::iota(all.begin(), all.end(), Index{0});
  return voxel_statistics(x, all, weights);
}

double inverse_deviation(double deviation) { return deviation > 0 ? 1 / deviation : 0; }

template <class Real>
std::vector<std::uint8_t> constant_voxels(const Design<Real>& x, std::span<const double> weights) {
  std::vector<Index> counting;
  for (Index i = 0; i < x.samples(); ++i)
    if (weights[i] > 0) counting.push_back(i);
  std::vector<std::uint8_t> out(x.voxels());
  const auto found = in_runs(x.voxels(), [&](Index from, Index to) {
    bool any = false;
    for (Index v = from; v < to; ++v) {
      const Real first = x.column(v)[counting.front()];
      if (first == 0) continue;
      if (std::ranges::any_of(counting, [&](Index i) { return x.column(v)[i] != first; })) continue;
      out[v] = 1;
      any = true;
    }
    return static_cast<int>(any);
  });
  if (std::ranges::find(found, 1) == found.end()) out.clear();
  return out;
}

#define STURM_INSTANTIATE(Real)                                                                                    \
  template SampleStatistics sample_statistics(const Design<Real>&, Normalize);                                     \
  template double scaled_samples(const Design<Real>&, const SampleStatistics&, Index, double*);                    \
  template std::vector<std::uint8_t> constant_voxels(const Design<Real>&, std::span<const double>);                \
  template VoxelStatistics voxel_statistics(const Design<Real>&, std::span<const Index>, std::span<const double>); \
  template VoxelStatistics voxel_statistics(const Design<Real>&, std::span<const double>);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
