// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/kernel_samples.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sturm/core/parallel.h"
#include "sturm/linalg/backend.h"

namespace sturm {
namespace {

/// What varies by less than this, relative to its largest value, is constant but for rounding.
constexpr double constant_below = 1e-6;

/// Voxels are cut into this many runs at most, whatever the threads; sums of the runs are added in order.
constexpr Index runs = 8, block = 1024;

struct Run {
  Index first, last;
};

std::vector<Run> cut(Index voxels) {
  const Index count = std::clamp<Index>((voxels + block - 1) / block, 1, runs);
  std::vector<Run> out;
  for (Index r = 0; r < count; ++r) out.push_back({voxels * r / count, voxels * (r + 1) / count});
  return out;
}

/// The sum over all runs of what body(run) returns.
template <class Body>
std::vector<double> sum_of_runs(Index voxels, Body body) {
  const std::vector<Run> pieces = cut(voxels);
  std::vector<std::vector<double>> parts(pieces.size());
  parallel_for(static_cast<Index>(pieces.size()), [&](Index r, int) { parts[r] = body(pieces[r]); });
  for (std::size_t r = 1; r < parts.size(); ++r)
    for (std::size_t i = 0; i < parts[0].size(); ++i) parts[0][i] += parts[r][i];
  return std::move(parts[0]);
}

/// z of one voxel over the samples, without the voxel's scale.
template <class Real>
void normalised(const Design<Real>& x, const SampleStatistics& samples, Index voxel, double* out) {
  const Real* const column = x.column(voxel);
  for (Index i = 0; i < x.samples(); ++i)
    out[i] = (static_cast<double>(column[i]) - samples.mean[i]) * samples.inverse[i];
}

double mean_of(const double* values, Index count) {
  return std::accumulate(values, values + count, 0.0) / static_cast<double>(count);
}

/// c += a b' for a of n and b of m rows and k columns each; for `lower`, where a is b, the lower triangle by panels.
void add_product(Index n, Index m, Index k, const double* a, const double* b, bool lower, double* c) {
  linalg::Operations<double>& ops = linalg::cpu_backend();
  const Index panel = lower ? 64 : m;
  for (Index first = 0; first < m; first += panel) {
    const Index width = std::min(panel, m - first), top = lower ? first : 0;
    ops.multiply(linalg::Op::none, linalg::Op::transpose, n - top, width, k, 1, a + top, n, b + first, m, 1,
                 c + top + first * n, n);
  }
}

template <class Real>
void require_finite(const Design<Real>& x, const VoxelSpace& space) {
  for (Index i = 0; i < x.samples(); ++i) {
    const auto bad = std::ranges::count_if(
        space.voxels, [&](Index v) { return !std::isfinite(static_cast<double>(x.column(v)[i])); });
    if (bad > 0)
      throw Error("sample " + std::to_string(i + 1) + " has " + std::to_string(bad) +
                  " voxels that are NaN or infinite; repair it, drop its row, or give a --mask that leaves them out");
  }
  throw Error("the volumes are too large in value for sums of their squares; scale them, or use --normalize");
}

template <class Real>
std::vector<double> deviations(const Design<Real>& x, std::span<const Index> voxels, std::span<const double> weights) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<double> out(voxels.size());
  const std::vector<Run> pieces = cut(static_cast<Index>(voxels.size()));
  parallel_for(static_cast<Index>(pieces.size()), [&](Index r, int) {
    for (Index k = pieces[r].first; k < pieces[r].last; ++k) {
      const Real* const column = x.column(voxels[k]);
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
      if (!(deviation <= constant_below * largest)) out[k] = deviation;  // a NaN stays one, and is found later
    }
  });
  return out;
}

}  // namespace

