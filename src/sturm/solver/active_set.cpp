// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/solver/active_set.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sturm/linalg/voxels.h"

namespace sturm {
namespace {

/// What is left of a column beside those in the support, squared and relative: below this it counts as dependent. The
/// rounding of the factor is some 1e-14.
constexpr double dependent = 1e-11;

double dot_of(const double* a, const double* b, Index n) { return linalg::voxel_kernel<double>().dot(a, b, n); }

}  // namespace

template <class Real>
void WorkingSet::add(const LassoView<Real>& view, Index voxel) {
  std::vector<double> column(view.x.column(voxel), view.x.column(voxel) + samples_);
  for (double& v : column) v *= view.scale_of(voxel);
  column = view.rows.apply(column);
  voxels_.push_back(voxel);
  squares_.push_back(dot_of(column.data(), column.data(), samples_));
  columns_.insert(columns_.end(), column.begin(), column.end());
}

double ActivePoint::objective(double gamma, double l2) const {
  double out = std::inner_product(residual.begin(), residual.end(), residual.begin(), 0.0) / 2;
  for (const double v : w) out += gamma * std::abs(v) + l2 / 2 * v * v;
  return out;
}

ActiveSet::ActiveSet(const WorkingSet& working, std::span<const double> y, double l2, double tolerance)
    : working_(working), y_(y), l2_(l2), tolerance_(tolerance) {}

void ActiveSet::update_residual(ActivePoint& p) const {
  p.residual.assign(y_.begin(), y_.end());
  const auto add = linalg::voxel_kernel<double>().add;
  for (std::size_t i = 0; i < p.support.size(); ++i)
    add(working_.column(p.support[i]), -p.w[i], p.residual.data(), p.residual.size());
}

void ActiveSet::leave(ActivePoint& p, Index position) const {
  p.factor.remove(position);
  p.support.erase(p.support.begin() + position);
  p.sign.erase(p.sign.begin() + position);
  p.w.erase(p.w.begin() + position);
}

void ActiveSet::enter(ActivePoint& p, Index candidate, double sign) const {
  double value = 0;  // of w at the candidate
  while (true) {
    std::vector<double> c(p.support.size());
    for (std::size_t i = 0; i < c.size(); ++i)
      c[i] = dot_of(working_.column(p.support[i]), working_.column(candidate), working_.samples());
    const double square = working_.square(candidate);
    if (p.factor.append(c, square + l2_, dependent * square)) break;
    // x = X_S c: w can move along (1, -c) without a change of X w, and |w|_1 changes by 1 - sign c's per step. It is
    // followed downhill until a voxel of the support is zero and leaves, or the candidate is.
    p.factor.solve(c);
    const double gain = sign * std::inner_product(c.begin(), c.end(), p.sign.begin(), 0.0) - 1;
    const double along = gain > 0 ? sign : -sign;
    double step = gain > 0 ? std::numeric_limits<double>::infinity() : std::abs(value);
    Index leaving = -1;
    for (std::size_t i = 0; i < c.size(); ++i) {
      if (!(along * c[i] * p.sign[i] > 0)) continue;
      const double until = std::abs(p.w[i] / c[i]);
      if (until < step) {
        step = until;
        leaving = static_cast<Index>(i);
      }
    }
    if (!std::isfinite(step)) return;  // rounding: a gain needs some c with a sign of its own
    for (std::size_t i = 0; i < c.size(); ++i) p.w[i] -= along * step * c[i];
    value += along * step;
    if (leaving < 0) return;  // the candidate is back at zero
    leave(p, leaving);
  }
  p.support.push_back(candidate);
  p.sign.push_back(sign);
  p.w.push_back(value);
}

void ActiveSet::descend(ActivePoint& p, double gamma) const {
  // With the signs s fixed, (X_S'X_S + l2) d = X_S'r - l2 w - gamma s leads to the optimum; taken from the residual
  // itself, a second step corrects the rounding of the first.
  for (int whole_steps = 0; whole_steps < 4 && !p.support.empty();) {
    std::vector<double> d(p.support.size());
    double largest = 0;
    for (std::size_t i = 0; i < d.size(); ++i) {
      d[i] = dot_of(working_.column(p.support[i]), p.residual.data(), working_.samples()) - l2_ * p.w[i] -
             gamma * p.sign[i];
      largest = std::max(largest, std::abs(d[i]));
    }
    if (largest <= tolerance_ * gamma) break;
    p.factor.solve(d);
    double step = 1;
    Index leaving = -1;
    for (std::size_t i = 0; i < d.size(); ++i) {
      if (!((p.w[i] + d[i]) * p.sign[i] < 0)) continue;
      const double until = std::max(-p.w[i] / d[i], 0.0);
      if (until < step) {
        step = until;
        leaving = static_cast<Index>(i);
      }
    }
    for (std::size_t i = 0; i < d.size(); ++i) p.w[i] += step * d[i];
    if (leaving >= 0)
      leave(p, leaving);
    else
      ++whole_steps;
    update_residual(p);
  }
}

std::vector<Index> ActiveSet::violators(const ActivePoint& p, double gamma, std::vector<double>& z) const {
  z.resize(working_.size());
  for (Index j = 0; j < working_.size(); ++j) z[j] = dot_of(working_.column(j), p.residual.data(), working_.samples());
  std::vector<char> inside(working_.size());
  for (const Index i : p.support) inside[i] = 1;
  std::vector<Index> out;
  for (Index j = 0; j < working_.size(); ++j)
    if (!inside[j] && std::abs(z[j]) > gamma * (1 + tolerance_)) out.push_back(j);
  std::ranges::sort(out, [&z](Index a, Index b) {
    return std::abs(z[a]) != std::abs(z[b]) ? std::abs(z[a]) > std::abs(z[b]) : a < b;
  });
  return out;
}

bool ActiveSet::solve(ActivePoint& p, double gamma, Index most) const {
  std::vector<double> z;
  bool alone = false;  // one voxel at a time always gets on; several at a time are faster but may drive each other out
  descend(p, gamma);
  double before = p.objective(gamma, l2_);
  for (int round = 0; round < 100000; ++round) {
    const std::vector<Index> entering = violators(p, gamma, z);
    if (entering.empty()) return true;
    const std::size_t several = alone ? 1 : 8 + p.support.size() / 8;
    for (std::size_t i = 0; i < std::min(several, entering.size()); ++i)
      enter(p, entering[i], z[entering[i]] > 0 ? 1.0 : -1.0);
    if (static_cast<Index>(p.support.size()) > most) return false;
    update_residual(p);
    descend(p, gamma);
    const double now = p.objective(gamma, l2_);
    const bool progress = now < before * (1 - 1e-15);
    if (!progress && alone) return true;  // as far as double precision carries
    alone = !progress;
    before = std::min(before, now);
  }
  return true;
}

template void WorkingSet::add(const LassoView<float>&, Index);
template void WorkingSet::add(const LassoView<double>&, Index);

}  // namespace sturm
