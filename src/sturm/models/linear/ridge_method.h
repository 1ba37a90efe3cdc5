// SPDX-License-Identifier: BSD-3-Clause
// Ridge regression as a method:
//     min_w,b  (alpha/2) sum_m s_m (y_m - b - <X_m, w>)^2 + (l2/2) |w|^2,     w = 0 outside the mask
// w = X~'(X~X~' + l2/alpha)^-1 y~: one eigendecomposition of an M x M matrix serves every l2 and every y of a fold.
#pragma once

#include "sturm/models/method.h"

namespace sturm {

template <class Real>
std::unique_ptr<Method<Real>> make_ridge();  ///< `ridge`: l2

}  // namespace sturm
