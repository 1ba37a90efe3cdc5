// SPDX-License-Identifier: BSD-3-Clause
// Numbers that the linear methods are set by.
#pragma once

#include <vector>

#include "sturm/core/shape.h"

namespace sturm {

/// The weight of the square loss: alpha, or that of Sturm's paper where it is 0. Throws where it is no weight.
double loss_weight(double alpha, const Shape& shape);

/// The values that the paper's grids are made of: 1e-3, 5e-3, ..., 5e2, 1e3.
std::vector<double> paper_values();

}  // namespace sturm
