// SPDX-License-Identifier: BSD-3-Clause
// Lasso and elastic net as methods:
//     min_w,b  (alpha/2) sum_m s_m (y_m - b - <X_m, w>)^2 + (l2/2) |w|^2 + gamma |w|_1,     w = 0 outside the mask
// (the elastic net as SLEP has it). Tasks of the same samples and labels are solved as one path.
#pragma once

#include "sturm/models/method.h"

namespace sturm {

template <class Real>
std::unique_ptr<Method<Real>> make_lasso();  ///< `lasso`: gamma
template <class Real>
std::unique_ptr<Method<Real>> make_enet();  ///< `enet`: gamma, l2

}  // namespace sturm
