// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/solver/certificate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "sturm/core/larger.h"
#include "sturm/linalg/host.h"
#include "sturm/tensor/algebra.h"

namespace sturm {

double Certificate::gap() const {
  const double base = std::max(primal, 1e-12 * at_zero), out = base > 0 ? (primal - dual) / base : 0;
  return std::isfinite(out) && std::isfinite(primal) ? out : std::numeric_limits<double>::infinity();
}

namespace {

/// Double problems may ask for gaps of 1e-10: LAPACK's SVD. For float ones Gram matrices in double do.
template <class Real>
constexpr Proof proof = sizeof(Real) == 8 ? Proof::exact : Proof::gram;

/// A split is shrunk into the balls of tau where as it is it would cost a tenth of theta or more: not for rounding.
constexpr double by_far = 1.1;

template <class Numbers>
bool finite(const Numbers& numbers) {
  return std::ranges::all_of(numbers, [](auto v) { return std::isfinite(v); });
}

/// The terms' parts of G2 in double.
class Split {
 public:
  template <class Real>
  Split(const Penalty& penalty, const Copies<Real>& parts) : penalty_(penalty) {
    if (static_cast<int>(parts.size()) != penalty.terms()) throw Error("a split has one part for each term");
    for (int k = 0; k < penalty.terms(); ++k) {
      require_same_shape(parts[k].shape(), penalty.layout(k).shape);
      parts_.push_back(cast<double>(parts[k]));
    }
  }

  double sum(Index column) const {
    double out = 0;
    for (int k = 0; k < penalty_.terms(); ++k) out += parts_[k].data()[penalty_.layout(k).positions[column]];
    return out;
  }
  /// Every part takes an equal share of the change.
  void set_sum(Index column, double total) {
    const int count = penalty_.terms();
    const double change = count == 1 ? 0 : (total - sum(column)) / count;
    for (int k = 0; k < count; ++k) {
      double& at = parts_[k].data()[penalty_.layout(k).positions[column]];
      at = count == 1 ? total : at + change;
    }
  }
  const Tensor& part(int term) const { return parts_[term]; }
  void scale(int term, double by) {
    for (double& v : parts_[term].flat()) v *= by;
  }
  std::vector<Tensor> scaled(double by) const {
    std::vector<Tensor> out = parts_;
    for (Tensor& part : out)
      for (double& v : part.flat()) v *= by;
    return out;
  }

