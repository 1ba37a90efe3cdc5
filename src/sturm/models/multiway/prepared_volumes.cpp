// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/multiway/prepared_volumes.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sturm/core/parallel.h"
#include "sturm/models/training_statistics.h"

namespace sturm {
namespace {

void require_count(std::size_t count, Index samples, const char* what) {
  if (static_cast<Index>(count) != samples)
    throw Error("there are " + std::to_string(samples) + " volumes and " + std::to_string(count) + " " + what);
}

}  // namespace

template <class Real>
void require_task(const FitData<Real>& data, const FitTask& task, std::size_t settings) {
  const Index samples = data.design.samples();
  require_count(task.y.size(), samples, "labels");
  if (task.setting.size() != settings)
    throw Error("a setting has " + std::to_string(settings) + " numbers, not " + std::to_string(task.setting.size()));
  const std::vector<double> weights = training_weights(task.weights, samples);
  for (Index m = 0; m < samples; ++m) {
    if (!(weights[m] >= 0 && std::isfinite(weights[m])))
      throw Error("the weight of sample " + std::to_string(m + 1) + " must be finite and not negative");
    if (weights[m] > 0 && !std::isfinite(task.y[m]))
      throw Error("the label of sample " + std::to_string(m + 1) + " is not a finite number; drop that row");
  }
  if (std::ranges::none_of(weights, [](double w) { return w > 0; }))
    throw Error("every sample has a weight of 0: there is nothing to learn from");
}

template <class Real>
VoxelScale voxel_scale_of(const FitData<Real>& data, const Design<Real>& prepared, std::span<const double> weights) {
  if (data.normalize != Normalize::voxel) return {};
  VoxelStatistics found = voxel_statistics(prepared, weights);
  std::ranges::transform(found.deviation, found.deviation.begin(), inverse_deviation);
  return {std::move(found.mean), std::move(found.deviation)};
}

template <class Real>
Tensor volume_of(const Design<Real>& prepared, Index sample, const VoxelScale& scale) {
  std::vector<double> values(prepared.voxels());
  for (Index v = 0; v < prepared.voxels(); ++v) {
    const auto value = static_cast<double>(prepared.column(v)[sample]);
    values[v] = scale.mean.empty() ? value : (value - scale.mean[v]) * scale.inverse[v];
  }
  return prepared.region().template spread<double>(values);
}

#define STURM_INSTANTIATE(Real)                                                                           \
  template void require_task(const FitData<Real>&, const FitTask&, std::size_t);                          \
  template VoxelScale voxel_scale_of(const FitData<Real>&, const Design<Real>&, std::span<const double>); \
  template Tensor volume_of(const Design<Real>&, Index, const VoxelScale&);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
