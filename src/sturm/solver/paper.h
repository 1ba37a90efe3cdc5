// SPDX-License-Identifier: BSD-3-Clause
// Algorithm 2 of the paper, for replication: rho fixed, a fixed number of iterations from zero, no stopping rule.
//     A = (X~'X~ + rho I)^-1 (X~'y + rho (W - P));   B = prox_{tau/rho tnn}(W - Q);
//     W = soft((A + P + B + Q)/2, gamma/(2 rho));    P += A - W;   Q += B - W
// A penalty of K terms has K copies, B_k = prox_{tau/rho |.|_k}(W - Q_k), and W = soft(mean of the K + 1 terms A + P
// and B_k + Q_k, gamma/((K + 1) rho)): with the overlapped nuclear norm this is the algorithm of Remurs.
#pragma once

#include "sturm/solver/batch.h"

namespace sturm {

/// All variables after some iterations; P and Q are the scaled duals. a, w and p have one number per voxel of the
/// region, b and q one copy for each term of the penalty.
template <class Real>
struct PaperState {
  BasicTensor<Real> a;
  Copies<Real> b;
  BasicTensor<Real> w, p;
  Copies<Real> q;
  std::vector<double> theta;  ///< of the last A-step: A = W - P + X~'theta / rho
  Index rank = 0;             ///< the largest that the prox left of a term's B
};

template <class Real>
PaperState<Real> run_paper(const Design<Real>& x, const Problem<Real>& problem, double rho, int iterations,
                           linalg::Backend& backend,
                           const std::function<void(int iteration, const PaperState<Real>&)>& watch = {});

/// The same as a solution with its certificate, so that its worth is seen: status is converged only where the gap is
/// below the one asked for. options.solver has rho and iterations (0: 500).
template <class Real>
Solution<Real> solve_paper(const Design<Real>& x, const Problem<Real>& problem, const BatchOptions<Real>& options);

}  // namespace sturm
