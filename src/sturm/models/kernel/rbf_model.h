// SPDX-License-Identifier: BSD-3-Clause
// A model of the Gaussian kernel: its support vectors are volumes.
#pragma once

#include <vector>

#include "sturm/core/design.h"
#include "sturm/models/voxel_space.h"

namespace sturm {

/// f(x) = intercept + sum_k coef_k exp(-|z - z_k|^2 / (2 sigma^2)), with z and z_k as `space` sees raw volumes.
template <class Real>
struct RbfModel {
  Design<Real> volumes;      ///< holds the support vectors among others; not a copy
  std::vector<Index> rows;   ///< of the support vectors in it
  std::vector<double> coef;  ///< one per support vector
  double sigma = 1, intercept = 0;
  VoxelSpace space;
};

/// exp(-d / (2 sigma^2)) of a squared distance d.
double gauss(double squared_distance, double sigma);

/// Throws where the volumes are not of the model's shape.
template <class Real>
std::vector<double> decision_values(const RbfModel<Real>& model, const Design<Real>& x);

/// The same model with its support vectors alone, in another precision.
template <class To, class From>
RbfModel<To> support_alone(const RbfModel<From>& model);

}  // namespace sturm
