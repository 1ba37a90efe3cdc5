// SPDX-License-Identifier: BSD-3-Clause
// SURF: sparse terms of rank 1, one after the other, by small steps (solver/stagewise.h).
#pragma once

#include <memory>

#include "sturm/models/method.h"

namespace sturm {

/// Parameters rank (terms at most), epsilon (length of a step) and lambda (where on its path of penalties a term
/// ends, relative to where the path begins; 0: at its end). Both are in units of the data, see solver/stagewise.h.
template <class Real>
std::unique_ptr<Method<Real>> make_surf();

}  // namespace sturm
