// SPDX-License-Identifier: BSD-3-Clause
// The forward pattern of a linear model: how each voxel changes with what the model says.
#pragma once

#include <span>

#include "sturm/models/linear/linear_model.h"

namespace sturm {

/// a = Cov(x, d) / Var(d) = Cov(X) w / Var(d) of the decision values d = <w, x> + b over the samples of positive weight
/// (empty: all 1), weighted as in training (Haufe et al. 2014). x are the volumes that the coefficients multiply: raw,
/// or of mean 0 and norm 1 where samples are normalised one by one. Of the voxels of the design that the model looks
/// at; 0 elsewhere, and everywhere where d is constant.
template <class Real>
Tensor forward_pattern(const LinearModel& model, const Design<Real>& x, std::span<const double> weights);

}  // namespace sturm
