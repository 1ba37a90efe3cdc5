// SPDX-License-Identifier: BSD-3-Clause
// A coefficient map and an intercept, on raw volumes: what every linear method ends in, and a model file holds.
#pragma once

#include <cstdint>
#include <vector>

#include "sturm/core/design.h"
#include "sturm/core/tensor.h"
#include "sturm/models/normalize.h"

namespace sturm {

/// predicted = intercept + <coef, volume>, on raw volumes: every normalisation of the training rows is folded in,
/// but for `sample`, which is done to each volume before the product. Voxels outside the mask are never looked at.
struct LinearModel {
  Tensor coef{Shape{}};
  double intercept = 0;
  Normalize normalize = Normalize::none;
  std::vector<std::uint8_t> mask;  ///< empty: every voxel; `sample` takes its mean and norm over it
};

/// intercept + <coef, X_m> for every sample, in double.
template <class Real>
std::vector<double> decision_values(const LinearModel& model, const Design<Real>& x);

}  // namespace sturm
