// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/solver/stagewise.h"

#include <algorithm>
#include <cmath>

#include "sturm/solver/stagewise_term.h"

namespace sturm {
namespace {

using namespace stagewise;

/// One term from its first step to the end of its path. Returns whether the path was followed to its end.
template <class Real>
bool follow_path(Term<Real>& term, Index number, const StagewiseOptions& options, StagewiseFit& fit, bool& alive) {
  const double eps = options.epsilon, xi = eps * eps / 2;
  const int most = static_cast<int>(std::min(1e6, 1000 + 100 / eps));
  const auto note = [&](const Candidate& c, bool back, double lambda) {
    ++fit.steps;
    if (options.keep_steps)
      fit.trace.push_back({number, c.mode, c.index, c.change, back, c.loss_change, c.penalty_change, lambda});
  };
  const Candidate first = term.first();
  double lambda = (-first.loss_change - xi) / eps;
  alive = lambda > 0;
  if (!alive) return true;
  const double last = options.lambda * lambda;
  term.start(first);
  note(first, false, lambda);
  for (int step = 0; step < most; ++step) {
    const Candidate back = term.backward(lambda);
    if (back.objective_change < -xi) {
      note(back, true, lambda);
      alive = term.step(back);
      if (!alive) return true;
      continue;
    }
    const Candidate next = term.forward();
    const double worth = (-next.loss_change - xi) / eps;
    if (std::min(lambda, worth) <= last) return true;
    lambda = std::min(lambda, worth);
    note(next, false, lambda);
    alive = term.step(next);
    if (!alive) return true;
  }
  return false;
}

}  // namespace

template <class Real>
StagewiseFit fit_stagewise(const Design<Real>& x, const RowMap& rows, std::span<const double> y,
                           std::span<const double> scale, const StagewiseOptions& options) {
  if (options.rank < 1) throw UsageError("`rank` must be 1 or more, and is " + std::to_string(options.rank));
  if (!(options.epsilon > 0 && options.epsilon <= 1))
    throw UsageError("`epsilon` must lie in (0, 1], and is " + std::to_string(options.epsilon));
  if (!(options.lambda >= 0)) throw UsageError("`lambda` must be 0 or more");
  constexpr double shrinks = 1e-4;  // of the loss; less is no term
  const Units<Real> units(x, rows, scale);
  StagewiseFit out;
  out.status = Status::zero_solution;
  std::vector<double> residual = units.mapped(y);
  double largest = 0;
  for (std::size_t m = 0; m < y.size(); ++m)
    if (rows.weights()[m] > 0) largest = std::max(largest, std::abs(y[m]));
  const double deviation = std::sqrt(units.dot(residual, residual));
  if (!(deviation > 1e-13 * largest) || units.x_unit() == 0) return out;  // constant labels or volumes
  out.y_unit = deviation;
  out.x_unit = units.x_unit();
  for (double& r : residual) r /= deviation;
  out.loss = 1;
  bool whole = true;
  for (Index number = 0; number < options.rank; ++number) {
    Term<Real> term(units, x.shape(), residual, options);
    bool alive = false;
    const bool finished = follow_path(term, number, options, out, alive);
    if (!alive) break;
    const double left = units.dot(term.error(), term.error());
    if (!(left < (1 - shrinks) * out.loss)) break;
    whole = whole && finished;
    out.loss = left;
    out.terms.push_back(term.term());
    residual = term.error();
  }
  if (!out.terms.empty()) out.status = whole ? Status::converged : Status::iteration_limit;
  return out;
}

std::vector<double> coefficients(const StagewiseFit& fit, const Region& region, std::span<const double> scale) {
  const Shape& shape = region.box();
  std::vector<double> out(region.size());
  const double unit = fit.terms.empty() ? 0 : fit.y_unit / fit.x_unit;
  for (Index c = 0; c < region.size(); ++c) {
    const Index v = region.voxel(c), i = v % shape.n1, j = v / shape.n1 % shape.n2, k = v / shape.slice();
    for (const StagewiseTerm& t : fit.terms) out[c] += t.scale * t.w[1][j] * t.w[2][k] * t.w[0][i];
    out[c] *= unit * (scale.empty() ? 1 : scale[c]);
  }
  return out;
}

#define STURM_INSTANTIATE(Real)                                                                    \
  template StagewiseFit fit_stagewise(const Design<Real>&, const RowMap&, std::span<const double>, \
                                      std::span<const double>, const StagewiseOptions&);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
