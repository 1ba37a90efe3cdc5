// SPDX-License-Identifier: BSD-3-Clause
// What can be said without looking at the volumes: the mean label of the training samples. Its sign is the majority
// class; a tie gives 0, which `predict` reads as the positive class.
#pragma once

#include "sturm/models/method.h"

namespace sturm {

template <class Real>
std::unique_ptr<Method<Real>> make_dummy();  ///< `dummy`: no parameters

}  // namespace sturm
