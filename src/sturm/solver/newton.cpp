// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/solver/newton.h"

#include <algorithm>
#include <cmath>

#include "sturm/core/parallel.h"
#include "sturm/linalg/host.h"
#include "sturm/solver/constants.h"
#include "sturm/solver/timer.h"

namespace sturm {

template <class Real>
DeviceDesign<Real>::DeviceDesign(const Design<Real>& x, linalg::Backend& backend)
    : backend_(backend),
      x_(backend.hold(x.x(), std::make_shared<const Design<Real>>(x))),
      samples_(x.samples()),
      voxels_(x.voxels()) {}

template <class Real>
typename DeviceDesign<Real>::Columns DeviceDesign<Real>::columns(const std::vector<Real>& scale,
                                                                 const std::vector<std::uint8_t>& mask) {
  const std::lock_guard lock(mutex_);
  Columns out;
  if (!scale.empty()) {
    auto [at, fresh] = scales_.try_emplace(scale.data());
    if (fresh) at->second = backend_.uploaded(std::span<const Real>(scale));
    out.scale = at->second.whole();
  }
  if (!mask.empty()) {
    auto [at, fresh] = masks_.try_emplace(mask.data());
    if (fresh) at->second = backend_.uploaded(std::span<const std::uint8_t>(mask));
    out.mask = at->second.whole();
  }
  return out;
}

template <class Real>
linalg::SupportJob<Real> SupportGram<Real>::job(linalg::Backend& backend, const View<Real>& view,
                                                const typename DeviceDesign<Real>::Columns& columns,
                                                linalg::Part<const Real> w) {
  const Index m = view.rows.samples();
  if (signs_.empty()) {
    signs_ = backend.make<std::uint8_t>(w.size());
    h_.resize(m * m);
  }
  return {.w = w,
          .scale = columns.scale,
          .mask = columns.mask,
          .columns = view.voxels,
          .whole = view.raw_gram,
          .signs = signs_,
          .h = h_.data(),
          .updates = &updates_};
}

template <class Real>
std::vector<double> SupportGram<Real>::mapped(const RowMap& rows) const {
  const Index m = rows.samples();
  std::vector<double> full(m * m);
  for (Index j = 0; j < m; ++j)
    for (Index i = j; i < m; ++i) full[i + j * m] = full[j + i * m] = static_cast<double>(h_[i + j * m]);
  rows.conjugate(full);
  return full;
}

std::vector<double> newton_direction(std::vector<double> h, double rho, std::span<const double> r, double epsilon,
                                     std::span<const double> curvature) {
  const auto n = static_cast<Index>(r.size());
  double trace = 0;
  for (Index i = 0; i < n; ++i) trace += h[i + i * n];
  std::vector<double> d(r.begin(), r.end());
  double ridge = rho;
  for (int attempt = 0; attempt < newton::ridge_attempts; ++attempt) {
    std::vector<double> l = h;
    for (Index i = 0; i < n; ++i) l[i + i * n] += curvature.empty() ? ridge : ridge * curvature[i];
    if (linalg::host::cholesky<double>(n, l.data())) {
      linalg::host::cholesky_solve<double>(n, l.data(), d.data());
      break;
    }
    ridge = std::max(10 * ridge, 4 * static_cast<double>(n) * epsilon * trace);
  }
  for (double& v : d) v *= -rho;
  return d;
}

template <class Real>
double NewtonPoint<Real>::residual() const {
  if (curvature.empty()) return norm(slope_of_f);
  double sum = 0;
  for (std::size_t m = 0; m < curvature.size(); ++m) {
    const double change = slope_of_f[m] / curvature[m];
    sum += change * change;
  }
  return std::sqrt(sum);
}

template <class Real>
double Newton<Real>::value_at(const NewtonPoint<Real>& p, std::span<const double> theta, double w_norm2) {
  return p.loss->conjugate(p.labels, theta) + p.rho / 2 * w_norm2;
}

template <class Real>
bool Newton<Real>::too_high(const NewtonPoint<Real>& p, double value, double step) {
  return value > p.value + newton::armijo * step * p.slope + newton::slack<Real> * std::abs(p.value);
}

namespace {

std::vector<double> moved(std::span<const double> theta, std::span<const double> direction, double step) {
  std::vector<double> out(theta.begin(), theta.end());
  for (std::size_t m = 0; m < out.size(); ++m) out[m] += step * direction[m];
  return out;
}

}  // namespace

template <class Real>
void Newton<Real>::advance(List list) {
  // Sparse ones side by side: see Operations::sweep.
  std::ranges::stable_sort(list, {}, &NewtonPoint<Real>::nonzeros);
  const Index samples = x_.samples();
  std::vector<linalg::SweepJob<Real>> jobs(list.size());
  std::vector<double> products(list.size() * samples);
  std::vector<Real> u(list.size() * samples);
  for (std::size_t i = 0; i < list.size(); ++i) {
    NewtonPoint<Real>& p = *list[i];
    ++p.passes;
    linalg::SweepJob<Real>& job = jobs[i];
    job = {.z = p.z, .shrinks = true, .a = p.a, .w = p.w, .xw = products.data() + i * samples};
    job.scale = p.columns.scale;
    job.mask = p.columns.mask;
    job.rho = p.rho;
    job.gamma = p.gamma;
    job.expected = p.nonzeros;
    if (p.moves) {
      // X~'(theta + direction) afresh: adding up the changes would add up their rounding.
      const std::vector<double> trial = p.view->rows.adjoint(moved(p.theta, p.direction, 1));
      std::ranges::transform(trial, u.begin() + static_cast<std::ptrdiff_t>(i) * samples,
                             [](double v) { return static_cast<Real>(v); });
      job.u = u.data() + i * samples;
      job.z = {};
      job.z_next = p.z_next;
    }
    flops += (p.moves ? 4.0 : 2.0) * static_cast<double>(samples * x_.voxels());
  }
  {
    const Timer timer(seconds_in_products);
    x_.ops().sweep(samples, x_.x(), jobs);
  }
  List whole, shorter;
  for (std::size_t i = 0; i < list.size(); ++i) {
    NewtonPoint<Real>& p = *list[i];
    p.xw = p.view->rows.apply({jobs[i].xw, static_cast<std::size_t>(samples)});
    p.w_norm2 = jobs[i].norm2;
    p.nonzeros = jobs[i].nonzeros;
    p.exact = p.due = false;
    if (!p.moves) continue;
    p.moves = false;
    std::vector<double> theta = moved(p.theta, p.direction, 1);
    if (too_high(p, value_at(p, theta, p.w_norm2), 1)) {
      shorter.push_back(&p);
    } else {
      p.theta = std::move(theta);
      std::swap(p.z, p.z_next);
      if (p.gram.made() && p.curvature.empty()) whole.push_back(&p);
    }
  }
  std::vector<linalg::SignsJob<Real>> signs;
  for (NewtonPoint<Real>* p : whole) signs.push_back({.w = p->w, .signs = p->gram.signs()});
  x_.ops().compare_signs(signs);
  for (std::size_t i = 0; i < whole.size(); ++i) whole[i]->exact = signs[i].same;
  shorten(shorter);
  for (NewtonPoint<Real>* p : list) {
    p->slope_of_f.resize(p->theta.size());
    p->loss->conjugate_slope(p->labels, p->theta, p->slope_of_f);
    for (std::size_t m = 0; m < p->theta.size(); ++m) p->slope_of_f[m] += p->xw[m];
    p->loss->curvature(p->labels, p->theta, p->curvature);
  }
}

/// Halves the step until F has fallen enough. z is linear in the step, so that no product with X is needed.
template <class Real>
void Newton<Real>::shorten(const List& list) {
  constexpr int at_once = 4;  // most searches end among the first
  std::vector<double> last(list.size(), 1.0);
  std::vector<std::size_t> open(list.size());
  std::iota(open.begin(), open.end(), std::size_t{0});
  double first = 1;
  while (!open.empty()) {
    std::vector<double> steps(at_once);
    for (double& step : steps) step = first /= 2;
    std::vector<linalg::StepsJob<Real>> jobs;
    for (const std::size_t i : open) {
      const NewtonPoint<Real>& p = *list[i];
      jobs.push_back({.a = p.a, .z = p.z, .z_next = p.z_next, .mask = p.columns.mask, .rho = p.rho, .gamma = p.gamma});
    }
    x_.ops().try_steps(jobs, steps);
    std::vector<std::size_t> left;
    for (std::size_t j = 0; j < open.size(); ++j) {
      const NewtonPoint<Real>& p = *list[open[j]];
      bool found = false;
      for (int s = 0; s < at_once && !found; ++s) {
        last[open[j]] = steps[s];
        const double value = value_at(p, moved(p.theta, p.direction, steps[s]), jobs[j].norms2[s]);
        found = !too_high(p, value, steps[s]) || steps[s] <= newton::shortest_step;
      }
      if (!found) left.push_back(open[j]);
    }
    open = std::move(left);
  }
  std::vector<linalg::MixJob<Real>> jobs;
  for (std::size_t i = 0; i < list.size(); ++i) {
    NewtonPoint<Real>& p = *list[i];
    jobs.push_back({.a = p.z, .b = p.z_next, .to = p.z, .t = last[i]});
    p.theta = moved(p.theta, p.direction, last[i]);
    p.due = true;
  }
  x_.ops().mix(jobs);
}

template <class Real>
void Newton<Real>::find_directions(const List& list) {
  std::vector<linalg::SupportJob<Real>> jobs;
  for (NewtonPoint<Real>* p : list) jobs.push_back(p->gram.job(x_.backend(), *p->view, p->columns, p->w));
  x_.ops().update_support(x_.samples(), x_.x(), jobs);
  const auto m = static_cast<double>(x_.samples());
  parallel_for(
      static_cast<Index>(list.size()),
      [&](Index i, int) {
        NewtonPoint<Real>& p = *list[i];
        p.direction = newton_direction(p.gram.mapped(p.view->rows), p.rho, p.slope_of_f, rounding<Real>, p.curvature);
        if (const double step = p.loss->longest_step(p.labels, p.theta, p.direction); step < 1)
          for (double& d : p.direction) d *= step;
        p.value = value_at(p, p.theta, p.w_norm2);
        p.slope = dot(p.slope_of_f, p.direction);
        p.moves = true;
      },
      static_cast<double>(list.size()) * m * m * m / 8);
}

#define STURM_INSTANTIATE(Real)      \
  template class DeviceDesign<Real>; \
  template class SupportGram<Real>;  \
  template struct NewtonPoint<Real>; \
  template class Newton<Real>;
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
