// SPDX-License-Identifier: BSD-3-Clause
// `svm-rbf`: the support vector machine of the Gaussian kernel,
//     k(x, z) = exp(-|x - z|^2 / (2 sigma^2)),    sigma = width times the median distance of the training samples.
#pragma once

#include "sturm/models/kernel/kernel_samples.h"

namespace sturm {

/// f(x) = intercept + sum_k coef_k exp(-|z - z_k|^2 / (2 sigma^2)), with z and z_k as `space` sees raw volumes.
template <class Real>
struct RbfModel {
  Design<Real> volumes;      ///< holds the support vectors among others; not a copy
  std::vector<Index> rows;   ///< of the support vectors in it
  std::vector<double> coef;  ///< one a support vector
  double sigma = 1, intercept = 0;
  VoxelSpace space;
};

template <class Real>
std::vector<double> decision_values(const RbfModel<Real>& model, const Design<Real>& x);

/// Parameters: C and width.
template <class Real>
std::unique_ptr<Method<Real>> make_svm_rbf();

}  // namespace sturm
