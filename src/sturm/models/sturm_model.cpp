// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/sturm_model.h"

#include <chrono>
#include <cmath>
#include <numeric>

#include "sturm/core/parallel.h"
#include "sturm/models/preparation.h"
#include "sturm/solver/batch.h"
#include "sturm/solver/paper.h"
#include "sturm/solver/zero_point.h"
#include "sturm/tensor/algebra.h"
#include "sturm/tensor/tsvd.h"

namespace sturm {
namespace {

using Mask = std::span<const std::uint8_t>;

bool inside(Mask mask, Index v) { return mask.empty() || mask[v]; }

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

namespace {

void require_options(const SturmOptions& o) {
  if (!(o.solver.gap > 0)) throw UsageError("--gap must be positive, and is " + std::to_string(o.solver.gap));
  if (!(o.alpha >= 0 && std::isfinite(o.alpha)))
    throw UsageError("--alpha must be positive and finite, and is " + std::to_string(o.alpha));
  if (!std::isfinite(o.tau) || !std::isfinite(o.gamma)) throw UsageError("--tau and --gamma must be finite");
}

/// What varies by less than this, relative to its largest value, is constant but for rounding.
constexpr double constant_below = 1e-6;

/// Means and norms of every sample over the mask, after the mean is gone.
struct SampleScale {
  std::vector<double> mean, inverse;
};

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

}  // namespace

/// The design that the solver sees: finite everywhere, and with every sample at mean 0 and norm 1 if so asked. The one
/// that was given is used as it is wherever that is possible.
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

/// 1 / standard deviation of every voxel over the weighted samples; 0 for a constant one.
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

/// 1 for every voxel, and 0 where it has one value over the samples that count: centred it is 0, which differences of
/// rounded sums would miss. Empty where there is no such voxel but those that are 0 anyway.
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

/// Volumes that have most of their values in common (1010 here, 1020 there) leave few digits of single precision to
/// what differs, and centring by sums of products loses those. Then the mean volume is taken away first, which changes
/// nothing but the intercept; otherwise the design is used as it is.
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

/// R'y, and 0 where the labels are constant but for the rounding of their mean.
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

namespace {

template <class Real>
void set_penalties(const Design<Real>& x, const View<Real>& view, std::span<const double> y,
                   const SturmOptions& options, FitReport& report) {
  const bool absolute = options.tau >= 0 || options.gamma >= 0;
  if (absolute) {
    report.tau = std::max(options.tau, 0.0);
    report.gamma = std::max(options.gamma, 0.0);
    return;
  }
  if (!(options.strength > 0 && std::isfinite(options.strength)))
    throw UsageError("--strength must be positive, and is " + std::to_string(options.strength));
  const ZeroPoint zero = zero_point(x, view, y, options.balance);
  const double c = options.strength * zero.scale() * report.alpha;
  report.tau = c * options.balance * zero.tau_alone;
  report.gamma = c * (1 - options.balance) * zero.gamma_alone;
}

}  // namespace

template <class Real>
SturmFit fit_sturm(const Design<Real>& given, std::span<const double> y, std::span<const double> weights,
                   std::span<const std::uint8_t> mask, const SturmOptions& options, const ProgressCallback& progress) {
  const auto start = std::chrono::steady_clock::now();
  require_sizes(given, y, weights, mask);
  require_options(options);
  const Design<Real> raw = prepared(given, mask, options.normalize);
  const Shape shape = raw.shape();
  FitReport report;
  report.samples = raw.samples();
  report.alpha =
      options.alpha > 0 ? options.alpha : std::sqrt(static_cast<double>(std::max(shape.n1, shape.n2) * shape.n3));

  const bool centre = options.intercept || options.normalize == Normalize::voxel;
  std::vector<double> all(raw.samples(), 1.0);
  if (!weights.empty()) all.assign(weights.begin(), weights.end());
  const RowMap rows(all, centre), plain(all, false);
  const Design<Real> x = centre ? less_common_part(raw, rows, mask) : raw;
  std::vector<Real> scale, constant;
  std::vector<std::uint8_t> searched(mask.begin(), mask.end());
  if (options.normalize == Normalize::voxel) {
    scale = voxel_scale(raw, rows, mask);
    // A constant voxel has no place on the normalised scale: it is left out as if it were outside the mask.
    if (std::ranges::find(scale, Real{0}) != scale.end()) {
      searched.resize(scale.size());
      std::ranges::transform(scale, searched.begin(), [](Real v) { return v > 0; });
    }
  } else if (centre) {
    constant = constant_voxel_scale(raw, rows, mask);
  }
  const auto view = std::make_shared<const View<Real>>(x, rows, scale.empty() ? constant : scale, searched);
  Problem<Real> problem{view, options.intercept ? mapped_labels(rows, y) : plain.apply(y)};
  set_penalties(x, *view, problem.y, options, report);
  problem.tau = report.tau / report.alpha;
  problem.gamma = report.gamma / report.alpha;

  BatchOptions<Real> batch{options.solver, 0, true, progress};
  Solution<Real> solution{BasicTensor<Real>(Shape{}), BasicTensor<Real>(Shape{}), {}};
  if (options.solver.solver == SolverKind::paper) {
    batch.solver.rho /= report.alpha;
    solution = solve_paper(x, problem, batch);
  } else {
    solution = std::move(solve_batch<Real>(x, {&problem, 1}, batch).front());
  }

  SturmFit out{{cast<double>(solution.w), 0, options.normalize, {mask.begin(), mask.end()}}, report};
  Tensor& coef = out.model.coef;
  for (std::size_t v = 0; v < scale.size(); ++v) coef.flat()[v] *= static_cast<double>(scale[v]);
  if (options.intercept) out.model.intercept = rows.mean(y);
  if (centre) {
    // <x - mean, w> = <x, w> - the mean over the training rows of <x, w>.
    const LinearModel uncentred{coef, 0, Normalize::none, {}};
    out.model.intercept -= rows.mean(decision_values(uncentred, raw));
  }
  Index zeros = 0, zeros_inside = 0, voxels_inside = 0;
  for (Index v = 0; v < x.voxels(); ++v) {
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
  r.status = solution.status == Status::converged && zeros == x.voxels() ? Status::zero_solution : solution.status;
  r.sparsity = static_cast<double>(zeros) / static_cast<double>(x.voxels());
  r.sparsity_in_mask = static_cast<double>(zeros_inside) / static_cast<double>(voxels_inside);
  // Without a tubal nuclear norm no copy of W is low-rank, and W itself is counted.
  r.tubal_rank = r.tau > 0 ? solution.tubal_rank : tubal_rank(cast<double>(solution.w), Transform::dft(shape.n3), 1e-6);
  r.intercept = out.model.intercept;
  r.trace = std::move(solution.trace);
  for (TraceRow& row : r.trace) row.objective *= r.alpha;
  r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

template <class Real>
std::vector<double> decision_values(const LinearModel& model, const Design<Real>& x) {
  if (model.coef.shape() != x.shape())
    throw Error("the model is for volumes of " + to_string(model.coef.shape()) + " and these are " +
                to_string(x.shape()));
  const Index m = x.samples();
  std::vector<double> out(m);
  double coef_sum = 0;
  for (Index v = 0; v < x.voxels(); ++v) {
    const double c = model.coef.data()[v];
    if (c == 0) continue;
    coef_sum += c;
    for (Index i = 0; i < m; ++i) out[i] += c * static_cast<double>(x.column(v)[i]);
  }
  if (model.normalize == Normalize::sample) {
    const SampleScale scale = sample_scale(x, model.mask);
    for (Index i = 0; i < m; ++i) out[i] = (out[i] - coef_sum * scale.mean[i]) * scale.inverse[i];
  }
  for (double& v : out) v += model.intercept;
  return out;
}

template <class Real>
Index bytes_per_fit(const Shape& shape, Index samples) {
  constexpr Index proof = 6 * sizeof(double) + 2 * sizeof(Real);  // W, Z, the split and their transforms; the solution
  const Index view = 2 * checked_product(samples, samples) * static_cast<Index>(sizeof(double));
  return bytes_per_problem<Real>(shape, samples) + checked_product(proof, shape.size()) + view;
}

#define STURM_INSTANTIATE(Real)                                                                             \
  template SturmFit fit_sturm(const Design<Real>&, std::span<const double>, std::span<const double>,        \
                              std::span<const std::uint8_t>, const SturmOptions&, const ProgressCallback&); \
  template std::vector<double> decision_values(const LinearModel&, const Design<Real>&);                    \
  template Index bytes_per_fit<Real>(const Shape&, Index);                                                  \
  template void require_sizes(const Design<Real>&, std::span<const double>, std::span<const double>,        \
                              std::span<const std::uint8_t>);                                               \
  template Design<Real> prepared(const Design<Real>&, std::span<const std::uint8_t>, Normalize);            \
  template std::vector<Real> voxel_scale(const Design<Real>&, const RowMap&, std::span<const std::uint8_t>); \
  template std::vector<Real> constant_voxel_scale(const Design<Real>&, const RowMap&,                       \
                                                  std::span<const std::uint8_t>);                           \
  template Design<Real> less_common_part(const Design<Real>&, const RowMap&, std::span<const std::uint8_t>);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