 private:
  const Penalty& penalty_;
  std::vector<Tensor> parts_;
};

/// By what theta must be divided so that G1, which is what G2 leaves of z, is in its ball; at least 1.
template <class Real>
double beyond_gamma(const View<Real>& view, const Tensor& z, const Split& g2, double gamma) {
  double out = 1;
  for (Index v = 0; v < z.shape().size(); ++v)
    if (view.mask.empty() || view.mask[v]) out = larger(out, std::abs(z.data()[v] - g2.sum(v)) / gamma);
  return out;
}

}  // namespace

template <class Real>
std::vector<double> exact_product(const Design<Real>& x, const View<Real>& view, const BasicTensor<Real>& w) {
  std::vector<double> weights(x.voxels());
  for (Index v = 0; v < x.voxels(); ++v)
    weights[v] = static_cast<double>(w.data()[v]) * (view.scale.empty() ? 1.0 : static_cast<double>(view.scale[v]));
  return view.rows.apply(linalg::host::product(x.samples(), x.x().data(), weights));
}

template <class Real>
Tensor exact_adjoint(const Design<Real>& x, const View<Real>& view, std::span<const double> theta) {
  Tensor out(x.region().column_shape());
  linalg::host::adjoint(x.samples(), x.x().data(), view.rows.adjoint(theta), out.flat());
  for (std::size_t v = 0; v < view.scale.size(); ++v) out.data()[v] *= static_cast<double>(view.scale[v]);
  return out;
}

template <class Real>
Certificate certify(const Design<Real>& x, const Problem<Real>& problem, const BasicTensor<Real>& w,
                    std::span<const double> theta, const Copies<Real>& split, FeasiblePoint* point) {
  const View<Real>& view = *problem.view;
  const Loss& loss = loss_of(problem);
  const Labels labels = labels_of(problem);
  const auto inside = [&view](Index v) { return view.mask.empty() || view.mask[v]; };
  const Tensor coefficients = cast<double>(w);
  const std::vector<double> xw = exact_product(x, view, w);
  const Tensor z = exact_adjoint(x, view, theta);
  const double misfit = loss.value(labels, xw);
  Certificate out;
  out.at_zero = loss.value(labels, std::vector<double>(xw.size()));
  // What is not a number proves nothing. Outside the mask X may hold what it likes: X~ is 0 there.
  bool numbers = finite(w.flat()) && finite(theta) && finite(xw) && std::isfinite(misfit);
  for (const auto& part : split) numbers = numbers && (problem.tau == 0 || finite(part.flat()));
  for (Index v = 0; v < x.voxels(); ++v) numbers = numbers && (!inside(v) || std::isfinite(z.data()[v]));
  if (!numbers) {
    out.primal = out.dual = std::numeric_limits<double>::quiet_NaN();
    return out;
  }
  out.primal = misfit + problem.gamma * l1_norm(coefficients);
  for (Index v = 0; v < x.voxels(); ++v)
    if (!inside(v) && coefficients.data()[v] != 0) out.primal = std::numeric_limits<double>::infinity();

  // The split must add up to X~'theta inside the mask; G1 takes what G2 leaves.
  const PenaltyPointer penalty = penalty_of(problem, x.region());
  Split g2(*penalty, problem.tau > 0 ? split : empty_copies<Real>(*penalty));
  if (problem.gamma == 0)
    for (Index v = 0; v < x.voxels(); ++v)
      if (inside(v)) g2.set_sum(v, z.data()[v]);
  const double beyond = problem.gamma > 0 ? beyond_gamma(view, z, g2, problem.gamma) : 1;
  double excess = beyond;
  const Split* best = &g2;
  std::optional<Split> clipped, shrunk;
  if (problem.tau > 0) {
    // The split in its own precision may miss the l1 ball by rounding: the same with G1 clipped into it.
    if (!(beyond <= 1)) {
      clipped.emplace(g2);
      for (Index v = 0; v < x.voxels(); ++v)
        if (inside(v))
          clipped->set_sum(v, z.data()[v] - std::clamp(z.data()[v] - g2.sum(v), -problem.gamma, problem.gamma));
    }
    double spectral = 0, after = 0;
    std::vector<double> duals;
    for (int k = 0; k < penalty->terms(); ++k) {
      std::vector<Tensor> copies{penalty->placed<double>(k, coefficients.flat()), g2.part(k)};
      if (clipped) copies.push_back(clipped->part(k));
      const std::vector<TermResult> found = penalty->proven(k, copies, proof<Real>);
      out.primal += problem.tau * found[0].value;
      duals.push_back(found[1].dual);
      spectral = larger(spectral, found[1].dual);
      after = larger(after, found.back().dual);
    }
    excess = larger(beyond, spectral / problem.tau);
    const auto offer = [&](double other, const Split& candidate) {
      if (!(other < excess)) return;
      excess = other;
      best = &candidate;
    };
    if (clipped) offer(larger(1.0, after / problem.tau), *clipped);
    if (excess > by_far && problem.gamma > 0) {
      shrunk.emplace(g2);
      for (int k = 0; k < penalty->terms(); ++k)
        if (duals[k] > problem.tau) shrunk->scale(k, problem.tau / duals[k]);
      offer(beyond_gamma(view, z, *shrunk, problem.gamma), *shrunk);
    }
  }
  // An excess without bound leaves theta = 0.
  const double dual = std::isnan(excess) ? excess : loss.best_dual(labels, theta, 1 / excess);
  const bool free =
      problem.tau == 0 && problem.gamma == 0 && max_abs(z) > 0;  // then only theta with X~'theta = 0 is feasible
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  out.dual = !std::isfinite(dual) ? nothing : free ? 0 : dual;
  if (point != nullptr) {
    require_square_loss(problem, "a dual point for a file");
    const double square = std::inner_product(theta.begin(), theta.end(), theta.begin(), 0.0);
    const double along = std::inner_product(problem.y.begin(), problem.y.end(), theta.begin(), 0.0);
    const double s = square > 0 && !free ? std::clamp(along / square, 0.0, 1 / excess) : 0;
    point->theta.assign(theta.begin(), theta.end());
    for (double& v : point->theta) v *= s;
    point->split = problem.tau > 0 ? best->scaled(s) : std::vector<Tensor>();
  }
  return out;
}

#define STURM_INSTANTIATE(Real)                                                                                 \
  template std::vector<double> exact_product(const Design<Real>&, const View<Real>&, const BasicTensor<Real>&); \
  template Tensor exact_adjoint(const Design<Real>&, const View<Real>&, std::span<const double>);               \
  template Certificate certify(const Design<Real>&, const Problem<Real>&, const BasicTensor<Real>&,             \
                               std::span<const double>, const Copies<Real>&, FeasiblePoint*);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
