// SPDX-License-Identifier: BSD-3-Clause
// Where a path begins: the penalties at which W stops being zero.
#pragma once

#include "sturm/linalg/backend.h"
#include "sturm/solver/problem.h"

namespace sturm {

/// W = 0 is optimal at (tau, gamma) exactly when V = X~'theta, theta the dual point of W = 0 (y~ for the square loss),
/// splits into G1 + sum_k G2_k with |G1| <= gamma and the dual
/// norms |G2_k|_k' <= tau (one term, spec(G2) <= tau, for the tubal nuclear norm).
/// Along the ray c (balance tau_1, (1 - balance) gamma_1) that begins to hold at some c, proven to lie in [low, high].
struct ZeroPoint {
  double tau_alone = 0;    ///< tau_1: the zero point with gamma = 0. An upper bound, which `high` corrects, with a mask
                           ///< (G2 is free outside) and with several terms (1 / sum_k 1 / |V|_k': V in proportion)
  double gamma_alone = 0;  ///< gamma_1: the zero point with tau = 0
  double low = 0, high = 0;

  double scale() const { return high; }  ///< W = 0 is certain here
};

/// `accuracy` bounds (high - low) / high, unless 500 iterations do not suffice; the bracket is true in any case. The
/// gauge min {c: V = G1 + G2, |G1| <= c gamma, spec(G2) <= c tau} is found by the solver's own iteration for a single
/// sample (ADMM on min gamma |W|_1 + tau sum_k |B_k|_k, <V, W> = 1, W = B_k): any split bounds it from above, any W
/// from below. It takes no product with X but V. Null: the tubal nuclear norm, and the square loss.
template <class Real>
ZeroPoint zero_point(const Design<Real>& x, const View<Real>& view, std::span<const double> y, double balance,
                     linalg::Backend& backend, double accuracy = 1e-3, const PenaltyPointer& penalty = nullptr,
                     const LossPointer& loss = nullptr);

}  // namespace sturm
