// SPDX-License-Identifier: BSD-3-Clause
// The batched, certified solver: many problems over one design matrix, each to its own proven gap.
//
// ADMM with two blocks, W = B. The loss and the l1 norm stay together, the low-rank penalty is alone:
//     W = argmin 1/2 |y - Xw|^2 + gamma |w|_1 + rho/2 |w - B + Q|^2      (semismooth Newton in theta, M unknowns)
//     B = prox_{tau/rho}(Wh + Q),   Q += Wh - B,    Wh = nu W + (1 - nu) B
// W is exactly sparse, theta ~ y - XW, and rho Q lies in the dual ball of tau, so that theta with the split
// G2 = rho Q, refined once, gives the dual value. See docs/decisions/004-solver.md.
// A penalty of K terms has K copies in the second block, B_k = prox_{K tau/rho |.|_k}(Wh_k + Q_k). Since
//     sum_k rho/(2K) |w - B_k + Q_k|^2 = rho/2 |w - B + Q|^2 + const,    B = mean B_k,  Q = mean Q_k,
// the W-step and all that is said of rho Q = sum_k (rho/K) Q_k, the sum of the terms' splits, stays as it is.
#pragma once

#include <functional>

#include "sturm/linalg/backend.h"
#include "sturm/solver/problem.h"
#include "sturm/solver/progress.h"

namespace sturm {

/// Where the time of a solve went, in seconds of all its lanes, and what it held at most.
struct SolveStats {
  double prox = 0, products = 0, elementwise = 0, newton = 0, certificate = 0, total = 0;
  double product_flops = 0;
  Index slots = 0;  ///< problems under way at once

  SolveStats& operator+=(const SolveStats& other);  ///< but for the slots
};

template <class Real>
struct BatchOptions {
  linalg::Backend& backend;
  SolverOptions solver{};
  Index memory = 0;  ///< bytes for the batch beside X; 0: room for every problem
  ProgressCallback progress{};
  /// Takes each solution as soon as it is found, in any order and on any thread, several at a time; then none are kept,
  /// so that a grid needs no more memory than the problems under way.
  std::function<void(Index problem, Solution<Real> solution)> take{};
};

/// Bytes that one problem under way takes.
template <class Real>
Index bytes_per_problem(const Penalty& penalty, Index samples);

/// Solves every problem; solutions in the order of the problems (none where `take` has them). The bits of a solution
/// depend on its problem and those it comes `after`: not on the batch, the memory or the threads. Refuses with the
/// bytes needed where not even one problem fits.
template <class Real>
std::vector<Solution<Real>> solve_batch(const Design<Real>& x, std::span<const Problem<Real>> problems,
                                        const BatchOptions<Real>& options, SolveStats* stats = nullptr);

}  // namespace sturm
