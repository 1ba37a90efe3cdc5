// SPDX-License-Identifier: BSD-3-Clause
// The numbers that the solvers are tuned by, each with its reason. docs/decisions/004-solver.md has what was tried.
#pragma once

#include "sturm/core/shape.h"

namespace sturm {

/// Iterations, or passes over X, after which a problem is given up and says so: hard ones take some hundreds.
inline constexpr int iteration_limit = 20000;
/// Those of the paper's algorithm, which stops nowhere else.
inline constexpr int paper_iterations = 500;

/// What is left between the gap that a solver aims at and the gap that is asked for, for the proof in double.
template <class Real>
inline constexpr double aim = sizeof(Real) == 4 ? 0.97 : 0.999;
/// Each time a proof falls short the solver aims at so much less: rounding hid what is missing.
inline constexpr double aim_again = 0.7;

/// Rounding of one operation.
template <class Real>
inline constexpr double rounding = sizeof(Real) == 4 ? 1.2e-7 : 2.2e-16;

namespace newton {
/// Steps of one W-step; a rho that needs more is too small, and is raised.
inline constexpr int step_limit = 20;
/// Armijo's condition: a step must lower the merit function by this part of its slope, but for `slack` of the size of
/// its terms, which is their rounding.
inline constexpr double armijo = 1e-4;
template <class Real>
inline constexpr double slack = sizeof(Real) == 4 ? 1e-6 : 1e-13;
inline constexpr double shortest_step = 1e-4;
/// Residuals below this part of y are the rounding of X w.
template <class Real>
inline constexpr double floor = sizeof(Real) == 4 ? 1e-6 : 1e-15;
/// A ridge on a matrix that has lost definiteness to rounding grows so often, ten times each.
inline constexpr int ridge_attempts = 8;
}  // namespace newton

namespace admm {
/// Copies in one call of the prox: enough to fill the lanes of a processor many times over.
inline constexpr int copies_at_once = 32;
/// The prox may be wrong by this part of the gap.
inline constexpr double prox_accuracy = 1.0 / 20;
/// Residuals are balanced with this factor, which leaves a little more weight on the primal one, and not at all where
/// rho would change by less.
inline constexpr double balance = 1.2;
/// The most that one balancing changes rho.
inline constexpr double most_balance = 10;
/// Where W-steps do not converge rho grows by this.
inline constexpr double harder = 5;
/// The gap must fall below this part of itself in twenty iterations; where it creeps, other rho are tried in turn.
inline constexpr double creeping = 0.6;
inline constexpr double trial_factors[] = {8, 1.0 / 8, 64, 1.0 / 64};
/// A tau this far below gamma is left out of the iteration, not of the proof: tau |W| <= tau |W|_1 is at most this part
/// of the objective, and of the gap that is asked for, and its steps would be below the rounding of W.
inline constexpr double negligible = 1e-7, negligible_part_of_gap = 1e-2;
/// A polished point is worth its price where the gap is within this factor of the aim.
inline constexpr double polish_within = 3;
}  // namespace admm

/// Lanes of a batch: lists of problems, each on a thread of its own for as long as there are threads.
namespace lane {
/// Where X does not fit the last-level cache all problems share each pass over it, and all threads each loop.
inline constexpr Index most_bytes = Index{64} << 20;
}  // namespace lane

}  // namespace sturm
