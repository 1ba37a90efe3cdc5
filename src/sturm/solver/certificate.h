// SPDX-License-Identifier: BSD-3-Clause
// The proof: primal and dual value of a solution, recomputed in double precision from W, theta and the split alone.
#pragma once

#include "sturm/solver/problem.h"

namespace sturm {

struct Certificate {
  double primal = 0, dual = 0;
  double at_zero = 0;  ///< objective at W = 0
  /// (primal - dual) / primal. Where the data are interpolated without penalty the primal value is rounding alone, and
  /// 1e-12 of the objective at W = 0 takes its place. Infinite where anything was not a number.
  double gap() const;
};

/// The dual point of a certificate, scaled into the feasible set, and the split that shows it to be there: what
/// somebody else needs to find the dual value again.
struct FeasiblePoint {
  std::vector<double> theta;
  std::vector<Tensor> split;  ///< one part for each term, in its layout; none where tau is 0
};

/// Primal: L(X~ w) + tau |W| + gamma |W|_1 with L the loss (infinite where W is not 0 outside the mask).
/// Dual: X~'theta = G1 + sum_k G2_k with G2 the split; all are scaled by s until |G1| <= gamma inside the mask and
/// |G2_k|_k' <= tau, the dual norms of the penalty's terms (spec(G2) <= tau for the tubal nuclear norm; the same is
/// tried with G1 clipped to gamma and G2 taking the rest, and, where the split misses the balls of tau by far, as it
/// does where tau is below the rounding of the solver, with G2 shrunk into them and G1 taking the rest), and s theta
/// with the best feasible s gives -f(s theta), f the conjugate of the loss: s y'theta - s^2 |theta|^2 / 2 for the
/// square loss. Nothing that the solver computed is used but W, theta and the split: everything is computed again in
/// double (singular values of double problems by LAPACK, of float ones through Gram matrices in double, with what those
/// may miss added to the primal value). `point`, which is of the square loss alone, takes what the dual value was found
/// with.
template <class Real>
Certificate certify(const Design<Real>& x, const Problem<Real>& problem, const BasicTensor<Real>& w,
                    std::span<const double> theta, const Copies<Real>& split, FeasiblePoint* point = nullptr);

/// X~ w and X~'theta in double, on the host.
template <class Real>
std::vector<double> exact_product(const Design<Real>& x, const View<Real>& view, const BasicTensor<Real>& w);
template <class Real>
Tensor exact_adjoint(const Design<Real>& x, const View<Real>& view, std::span<const double> theta);

}  // namespace sturm
