// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/sturm_model.h"

#include <chrono>
#include <cmath>

#include "sturm/linalg/host.h"
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
void set_penalties(linalg::Backend& backend, const Design<Real>& x, const View<Real>& view, std::span<const double> y,
                   const SturmOptions& options, FitReport& report) {
  const bool absolute = options.tau >= 0 || options.gamma >= 0;
  if (absolute) {
    report.tau = std::max(options.tau, 0.0);
    report.gamma = std::max(options.gamma, 0.0);
    return;
  }
  if (!(options.strength > 0 && std::isfinite(options.strength)))
    throw UsageError("--strength must be positive, and is " + std::to_string(options.strength));
  const ZeroPoint zero = zero_point(x, view, y, options.balance, backend);
  const double c = options.strength * zero.scale() * report.alpha;
  report.tau = c * options.balance * zero.tau_alone;
  report.gamma = c * (1 - options.balance) * zero.gamma_alone;
}

}  // namespace

template <class Real>
SturmFit fit_sturm(linalg::Backend& backend, const Design<Real>& given, std::span<const double> y,
                   std::span<const double> weights, std::span<const std::uint8_t> mask, const SturmOptions& options,
                   const ProgressCallback& progress) {
  const auto start = std::chrono::steady_clock::now();
  require_sizes(given, y, weights);
  require_options(options);
  const Design<Real> raw = prepared(masked(given, mask), options.normalize);
  FitReport report;
  report.samples = raw.samples();
  report.alpha = loss_weight(options.alpha, raw.shape());

  const bool centre = options.intercept || options.normalize == Normalize::voxel;
  std::vector<double> all(raw.samples(), 1.0);
  if (!weights.empty()) all.assign(weights.begin(), weights.end());
  const RowMap rows(all, centre), plain(all, false);
  const Design<Real> x = centre ? subtract_common_part(raw, rows) : raw;
  const Fold<Real> fold(raw, x, all, centre, options.normalize);
  Problem<Real> problem{fold.view, options.intercept ? mapped_labels(rows, y) : plain.apply(y)};
  set_penalties(backend, x, *fold.view, problem.y, options, report);
  problem.tau = report.tau / report.alpha;
  problem.gamma = report.gamma / report.alpha;

  BatchOptions<Real> batch{backend, options.solver, 0, true, progress};
  Solution<Real> solution;
  if (options.solver.solver == SolverKind::paper) {
    batch.solver.rho /= report.alpha;
    solution = solve_paper(x, problem, batch);
  } else {
    solution = std::move(solve_batch<Real>(x, {&problem, 1}, batch).front());
  }
  const auto out = folded_back(solution, raw, fold, y, options.intercept, options.normalize, std::move(report));
  out->report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return {*out->linear(), out->report};
}

template <class Real>
std::vector<double> decision_values(const LinearModel& model, const Design<Real>& x) {
  if (model.coef.shape() != x.shape())
    throw Error("the model is for volumes of " + to_string(model.coef.shape()) + " and these are " +
                to_string(x.shape()));
  // `sample` takes mean and norm over the voxels of the mask.
  const bool by_sample = model.normalize == Normalize::sample;
  const Design<Real> seen = by_sample ? masked(x, model.mask) : x;
  const std::vector<double> coef = seen.region().template gather<double>(model.coef.flat());
  std::vector<double> out = linalg::host::product(seen.samples(), seen.x().data(), coef);
  if (by_sample) {
    double sum = 0;
    for (const double c : coef) sum += c;
    const SampleScale scale = sample_scale(seen);
    for (Index i = 0; i < seen.samples(); ++i) out[i] = (out[i] - sum * scale.mean[i]) * scale.inverse[i];
  }
  for (double& v : out) v += model.intercept;
  return out;
}

template <class Real>
Index bytes_per_fit(const Penalty& penalty, Index samples) {
  // W, Z, the splits and their transforms in double; the solution
  Index copies = 0;
  for (int k = 0; k < penalty.terms(); ++k) copies += penalty.size(k);
  const auto wide = static_cast<Index>(sizeof(double)), real = static_cast<Index>(sizeof(Real));
  return bytes_per_problem<Real>(penalty, samples) + checked_product(3 * wide + real, penalty.region().size()) +
         checked_product(2 * wide + real, copies) + 2 * checked_product(samples, samples) * wide;
}

#define STURM_INSTANTIATE(Real)                                                                                        \
  template SturmFit fit_sturm(linalg::Backend&, const Design<Real>&, std::span<const double>, std::span<const double>, \
                              std::span<const std::uint8_t>, const SturmOptions&, const ProgressCallback&);            \
  template std::vector<double> decision_values(const LinearModel&, const Design<Real>&);                               \
  template Index bytes_per_fit<Real>(const Penalty&, Index);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