template <class Real>
VoxelSpace voxel_space(const FitData<Real>& data, std::span<const double> weights) {
  const Design<Real>& x = data.design;
  if (!data.mask.empty() && static_cast<Index>(data.mask.size()) != x.voxels())
    throw Error("the mask has " + std::to_string(data.mask.size()) + " voxels and the volumes have " +
                std::to_string(x.voxels()));
  VoxelSpace out{{}, {}, data.normalize, {data.mask.begin(), data.mask.end()}};
  for (Index v = 0; v < x.voxels(); ++v)
    if (data.mask.empty() || data.mask[v]) out.voxels.push_back(v);
  if (out.voxels.empty()) throw Error("the mask is empty: no voxel is left to learn from");
  if (data.normalize != Normalize::voxel) return out;
  const std::vector<double> deviation = deviations(x, out.voxels, weights);
  std::vector<Index> kept;
  for (std::size_t k = 0; k < deviation.size(); ++k) {
    if (deviation[k] == 0) continue;
    kept.push_back(out.voxels[k]);
    out.scale.push_back(1 / deviation[k]);
  }
  if (kept.empty()) throw Error("every voxel is constant over the samples: there is nothing to learn from");
  out.voxels = std::move(kept);
  return out;
}

VoxelSpace restricted(const VoxelSpace& space, std::span<const std::size_t> kept) {
  VoxelSpace out{{}, {}, space.normalize, space.mask};
  for (const std::size_t k : kept) {
    out.voxels.push_back(space.voxels[k]);
    if (!space.scale.empty()) out.scale.push_back(space.scale[k]);
  }
  return out;
}

template <class Real>
SampleStatistics sample_statistics(const Design<Real>& x, const VoxelSpace& space) {
  const Index m = x.samples();
  if (space.normalize != Normalize::sample) return {std::vector<double>(m, 0.0), std::vector<double>(m, 1.0)};
  const auto inside = [&](Index v) { return space.mask.empty() || space.mask[v]; };
  Index voxels = 0;
  for (Index v = 0; v < x.voxels(); ++v) voxels += inside(v);
  SampleStatistics out;
  out.mean = sum_of_runs(x.voxels(), [&](const Run& run) {
    std::vector<double> sum(m);
    for (Index v = run.first; v < run.last; ++v)
      if (inside(v))
        for (Index i = 0; i < m; ++i) sum[i] += static_cast<double>(x.column(v)[i]);
    return sum;
  });
  for (double& mean : out.mean) mean /= static_cast<double>(voxels);
  out.inverse = sum_of_runs(x.voxels(), [&](const Run& run) {
    std::vector<double> sum(m);
    for (Index v = run.first; v < run.last; ++v) {
      if (!inside(v)) continue;
      for (Index i = 0; i < m; ++i) {
        const double rest = static_cast<double>(x.column(v)[i]) - out.mean[i];
        sum[i] += rest * rest;
      }
    }
    return sum;
  });
  for (Index i = 0; i < m; ++i) {
    const double norm = std::sqrt(out.inverse[i]), deviation = norm / std::sqrt(static_cast<double>(voxels));
    out.inverse[i] = deviation > constant_below * std::abs(out.mean[i]) ? 1 / norm : 0;  // a constant volume becomes 0
  }
  return out;
}

template <class Real>
std::vector<double> gram(const Design<Real>& x, const SampleStatistics& samples, const VoxelSpace& space) {
  const Index m = x.samples();
  std::vector<double> out = sum_of_runs(static_cast<Index>(space.voxels.size()), [&](const Run& run) {
    std::vector<double> sum(m * m), z(m * block);
    for (Index first = run.first; first < run.last; first += block) {
      const Index count = std::min(block, run.last - first);
      for (Index k = 0; k < count; ++k) {
        double* const column = z.data() + k * m;
        normalised(x, samples, space.voxels[first + k], column);
        const double mean = mean_of(column, m), scale = space.scale_of(first + k);
        for (Index i = 0; i < m; ++i) column[i] = scale * (column[i] - mean);
      }
      add_product(m, m, count, z.data(), z.data(), true, sum.data());
    }
    return sum;
  });
  bool finite = true;
  for (Index j = 0; j < m; ++j)
    for (Index i = j; i < m; ++i) {
      finite = finite && std::isfinite(out[i + j * m]);
      out[j + i * m] = out[i + j * m];
    }
  if (!finite) require_finite(x, space);
  return out;
}

