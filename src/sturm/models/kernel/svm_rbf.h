// SPDX-License-Identifier: BSD-3-Clause
// `svm-rbf`: the support vector machine of the Gaussian kernel,
//     k(x, z) = exp(-|x - z|^2 / (2 sigma^2)),    sigma = width times the median distance of the training samples.
#pragma once

#include "sturm/models/method.h"

namespace sturm {

/// Parameters: C and width.
template <class Real>
std::unique_ptr<Method<Real>> make_svm_rbf();

}  // namespace sturm
