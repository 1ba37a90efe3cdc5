// SPDX-License-Identifier: BSD-3-Clause
// `sturm` behind the interface of all methods.
#pragma once

#include "sturm/models/method.h"

namespace sturm {

/// Parameters: tau and gamma, absolute.
template <class Real>
std::unique_ptr<Method<Real>> make_sturm();

}  // namespace sturm
