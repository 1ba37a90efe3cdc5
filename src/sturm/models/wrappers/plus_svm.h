// SPDX-License-Identifier: BSD-3-Clause
// "X + SVM": a method chooses the voxels, a linear support vector machine is learnt on them.
#pragma once

#include <vector>

#include "sturm/models/method.h"

namespace sturm {

/// Parameters: those of `selector`, then eta and C. Of the n voxels whose coefficient is not 0, the ceil(eta n / 100)
/// largest in absolute value are kept, among equals the first ones. Where all are 0, the selector's own model is what
/// is found. Tasks that differ in eta and C alone share one fit of the selector.
template <class Real>
std::unique_ptr<Method<Real>> make_plus_svm(std::unique_ptr<Method<Real>> selector);

}  // namespace sturm
