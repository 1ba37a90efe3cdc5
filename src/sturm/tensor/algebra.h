// SPDX-License-Identifier: BSD-3-Clause
// Entrywise algebra of tensors, the norms that need no transform, and the prox of the l1 norm. Sums run in double.
#pragma once

#include "sturm/core/tensor.h"

namespace sturm {

template <class Real>
BasicTensor<Real> operator+(const BasicTensor<Real>& a, const BasicTensor<Real>& b);
template <class Real>
BasicTensor<Real> operator-(const BasicTensor<Real>& a, const BasicTensor<Real>& b);
template <class Real>
BasicTensor<Real> operator*(double s, const BasicTensor<Real>& a);

template <class Real>
double dot(const BasicTensor<Real>& a, const BasicTensor<Real>& b);
template <class Real>
double frobenius_norm(const BasicTensor<Real>& a);
template <class Real>
double l1_norm(const BasicTensor<Real>& a);
template <class Real>
double max_abs(const BasicTensor<Real>& a);  ///< the dual norm of l1

/// argmin_Z  mu |Z|_1 + 1/2 |Z - Y|^2:  sign(y) max(|y| - mu, 0). Needs mu >= 0.
template <class Real>
BasicTensor<Real> prox_l1(const BasicTensor<Real>& y, double mu);

}  // namespace sturm
