// SPDX-License-Identifier: BSD-3-Clause
// The elastic net with a wide support: its dual is smooth where l2 > 0, in as many unknowns as there are samples.
//     min_theta  F = |theta|^2 / 2 - y'theta + (l2/2) |w|^2,    w = soft(X~'theta, gamma) / l2
// F' = theta - y + X~ w, and w and theta are apart by a gap of |F'|^2 / 2: Newton's method on F' = 0.
#pragma once

#include "sturm/solver/lasso_problem.h"
#include "sturm/solver/newton.h"

namespace sturm {

/// Every gamma from its theta, side by side in each pass over X; `view` has rows, scale and Gram matrix. The solutions
/// lack their proof.
template <class Real>
std::vector<LassoSolution> enet_newton(DeviceDesign<Real>& x, const View<Real>& view, std::span<const double> y,
                                       double l2, std::span<const double> gammas,
                                       std::span<const std::vector<double>> thetas, double gap);

}  // namespace sturm
