// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/solver/certificate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sturm/core/parallel.h"
#include "sturm/linalg/voxels.h"
#include "sturm/tensor/algebra.h"

namespace sturm {

double Certificate::gap() const {
  const double base = std::max(primal, 1e-12 * at_zero);
  return base > 0 ? (primal - dual) / base : 0;
}

double best_dual(double a, double b, double most) {
  if (!(b > 0)) return 0;
  const double s = std::min(std::max(a / b, 0.0), most);
  return s * a - s * s * b / 2;
}

namespace {

/// Double problems may ask for gaps of 1e-10: LAPACK's SVD. For float ones Gram matrices in double do.
template <class Real>
constexpr Proof proof = sizeof(Real) == 8 ? Proof::exact : Proof::gram;

/// The terms' parts of G2 in double.
class Split {
 public:
  template <class Real>
  Split(const Penalty& penalty, const BasicTensor<Real>& all) : penalty_(penalty), all_(cast<double>(all)) {
    require_same_shape(all.shape(), split_shape(penalty));
  }

  double sum(Index v) const {
    double out = all_.data()[v];
    for (int k = 1; k < penalty_.terms(); ++k) out += all_.data()[k * size() + v];
    return out;
  }
  /// Every part takes an equal share of the change.
  void set_sum(Index v, double total) {
    const int count = penalty_.terms();
    if (count == 1) all_.data()[v] = total;
    const double change = count == 1 ? 0 : (total - sum(v)) / count;
    for (int k = 0; k < count && count > 1; ++k) all_.data()[k * size() + v] += change;
  }
  /// The largest dual norm of a part.
  double dual_norm(Proof how) const {
    double most = 0;
    for (int k = 0; k < penalty_.terms(); ++k) {
      const Tensor part(BasicTensorView<const double>(all_.data() + k * size(), penalty_.shape()));
      most = std::max(most, penalty_.dual_norm(k, part, how));
    }
    return most;
  }

 private:
  Index size() const { return penalty_.shape().size(); }

  const Penalty& penalty_;
  Tensor all_;
};

}  // namespace

template <class Real>
std::vector<double> exact_product(const Design<Real>& x, const View<Real>& view, const BasicTensor<Real>& w) {
  constexpr Index block = 4096;
  const Index m = x.samples(), blocks = (x.voxels() + block - 1) / block;
  std::vector<double> partial(blocks * m), out(m);
  const linalg::VoxelKernel<Real>& kernel = linalg::voxel_kernel<Real>();
  parallel_for(
      blocks,
      [&](Index b, int) {
        for (Index v = b * block; v < std::min(x.voxels(), (b + 1) * block); ++v) {
          const double weight = static_cast<double>(w.data()[v]) * (view.scale.empty() ? 1.0 : view.scale[v]);
          if (weight == 0) continue;
          kernel.add(x.column(v), weight, partial.data() + b * m, m);
        }
      },
      static_cast<double>(x.voxels() * m) / 4);
  for (Index b = 0; b < blocks; ++b)
    for (Index i = 0; i < m; ++i) out[i] += partial[b * m + i];
  return view.rows.apply(out);
}

template <class Real>
Tensor exact_adjoint(const Design<Real>& x, const View<Real>& view, std::span<const double> theta) {
  const std::vector<double> u = view.rows.adjoint(theta);
  Tensor out(x.shape());
  const linalg::VoxelKernel<Real>& kernel = linalg::voxel_kernel<Real>();
  constexpr Index block = 4096;
  parallel_for((x.voxels() + block - 1) / block,
               [&](Index b, int) {
                 for (Index v = b * block; v < std::min(x.voxels(), (b + 1) * block); ++v) {
                   const double sum = kernel.dot(x.column(v), u.data(), x.samples());
                   out.data()[v] = sum * (view.scale.empty() ? 1.0 : static_cast<double>(view.scale[v]));
                 }
               },
               static_cast<double>(x.voxels() * x.samples()) / 4);
  return out;
}

template <class Real>
Certificate certify(const Design<Real>& x, const Problem<Real>& problem, const BasicTensor<Real>& w,
                    std::span<const double> theta, const BasicTensor<Real>& split) {
  const View<Real>& view = *problem.view;
  const auto& y = problem.y;
  const auto inside = [&view](Index v) { return view.mask.empty() || view.mask[v]; };
  const Tensor coefficients = cast<double>(w);
  double residual = 0;
  const std::vector<double> xw = exact_product(x, view, w);
  for (std::size_t m = 0; m < y.size(); ++m) residual += (y[m] - xw[m]) * (y[m] - xw[m]);
  Certificate out;
  out.at_zero = std::inner_product(y.begin(), y.end(), y.begin(), 0.0) / 2;
  out.primal = residual / 2 + problem.gamma * l1_norm(coefficients);
  const PenaltyPointer penalty = penalty_of(problem, x.shape());
  if (problem.tau > 0 && max_abs(coefficients) > 0)
    out.primal += problem.tau * penalty->value(coefficients, proof<Real>);
  for (Index v = 0; v < x.voxels(); ++v)
    if (!inside(v) && coefficients.data()[v] != 0) out.primal = std::numeric_limits<double>::infinity();

  // The split must add up to X~'theta inside the mask; G1 takes what G2 leaves.
  const Tensor z = exact_adjoint(x, view, theta);
  Split g2(*penalty, problem.tau > 0 ? split : BasicTensor<Real>(split_shape(*penalty)));
  if (problem.gamma == 0)
    for (Index v = 0; v < x.voxels(); ++v)
      if (inside(v)) g2.set_sum(v, z.data()[v]);
  double beyond = 1;
  if (problem.gamma > 0)
    for (Index v = 0; v < x.voxels(); ++v)
      if (inside(v)) beyond = std::max(beyond, std::abs(z.data()[v] - g2.sum(v)) / problem.gamma);
  double excess = problem.tau > 0 ? std::max(beyond, g2.dual_norm(proof<Real>) / problem.tau) : beyond;
  if (problem.tau > 0 && beyond > 1) {
    // The split in its own precision may miss the l1 ball by rounding: the same with G1 clipped into it.
    for (Index v = 0; v < x.voxels(); ++v)
      if (inside(v)) g2.set_sum(v, z.data()[v] - std::clamp(z.data()[v] - g2.sum(v), -problem.gamma, problem.gamma));
    excess = std::min(excess, std::max(1.0, g2.dual_norm(proof<Real>) / problem.tau));
  }
  const double a = std::inner_product(y.begin(), y.end(), theta.begin(), 0.0);
  const double b = std::inner_product(theta.begin(), theta.end(), theta.begin(), 0.0);
  const bool free =
      problem.tau == 0 && problem.gamma == 0 && max_abs(z) > 0;  // then only theta with X~'theta = 0 is feasible
  out.dual = free ? 0 : best_dual(a, b, 1 / excess);
  return out;
}

#define STURM_INSTANTIATE(Real)                                                                                 \
  template std::vector<double> exact_product(const Design<Real>&, const View<Real>&, const BasicTensor<Real>&); \
  template Tensor exact_adjoint(const Design<Real>&, const View<Real>&, std::span<const double>);               \
  template Certificate certify(const Design<Real>&, const Problem<Real>&, const BasicTensor<Real>&,             \
                               std::span<const double>, const BasicTensor<Real>&);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
