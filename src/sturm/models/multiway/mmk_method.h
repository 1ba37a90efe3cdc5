// SPDX-License-Identifier: BSD-3-Clause
// MMK and DuSK: CP decompositions of the volumes, the structure-preserving kernel on them, a support vector machine.
#pragma once

#include <memory>

#include "sturm/models/method.h"

namespace sturm {

/// Kernelised CP, X ~ [[K1 A1, K2 A2, K3 A3]], with K_n the RBF kernel between positions of mode n: width 2 voxels, and
/// without what it passes at less than 1/20. So the vectors that are compared are smooth ones. Parameters rank, sigma,
/// C.
template <class Real>
std::unique_ptr<Method<Real>> make_mmk();

/// The same with K_n = I.
template <class Real>
std::unique_ptr<Method<Real>> make_dusk();

}  // namespace sturm
