// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/preparation.h"

#include <cmath>
#include <numeric>

#include "sturm/core/parallel.h"
#include "sturm/tensor/tsvd.h"

namespace sturm {
namespace {

bool inside(Mask mask, Index v) { return mask.empty() || mask[v]; }

/// What varies by less than this, relative to its largest value, is constant but for rounding.
constexpr double constant_below = 1e-6;

}  // namespace

template <class Real>
void require_sizes(const Design<Real>& x, std::span<const double> y, std::span<const double> weights, Mask mask) {
  const auto samples = static_cast<std::size_t>(x.samples());
  if (y.size() != samples)
    throw Error("there are " + std::to_string(samples) + " volumes and " + std::to_string(y.size()) + " labels");
  if (!weights.empty() && weights.size() != samples)
    throw Error("there are " + std::to_string(samples) + " volumes and " + std::to_string(weights.size()) + " weights");
  for (std::size_t m = 0; m < y.size(); ++m)
    if (!std::isfinite(y[m]))
      throw Error("the label of sample " + std::to_string(m + 1) + " is not a finite number; drop that row");
  if (mask.empty()) return;
  if (static_cast<Index>(mask.size()) != x.voxels())
    throw Error("the mask has " + std::to_string(mask.size()) + " voxels and the volumes have " +
                std::to_string(x.voxels()));
  if (std::ranges::none_of(mask, [](std::uint8_t v) { return v != 0; }))
    throw Error("the mask is empty: no voxel is left to learn from");
}

template <class Real>
SampleScale sample_scale(const Design<Real>& x, Mask mask) {
  const Index m = x.samples();
  SampleScale out{std::vector<double>(m), std::vector<double>(m)};
  std::vector<double> largest(m);
  double voxels = 0;
  for (Index v = 0; v < x.voxels(); ++v) {
    if (!inside(mask, v)) continue;
    ++voxels;
    for (Index i = 0; i < m; ++i) {
      const double value = static_cast<double>(x.column(v)[i]);
      out.mean[i] += value;
      largest[i] = std::max(largest[i], std::abs(value));
    }
  }
  for (double& v : out.mean) v /= voxels;
  for (Index v = 0; v < x.voxels(); ++v) {
    if (!inside(mask, v)) continue;
    for (Index i = 0; i < m; ++i) out.inverse[i] += std::pow(static_cast<double>(x.column(v)[i]) - out.mean[i], 2);
  }
  for (Index i = 0; i < m; ++i) {
    const double norm = std::sqrt(out.inverse[i]), deviation = norm / std::sqrt(voxels);
    out.inverse[i] = deviation > constant_below * largest[i] ? 1 / norm : 0;  // a constant volume becomes 0
  }
  return out;
}

template <class Real>
Design<Real> prepared(const Design<Real>& x, Mask mask, Normalize normalize) {
  const Index m = x.samples();
  std::vector<Index> bad(m);
  bool outside = false;
  for (Index v = 0; v < x.voxels(); ++v)
    for (Index i = 0; i < m; ++i) {
      if (std::isfinite(x.column(v)[i])) continue;
      if (inside(mask, v))
        ++bad[i];
      else
        outside = true;
    }
  for (Index i = 0; i < m; ++i)
    if (bad[i] > 0)
      throw Error("sample " + std::to_string(i + 1) + " has " + std::to_string(bad[i]) +
                  " voxels that are NaN or infinite; repair it, drop its row, or give a --mask that leaves them out");
  if (normalize != Normalize::sample && !outside) return x;
  SampleScale scale{std::vector<double>(m, 0.0), std::vector<double>(m, 1.0)};
  if (normalize == Normalize::sample) scale = sample_scale(x, mask);
  AlignedVector<Real> copy(x.x().size());
  for (Index v = 0; v < x.voxels(); ++v) {
    if (!inside(mask, v)) continue;  // stays 0
    for (Index i = 0; i < m; ++i)
      copy[v * m + i] = static_cast<Real>((static_cast<double>(x.column(v)[i]) - scale.mean[i]) * scale.inverse[i]);
  }
  return Design<Real>::owning(x.shape(), m, std::move(copy));
}

template <class Real>
Design<Real> less_common_part(const Design<Real>& x, const RowMap& rows, Mask mask) {
  constexpr double harmless = 30;  // mean over deviation, of all voxels together: costs 1e3 in rounding
  if constexpr (sizeof(Real) == 8) return x;
  const auto weights = rows.weights();
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  constexpr Index block = 4096;
  const Index blocks = (x.voxels() + block - 1) / block, m = x.samples();
  std::vector<double> means(x.voxels()), common(blocks), rest(blocks);
  parallel_for(blocks, [&](Index b, int) {
    for (Index v = b * block; v < std::min(x.voxels(), (b + 1) * block); ++v) {
      if (!inside(mask, v)) continue;
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
      if (inside(mask, v))
        for (Index i = 0; i < m; ++i)
          copy[v * m + i] = static_cast<Real>(static_cast<double>(x.column(v)[i]) - means[v]);
  });
  return Design<Real>::owning(x.shape(), m, std::move(copy));
}

template <class Real>
std::vector<Real> voxel_scale(const Design<Real>& x, const RowMap& rows, Mask mask) {
  std::vector<Real> out(x.voxels());
  const auto weights = rows.weights();
  double total = 0;
  for (const double w : weights) total += w;
  parallel_for((x.voxels() + 4095) / 4096, [&](Index block, int) {
    for (Index v = block * 4096; v < std::min(x.voxels(), (block + 1) * 4096); ++v) {
      if (!inside(mask, v)) continue;
      double mean = 0, variance = 0, largest = 0;
      for (Index i = 0; i < x.samples(); ++i) mean += weights[i] * static_cast<double>(x.column(v)[i]) / total;
      for (Index i = 0; i < x.samples(); ++i) {
        const double value = static_cast<double>(x.column(v)[i]);
        variance += weights[i] * (value - mean) * (value - mean) / total;
        if (weights[i] > 0) largest = std::max(largest, std::abs(value));
      }
      const double deviation = std::sqrt(variance);
      if (deviation > constant_below * largest) out[v] = static_cast<Real>(1 / deviation);
    }
  });
  return out;
}

template <class Real>
std::vector<Real> constant_voxel_scale(const Design<Real>& x, const RowMap& rows, Mask mask) {
  std::vector<Index> counting;
  for (Index i = 0; i < x.samples(); ++i)
    if (rows.weights()[i] > 0) counting.push_back(i);
  std::vector<Real> out(x.voxels(), Real{1});
  bool any = false;
  for (Index v = 0; v < x.voxels(); ++v) {
    const Real first = x.column(v)[counting.front()];
    if (first == 0 || !inside(mask, v)) continue;
    if (std::ranges::any_of(counting, [&](Index i) { return x.column(v)[i] != first; })) continue;
    out[v] = 0;
    any = true;
  }
  if (!any) out.clear();
  return out;
}

std::vector<double> mapped_labels(const RowMap& rows, std::span<const double> y) {
  std::vector<double> out = rows.apply(y);
  double largest = 0, rest = 0;
  for (std::size_t m = 0; m < y.size(); ++m) {
    const double root = std::sqrt(rows.weights()[m]);
    largest = std::max(largest, root * std::abs(y[m]));
    rest = std::max(rest, std::abs(out[m]));
  }
  if (rest <= 1e-13 * largest) out.assign(y.size(), 0);
  return out;
}

template <class Real>
Fold<Real>::Fold(const Design<Real>& raw, const Design<Real>& x, std::vector<double> weights, bool centred, Mask mask,
                 Normalize normalize, std::span<const Fold> others)
    : rows(std::move(weights), centred), centre(centred) {
  std::vector<Real> used;
  std::vector<std::uint8_t> searched(mask.begin(), mask.end());
  if (normalize == Normalize::voxel) {
    used = scale = voxel_scale(raw, rows, mask);
    // A constant voxel has no place on the normalised scale: it is left out as if it were outside the mask.
    if (std::ranges::find(scale, Real{0}) != scale.end()) {
      searched.resize(scale.size());
      std::ranges::transform(scale, searched.begin(), [](Real v) { return v > 0; });
    }
  } else if (centre) {
    used = constant_voxel_scale(raw, rows, mask);
  }
  given_scale = used;
  std::span<const double> base;
  for (const Fold& other : others)
    if (other.given_scale == used) base = other.view->raw_gram;
  view = std::make_shared<const View<Real>>(x, rows, std::move(used), std::move(searched), base);
}

template <class Real>
SturmFit folded_back(const Solution<Real>& solution, const Design<Real>& raw, const Fold<Real>& fold,
                     std::span<const double> y, Mask mask, bool intercept, Normalize normalize, FitReport report,
                     std::vector<double>* fitted) {
  SturmFit out{{cast<double>(solution.w), 0, normalize, {mask.begin(), mask.end()}}, std::move(report)};
  Tensor& coef = out.model.coef;
  for (std::size_t v = 0; v < fold.scale.size(); ++v) coef.flat()[v] *= static_cast<double>(fold.scale[v]);
  if (intercept) out.model.intercept = fold.rows.mean(y);
  std::vector<double> products;
  if (fold.centre || fitted) products = decision_values(LinearModel{coef, 0, Normalize::none, {}}, raw);
  // <x - mean, w> = <x, w> - the mean over the training rows of <x, w>.
  if (fold.centre) out.model.intercept -= fold.rows.mean(products);
  if (fitted) {
    for (double& v : products) v += out.model.intercept;
    *fitted = std::move(products);
  }
  Index zeros = 0, zeros_inside = 0, voxels_inside = 0;
  for (Index v = 0; v < raw.voxels(); ++v) {
    const bool zero = solution.w.data()[v] == 0;
    zeros += zero;
    voxels_inside += inside(mask, v);
    zeros_inside += zero && inside(mask, v);
  }
  FitReport& r = out.report;
  r.objective = solution.objective * r.alpha;
  r.dual = solution.dual * r.alpha;
  r.relative_gap = solution.gap;
  r.iterations = solution.iterations;
  r.status = solution.status == Status::converged && zeros == raw.voxels() ? Status::zero_solution : solution.status;
  r.sparsity = static_cast<double>(zeros) / static_cast<double>(raw.voxels());
  r.sparsity_in_mask = static_cast<double>(zeros_inside) / static_cast<double>(voxels_inside);
  // Without a low-rank penalty no copy of W is low-rank, and W itself is counted.
  r.tubal_rank =
      r.tau > 0 ? solution.tubal_rank : tubal_rank(cast<double>(solution.w), Transform::dft(raw.shape().n3), 1e-6);
  r.intercept = out.model.intercept;
  r.trace = solution.trace;
  for (TraceRow& row : r.trace) row.objective *= r.alpha;
  return out;
}

double loss_weight(double alpha, const Shape& shape) {
  if (!(alpha >= 0 && std::isfinite(alpha)))
    throw UsageError("--alpha must be positive and finite, and is " + std::to_string(alpha));
  return alpha > 0 ? alpha : std::sqrt(static_cast<double>(std::max(shape.n1, shape.n2) * shape.n3));
}

#define STURM_INSTANTIATE(Real)                                                                             \
  template void require_sizes(const Design<Real>&, std::span<const double>, std::span<const double>, Mask); \
  template SampleScale sample_scale(const Design<Real>&, Mask);                                             \
  template Design<Real> prepared(const Design<Real>&, Mask, Normalize);                                     \
  template Design<Real> less_common_part(const Design<Real>&, const RowMap&, Mask);                         \
  template std::vector<Real> voxel_scale(const Design<Real>&, const RowMap&, Mask);                         \
  template std::vector<Real> constant_voxel_scale(const Design<Real>&, const RowMap&, Mask);                \
  template struct Fold<Real>;                                                                               \
  template SturmFit folded_back(const Solution<Real>&, const Design<Real>&, const Fold<Real>&,              \
                                std::span<const double>, Mask, bool, Normalize, FitReport, std::vector<double>*);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
