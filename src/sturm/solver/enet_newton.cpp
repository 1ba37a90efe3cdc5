// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/solver/enet_newton.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "sturm/core/parallel.h"
#include "sturm/linalg/backend.h"
#include "sturm/linalg/voxels.h"
#include "sturm/solver/support_gram.h"

namespace sturm {
namespace {

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// One gamma under way.
template <class Real>
struct Net {
  double gamma = 0;
  std::vector<double> theta, direction, slope_of_f;  ///< slope_of_f = F' at theta
  std::vector<double> xw;
  std::vector<Real> u;
  AlignedVector<Real> z, z_next, w;
  batch::SupportGram<Real> gram;
  double w_norm2 = 0;  ///< |w|^2
  double value = 0, slope = 0, step = 0;
  int passes = 0, idle = 0;
  bool done = false;
};

template <class Real>
class Newton {
 public:
  Newton(const LassoView<Real>& view, const View<Real>& whole, std::span<const double> y, double l2, double gap)
      : view_(view), whole_(whole), y_(y), l2_(l2), gap_(gap), zero_(view.x.voxels()) {}

  std::vector<LassoSolution> solve(std::span<const double> gammas, std::span<const std::vector<double>> thetas) {
    std::vector<std::unique_ptr<Net<Real>>> nets;
    for (std::size_t k = 0; k < gammas.size(); ++k) {
      nets.push_back(std::make_unique<Net<Real>>());
      Net<Real>& n = *nets.back();
      n.gamma = gammas[k];
      n.theta = thetas[k];
      n.direction.assign(y_.size(), 0.0);
      n.xw.resize(y_.size());
      for (auto* a : {&n.z, &n.z_next, &n.w}) a->resize(view_.x.voxels());
    }
    while (true) {
      std::vector<Net<Real>*> list;
      for (const auto& n : nets)
        if (!n->done) list.push_back(n.get());
      if (list.empty()) break;
      sweep(list);
      parallel_for(static_cast<Index>(list.size()), [&](Index i, int) { advance(*list[i]); });
    }
    std::vector<LassoSolution> out;
    out.reserve(nets.size());
    for (const auto& n : nets) out.push_back(solution(*n));
    return out;
  }

 private:
  /// z_next, w and X~ w at theta + step direction.
  void sweep(const std::vector<Net<Real>*>& list) {
    std::vector<linalg::SweepJob<Real>> jobs;
    for (Net<Real>* n : list) {
      std::vector<double> at = n->theta;
      for (std::size_t i = 0; i < at.size(); ++i) at[i] += n->step * n->direction[i];
      at = view_.rows.adjoint(at);
      n->u.assign(at.size(), Real{0});
      std::ranges::transform(at, n->u.begin(), [](double v) { return static_cast<Real>(v); });
      linalg::SweepJob<Real> job;
      job.u = n->u.data();
      job.z_next = n->z_next.data();
      job.b = job.q = zero_.data();
      job.w = n->w.data();
      job.xw = n->xw.data();
      job.scale = view_.scale_data();
      job.rho = l2_;
      job.gamma = n->gamma;
      jobs.push_back(job);
      ++n->passes;
    }
    linalg::Operations<Real>& ops = linalg::cpu_backend();
    ops.sweep(view_.x.samples(), view_.x.voxels(), view_.x.x().data(), jobs);
    for (std::size_t i = 0; i < list.size(); ++i) {
      list[i]->xw = view_.rows.apply(list[i]->xw);
      list[i]->w_norm2 = jobs[i].norm2;
    }
  }

  double value_at(const Net<Real>& n, double step, double w_norm2) const {
    double out = l2_ / 2 * w_norm2;
    for (std::size_t i = 0; i < y_.size(); ++i) {
      const double t = n.theta[i] + step * n.direction[i];
      out += t * t / 2 - y_[i] * t;
    }
    return out;
  }

