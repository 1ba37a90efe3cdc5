// SPDX-License-Identifier: BSD-3-Clause
// Mode-n unfoldings: the tensor as a matrix whose rows are indexed by mode n.
#pragma once

#include "sturm/core/tensor.h"

namespace sturm {

/// A_(n), n = 1, 2, 3: I_n rows, the other modes along the columns in increasing order, the earlier one faster (the
/// convention of Kolda and Bader). The matrix is held as a tensor with n3 = 1.
template <class Real>
BasicTensor<Real> unfold(const BasicTensor<Real>& a, int mode);

/// The inverse of unfold() for a tensor of the given shape.
template <class Real>
BasicTensor<Real> fold(const BasicTensor<Real>& matrix, int mode, const Shape& shape);

/// Nuclear norm of A_(mode).
double unfolded_nuclear_norm(const Tensor& a, int mode);

/// argmin_Z  mu |Z_(mode)|_* + 1/2 |Z - Y|^2.
template <class Real>
BasicTensor<Real> prox_unfolded_nuclear(const BasicTensor<Real>& y, int mode, double mu);

}  // namespace sturm
