// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/solver/enet_newton.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "sturm/solver/constants.h"

namespace sturm {
namespace {

/// One gamma under way.
template <class Real>
struct Net {
  NewtonPoint<Real> point;
  double before = HUGE_VAL;  ///< |F'|^2 of the step before
  int idle = 0;
  bool done = false;
};

constexpr int idle_limit = 30;    ///< steps without progress
constexpr int pass_limit = 1000;  ///< over X

/// Whether w and theta are close enough, or rounding ends progress: a residual that steps have not made smaller stays
/// as it is.
template <class Real>
bool is_done(Net<Real>& net, double l1, double l2, double gap) {
  const NewtonPoint<Real>& p = net.point;
  std::span<const double> y = p.labels.y;
  double loss = 0;
  for (std::size_t i = 0; i < y.size(); ++i) loss += (y[i] - p.xw[i]) * (y[i] - p.xw[i]) / 2;
  const double primal = loss + l2 / 2 * p.w_norm2 + p.gamma * l1, apart = dot(p.slope_of_f, p.slope_of_f);
  net.idle = apart < 0.5 * net.before ? 0 : net.idle + 1;
  net.before = apart;
  const bool there = apart / 2 <= 0.3 * gap * std::max(primal, 1e-12 * dot(y, y) / 2);
  return there || (p.exact && net.idle > 0) || net.idle > idle_limit || p.passes > pass_limit;
}

template <class Real>
LassoSolution solution(const NewtonPoint<Real>& p, linalg::Backend& backend) {
  std::vector<Real> w(p.w.size());
  backend.download(p.w.whole(), std::span(w));
  LassoSolution out;
  for (std::size_t v = 0; v < w.size(); ++v)
    if (w[v] != 0) {
      out.voxels.push_back(static_cast<Index>(v));
      out.values.push_back(static_cast<double>(w[v]));
    }
  out.theta = p.theta;
  out.iterations = p.passes;
  return out;
}

}  // namespace

template <class Real>
std::vector<LassoSolution> enet_newton(DeviceDesign<Real>& x, const View<Real>& view, std::span<const double> y,
                                       double l2, std::span<const double> gammas,
                                       std::span<const std::vector<double>> thetas, double gap) {
  std::vector<std::unique_ptr<Net<Real>>> nets;
  for (std::size_t k = 0; k < gammas.size(); ++k) {
    nets.push_back(std::make_unique<Net<Real>>());
    NewtonPoint<Real>& p = nets.back()->point;
    p.view = &view;
    p.columns = x.columns(view);
    p.labels = {y, view.rows.weights()};
    p.rho = l2;
    p.gamma = gammas[k];
    p.theta = thetas[k];
    p.direction.assign(y.size(), 0.0);
    p.moves = true;  // by nothing, to where theta is
    p.value = HUGE_VAL;
    for (auto* array : {&p.z, &p.z_next, &p.w}) *array = x.backend().template make<Real>(x.voxels());
  }
  Newton<Real> newton(x);
  while (true) {
    typename Newton<Real>::List list, open;
    for (const auto& net : nets)
      if (!net->done) list.push_back(&net->point);
    if (list.empty()) break;
    newton.advance(list);
    std::vector<Net<Real>*> arrived;
    std::vector<linalg::SizeJob<Real>> sizes;
    for (const auto& net : nets) {
      if (net->done || net->point.due) continue;
      arrived.push_back(net.get());
      sizes.push_back({.a = net->point.w});
    }
    x.ops().measure_sizes(sizes);
    for (std::size_t i = 0; i < arrived.size(); ++i) {
      arrived[i]->done = is_done(*arrived[i], sizes[i].l1, l2, gap);
      if (!arrived[i]->done) open.push_back(&arrived[i]->point);
    }
    newton.find_directions(open);
  }
  std::vector<LassoSolution> out;
  out.reserve(nets.size());
  for (const auto& net : nets) out.push_back(solution(net->point, x.backend()));
  return out;
}

#define STURM_INSTANTIATE(Real)                                                                                    \
  template std::vector<LassoSolution> enet_newton(DeviceDesign<Real>&, const View<Real>&, std::span<const double>, \
                                                  double, std::span<const double>,                                 \
                                                  std::span<const std::vector<double>>, double);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