  void advance(Net<Real>& n) {
    const double value = value_at(n, n.step, n.w_norm2);
    const double slack = (sizeof(Real) == 4 ? 1e-6 : 1e-14) * (std::abs(n.value) + dot(y_, y_) / 2);
    if (n.step > 0 && value > n.value + 1e-4 * n.step * n.slope + slack) {
      shorten(n);
      return;  // w and X~ w are due at the shorter step
    }
    for (std::size_t i = 0; i < n.theta.size(); ++i) n.theta[i] += n.step * n.direction[i];
    std::swap(n.z, n.z_next);
    const bool exact = n.step == 1 && n.gram.same_signs(n.w);
    const double before = n.slope_of_f.empty() ? HUGE_VAL : dot(n.slope_of_f, n.slope_of_f);
    n.value = value;
    n.slope_of_f.resize(y_.size());
    double loss = 0;
    for (std::size_t i = 0; i < y_.size(); ++i) {
      n.slope_of_f[i] = n.theta[i] - y_[i] + n.xw[i];
      loss += (y_[i] - n.xw[i]) * (y_[i] - n.xw[i]) / 2;
    }
    const double l1 = linalg::voxel_kernel<Real>().sum_abs(n.w.data(), n.w.size());
    const double primal = loss + l2_ / 2 * n.w_norm2 + n.gamma * l1;
    const double apart = dot(n.slope_of_f, n.slope_of_f);
    // Rounding ends progress: a residual that three steps have not made smaller stays as it is.
    n.idle = apart < 0.5 * before ? 0 : n.idle + 1;
    const bool there = apart / 2 <= 0.3 * gap_ * std::max(primal, 1e-12 * dot(y_, y_) / 2);
    if (there || (exact && n.idle > 0) || n.idle > 30 || n.passes > 1000) {
      n.done = true;
      return;
    }
    n.direction = batch::newton_direction(n.gram.of(view_.x, whole_, n.w.data()), l2_, n.slope_of_f, epsilon);
    n.slope = dot(n.direction, n.slope_of_f);
    n.step = 1;
  }

  /// Halves the step by the values of F on the way, which take no product with X.
  void shorten(Net<Real>& n) const {
    const auto trial = linalg::voxel_kernel<Real>().trial;
    // z_next belongs to the step that failed.
    const double whole = n.step;
    for (double part = 0.5; part > 1e-6; part /= 2) {
      n.step = part * whole;
      const double norm2 =
          trial(zero_.data(), zero_.data(), n.z.data(), n.z_next.data(), nullptr, static_cast<Real>(part),
                static_cast<Real>(l2_), static_cast<Real>(n.gamma), n.z.size());
      if (value_at(n, n.step, norm2) <= n.value + 1e-4 * n.step * n.slope) return;
    }
  }

  LassoSolution solution(const Net<Real>& n) const {
    LassoSolution out;
    for (std::size_t v = 0; v < n.w.size(); ++v)
      if (n.w[v] != 0) {
        out.voxels.push_back(static_cast<Index>(v));
        out.values.push_back(static_cast<double>(n.w[v]));
      }
    out.theta = n.theta;
    out.iterations = n.passes;
    return out;
  }

  static constexpr double epsilon = sizeof(Real) == 4 ? 1.2e-7 : 2.2e-16;
  const LassoView<Real>& view_;
  const View<Real>& whole_;
  std::span<const double> y_;
  double l2_, gap_;
  AlignedVector<Real> zero_;
};

}  // namespace

template <class Real>
std::vector<LassoSolution> enet_newton(const LassoView<Real>& view, const View<Real>& whole, std::span<const double> y,
                                       double l2, std::span<const double> gammas,
                                       std::span<const std::vector<double>> thetas, double gap) {
  return Newton<Real>(view, whole, y, l2, gap).solve(gammas, thetas);
}

#define STURM_INSTANTIATE(Real)                                                                                       \
  template std::vector<LassoSolution> enet_newton(const LassoView<Real>&, const View<Real>&, std::span<const double>, \
                                                  double, std::span<const double>,                                    \
                                                  std::span<const std::vector<double>>, double);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
