// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/linear/pattern.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sturm/models/training_statistics.h"
#include "sturm/models/voxel_runs.h"

namespace sturm {

template <class Real>
Tensor forward_pattern(const LinearModel& model, const Design<Real>& x, std::span<const double> weights) {
  const Index samples = x.samples();
  const std::vector<double> s = training_weights(weights, samples), d = decision_values(model, x);
  const double total = std::accumulate(s.begin(), s.end(), 0.0);
  double mean = 0, variance = 0, largest = 0;
  for (Index m = 0; m < samples; ++m)
    if (s[m] > 0) mean += s[m] * d[m] / total;
  for (Index m = 0; m < samples; ++m) {
    if (!(s[m] > 0)) continue;
    variance += s[m] * (d[m] - mean) * (d[m] - mean) / total;
    largest = std::max(largest, std::abs(d[m]));
  }
  if (!(std::sqrt(variance) > constant_below * largest)) return Tensor(x.shape());

  const bool by_sample = model.normalize == Normalize::sample;
  const Design<Real> seen = by_sample ? masked(x, model.mask) : x;
  const SampleStatistics scale = sample_statistics(seen, model.normalize);
  // The pattern of a voxel is the sum of share[m] x_m, with shares that sum to 0.
  std::vector<double> share(samples, 0);
  double common = 0;  // what the means of the samples take away
  for (Index m = 0; m < samples; ++m) {
    if (!(s[m] > 0)) continue;
    share[m] = s[m] * (d[m] - mean) / (total * variance) * (by_sample ? scale.inverse[m] : 1);
    if (by_sample) common += share[m] * scale.mean[m];
  }
  std::vector<double> pattern(seen.voxels());
  in_runs(seen.voxels(), [&](Index first, Index last) {
    for (Index v = first; v < last; ++v) {
      const Real* const column = seen.column(v);
      // Less a value of the voxel: shares sum to 0 but for rounding, which a large mean would show.
      Index begin = 0;
      while (!(s[begin] > 0)) ++begin;
      const double middle = by_sample ? 0 : static_cast<double>(column[begin]);
      double sum = 0;
      for (Index m = 0; m < samples; ++m)
        if (s[m] > 0) sum += share[m] * (static_cast<double>(column[m]) - middle);
      pattern[v] = sum - common;
    }
    return 0;
  });
  return seen.region().template spread<double>(pattern);
}

template Tensor forward_pattern(const LinearModel&, const Design<float>&, std::span<const double>);
template Tensor forward_pattern(const LinearModel&, const Design<double>&, std::span<const double>);

}  // namespace sturm
