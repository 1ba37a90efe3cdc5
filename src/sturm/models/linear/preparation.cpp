// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/linear/preparation.h"

#include <cmath>
#include <numeric>

#include "sturm/core/parallel.h"
#include "sturm/linalg/host.h"
#include "sturm/models/training_statistics.h"
#include "sturm/models/voxel_runs.h"
#include "sturm/tensor/tsvd.h"

namespace sturm {
template <class Real>
void require_sizes(const Design<Real>& x, std::span<const double> y, std::span<const double> weights) {
  const auto samples = static_cast<std::size_t>(x.samples());
  if (y.size() != samples)
    throw Error("there are " + std::to_string(samples) + " volumes and " + std::to_string(y.size()) + " labels");
  if (!weights.empty() && weights.size() != samples)
    throw Error("there are " + std::to_string(samples) + " volumes and " + std::to_string(weights.size()) + " weights");
  for (std::size_t m = 0; m < y.size(); ++m)
    if (!std::isfinite(y[m]))
      throw Error("the label of sample " + std::to_string(m + 1) + " is not a finite number; drop that row");
}

template <class Real>
Design<Real> prepared(const Design<Real>& x, Normalize normalize) {
  const Index m = x.samples();
  const auto bad = in_runs(x.voxels(), [&](Index first, Index last) {
    std::vector<Index> part(m);
    for (Index v = first; v < last; ++v)
      for (Index i = 0; i < m; ++i) part[i] += !std::isfinite(x.column(v)[i]);
    return part;
  });
  for (Index i = 0; i < m; ++i) {
    Index count = 0;
    for (const auto& part : bad) count += part[i];
    if (count > 0)
      throw Error("sample " + std::to_string(i + 1) + " has " + std::to_string(count) +
                  " voxels that are NaN or infinite; repair it, drop its row, or give a `mask` that leaves them out");
  }
  if (normalize != Normalize::sample) return x;
  const SampleStatistics scale = sample_statistics(x);
  AlignedVector<Real> copy(x.x().size());
  in_runs(x.voxels(), [&](Index first, Index last) {
    for (Index v = first; v < last; ++v)
      for (Index i = 0; i < m; ++i)
        copy[v * m + i] = static_cast<Real>((static_cast<double>(x.column(v)[i]) - scale.mean[i]) * scale.inverse[i]);
    return 0;
  });
  return Design<Real>::owning(x.region(), m, std::move(copy));
}

template <class Real>
Design<Real> subtract_common_part(const Design<Real>& x, const RowMap& rows) {
  constexpr double harmless = 30;  // mean over deviation, of all voxels together: costs 1e3 in rounding
  if constexpr (sizeof(Real) == 8) return x;
  const auto weights = rows.weights();
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

template <class Real>
std::vector<Real> voxel_scale(const Design<Real>& x, const RowMap& rows) {
  std::vector<Real> out;
  out.reserve(x.voxels());
  for (const double deviation : voxel_statistics(x, rows.weights()).deviation)
    out.push_back(static_cast<Real>(inverse_deviation(deviation)));
  return out;
}

template <class Real>
std::vector<Real> constant_voxel_scale(const Design<Real>& x, const RowMap& rows) {
  std::vector<Index> counting;
  for (Index i = 0; i < x.samples(); ++i)
    if (rows.weights()[i] > 0) counting.push_back(i);
  std::vector<Real> out(x.voxels(), Real{1});
  const auto found = in_runs(x.voxels(), [&](Index from, Index to) {
    bool any = false;
    for (Index v = from; v < to; ++v) {
      const Real first = x.column(v)[counting.front()];
      if (first == 0) continue;
      if (std::ranges::any_of(counting, [&](Index i) { return x.column(v)[i] != first; })) continue;
      out[v] = 0;
      any = true;
    }
    return static_cast<int>(any);
  });
  if (std::ranges::find(found, 1) == found.end()) out.clear();
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
Fold<Real>::Fold(const Design<Real>& raw, const Design<Real>& x, std::vector<double> weights, bool centred,
                 Normalize normalize, std::span<const Fold> others)
    : rows(std::move(weights), centred), centre(centred) {
  std::vector<Real> used;
  std::vector<std::uint8_t> searched;
  if (normalize == Normalize::voxel) {
    used = scale = voxel_scale(raw, rows);
    // A constant voxel has no place on the normalised scale: it is left out as if it were outside the mask.
    if (std::ranges::find(scale, Real{0}) != scale.end()) {
      searched.resize(scale.size());
      std::ranges::transform(scale, searched.begin(), [](Real v) { return v > 0; });
    }
  } else if (centre) {
    used = constant_voxel_scale(raw, rows);
  }
  given_scale = used;
  std::span<const double> base;
  for (const Fold& other : others)
    if (other.given_scale == used) base = other.view->raw_gram;
  view = std::make_shared<const View<Real>>(x, rows, std::move(used), std::move(searched), base);
}

template <class Real>
std::unique_ptr<LinearFitted<Real>> folded_back(const Solution<Real>& solution, const Design<Real>& raw,
                                                const Fold<Real>& fold, std::span<const double> y, bool intercept,
                                                Normalize normalize, FitReport r) {
  std::vector<double> coef(solution.w.flat().begin(), solution.w.flat().end());
  for (std::size_t v = 0; v < fold.scale.size(); ++v) coef[v] *= static_cast<double>(fold.scale[v]);
  std::vector<double> values = linalg::host::product(raw.samples(), raw.x().data(), coef);
  r.intercept = intercept ? fold.rows.mean(y) : 0;
  // <x - mean, w> = <x, w> - the mean over the training rows of <x, w>.
  if (fold.centre) r.intercept -= fold.rows.mean(values);
  for (double& v : values) v += r.intercept;
  r.objective = solution.objective * r.alpha;
  r.dual = solution.dual * r.alpha;
  r.relative_gap = solution.gap;
  r.iterations = solution.iterations;
  const bool zero = std::ranges::all_of(solution.w.flat(), [](Real v) { return v == 0; });
  r.status = solution.status == Status::converged && zero ? Status::zero_solution : solution.status;
  // Counted on the solver's scale: a coefficient may be too small for its own.
  const std::vector<double> on_scale(solution.w.flat().begin(), solution.w.flat().end());
  set_sparsity(r, raw.region(), on_scale);
  // Without a low-rank penalty no copy of W is low-rank, and W itself is counted.
  r.tubal_rank = r.tau > 0
                     ? solution.tubal_rank
                     : tubal_rank(raw.region().template spread<double>(on_scale), Transform::dft(raw.shape().n3), 1e-6);
  r.trace = solution.trace;
  for (TraceRow& row : r.trace) row.objective *= r.alpha;
  auto out =
      std::make_unique<LinearFitted<Real>>(raw.region(), std::move(coef), r.intercept, normalize, std::move(values));
  out->report = std::move(r);
  return out;
}

double loss_weight(double alpha, const Shape& shape) {
  if (!(alpha >= 0 && std::isfinite(alpha)))
    throw UsageError("`alpha` must be positive and finite, and is " + std::to_string(alpha));
  return alpha > 0 ? alpha : std::sqrt(static_cast<double>(std::max(shape.n1, shape.n2) * shape.n3));
}

#define STURM_INSTANTIATE(Real)                                                                              \
  template void require_sizes(const Design<Real>&, std::span<const double>, std::span<const double>);        \
  template Design<Real> prepared(const Design<Real>&, Normalize);                                            \
  template Design<Real> subtract_common_part(const Design<Real>&, const RowMap&);                            \
  template std::vector<Real> voxel_scale(const Design<Real>&, const RowMap&);                                \
  template std::vector<Real> constant_voxel_scale(const Design<Real>&, const RowMap&);                       \
  template struct Fold<Real>;                                                                                \
  template std::unique_ptr<LinearFitted<Real>> folded_back(const Solution<Real>&, const Design<Real>&,       \
                                                           const Fold<Real>&, std::span<const double>, bool, \
                                                           Normalize, FitReport);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
