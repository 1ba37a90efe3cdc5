// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/sturm_model.h"

#include <chrono>
#include <cmath>

#include "sturm/models/preparation.h"
#include "sturm/solver/batch.h"
#include "sturm/solver/paper.h"
#include "sturm/solver/zero_point.h"
#include "sturm/tensor/algebra.h"

namespace sturm {
namespace {

void require_options(const SturmOptions& o) {
  if (!(o.solver.gap > 0)) throw UsageError("--gap must be positive, and is " + std::to_string(o.solver.gap));
  if (!std::isfinite(o.tau) || !std::isfinite(o.gamma)) throw UsageError("--tau and --gamma must be finite");
}

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
  report.alpha = loss_weight(options.alpha, shape);

  const bool centre = options.intercept || options.normalize == Normalize::voxel;
  std::vector<double> all(raw.samples(), 1.0);
  if (!weights.empty()) all.assign(weights.begin(), weights.end());
  const RowMap rows(all, centre), plain(all, false);
  const Design<Real> x = centre ? less_common_part(raw, rows, mask) : raw;
  const Fold<Real> fold(raw, x, all, centre, mask, options.normalize);
  Problem<Real> problem{fold.view, options.intercept ? mapped_labels(rows, y) : plain.apply(y)};
  set_penalties(x, *fold.view, problem.y, options, report);
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

  SturmFit out = folded_back(solution, raw, fold, y, mask, options.intercept, options.normalize, std::move(report));
  out.report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
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
Index bytes_per_fit(const Shape& shape, Index samples, int terms) {
  // W, Z, the splits and their transforms; the solution
  const Index proof =
      (4 + 2 * terms) * static_cast<Index>(sizeof(double)) + (1 + terms) * static_cast<Index>(sizeof(Real));
  const Index view = 2 * checked_product(samples, samples) * static_cast<Index>(sizeof(double));
  return bytes_per_problem<Real>(shape, samples, terms) + checked_product(proof, shape.size()) + view;
}

#define STURM_INSTANTIATE(Real)                                                                             \
  template SturmFit fit_sturm(const Design<Real>&, std::span<const double>, std::span<const double>,        \
                              std::span<const std::uint8_t>, const SturmOptions&, const ProgressCallback&); \
  template std::vector<double> decision_values(const LinearModel&, const Design<Real>&);                    \
  template Index bytes_per_fit<Real>(const Shape&, Index, int);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