std::vector<double> squared_distances(std::span<const double> gram, Index samples) {
  std::vector<double> out(gram.size());
  for (Index j = 0; j < samples; ++j)
    for (Index i = 0; i < samples; ++i)
      if (i != j)
        out[i + j * samples] = std::max(0.0, gram[i + i * samples] + gram[j + j * samples] - 2 * gram[i + j * samples]);
  return out;
}

template <class Real>
std::vector<double> squared_distances(const Design<Real>& x, const Design<Real>& other, std::span<const Index> rows,
                                      const VoxelSpace& space) {
  if (x.shape() != other.shape())
    throw Error("the model is for volumes of " + to_string(other.shape()) + " and these are " + to_string(x.shape()));
  const Index n = x.samples(), m = other.samples(), r = static_cast<Index>(rows.size());
  const SampleStatistics of_x = sample_statistics(x, space), of_other = sample_statistics(other, space);
  // The products, then |z|^2 of x and of the rows. All are taken from the mean of the rows, against cancellation.
  const std::vector<double> sums = sum_of_runs(static_cast<Index>(space.voxels.size()), [&](const Run& run) {
    std::vector<double> sum(n * r + n + r), a(n * block), b(r * block), whole(m);
    for (Index first = run.first; first < run.last; first += block) {
      const Index count = std::min(block, run.last - first);
      for (Index k = 0; k < count; ++k) {
        const double scale = space.scale_of(first + k);
        normalised(x, of_x, space.voxels[first + k], &a[k * n]);
        normalised(other, of_other, space.voxels[first + k], whole.data());
        for (Index j = 0; j < r; ++j) b[k * r + j] = whole[rows[j]];
        const double mean = mean_of(&b[k * r], r);
        for (Index i = 0; i < n; ++i) {
          a[k * n + i] = scale * (a[k * n + i] - mean);
          sum[n * r + i] += a[k * n + i] * a[k * n + i];
        }
        for (Index j = 0; j < r; ++j) {
          b[k * r + j] = scale * (b[k * r + j] - mean);
          sum[n * r + n + j] += b[k * r + j] * b[k * r + j];
        }
      }
      add_product(n, r, count, a.data(), b.data(), false, sum.data());
    }
    return sum;
  });
  std::vector<double> out(n * r);
  for (Index j = 0; j < r; ++j)
    for (Index i = 0; i < n; ++i)
      out[i + j * n] = std::max(0.0, sums[n * r + i] + sums[n * r + n + j] - 2 * sums[i + j * n]);
  return out;
}

template <class Real>
WeightedSum weighted_sum(const Design<Real>& x, const SampleStatistics& samples, const VoxelSpace& space,
                         std::span<const double> beta) {
  const Index m = x.samples();
  const auto used = std::ranges::find_if(beta, [](double b) { return b != 0; });
  WeightedSum out{Tensor(x.shape())};
  if (used == beta.end()) return out;
  const Index reference = used - beta.begin();
  const std::vector<double> mean = sum_of_runs(static_cast<Index>(space.voxels.size()), [&](const Run& run) {
    std::vector<double> z(m), sum(1);
    for (Index k = run.first; k < run.last; ++k) {
      normalised(x, samples, space.voxels[k], z.data());
      // Taken from one sample that counts: a voxel that is the same in all of them gets an exact 0.
      double w = 0;
      for (Index i = 0; i < m; ++i) w += beta[i] * (z[i] - z[reference]);
      w *= space.scale_of(k) * space.scale_of(k);
      out.coef.data()[space.voxels[k]] = w;
      sum[0] += w * mean_of(z.data(), m);
    }
    return sum;
  });
  out.mean = mean[0];
  return out;
}

#define STURM_INSTANTIATE(Real)                                                                                    \
  template VoxelSpace voxel_space(const FitData<Real>&, std::span<const double>);                                  \
  template SampleStatistics sample_statistics(const Design<Real>&, const VoxelSpace&);                             \
  template std::vector<double> gram(const Design<Real>&, const SampleStatistics&, const VoxelSpace&);              \
  template std::vector<double> squared_distances(const Design<Real>&, const Design<Real>&, std::span<const Index>, \
                                                 const VoxelSpace&);                                               \
  template WeightedSum weighted_sum(const Design<Real>&, const SampleStatistics&, const VoxelSpace&,               \
                                    std::span<const double>);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
