// SPDX-License-Identifier: BSD-3-Clause
// The problem without penalties.
#pragma once

#include "sturm/solver/problem.h"

namespace sturm {

/// W = X~'(X~X~')^+ y~, the least squares solution of least norm. Its dual point is the residual, which is orthogonal
/// to every voxel up to rounding: the gap is measured against the exact residual in the eigenbasis.
template <class Real>
Solution<Real> least_squares(const Design<Real>& x, const Problem<Real>& problem, double gap);

}  // namespace sturm
