// SPDX-License-Identifier: BSD-3-Clause
// The algebra of tensors as matrices of tubes. Every function takes the transform; the DFT is the default.
#pragma once

#include "sturm/core/tensor.h"
#include "sturm/tensor/transform.h"

namespace sturm {

/// C = A * B: C^_k = A^_k B^_k. With the DFT, tube (i,j) of C is the sum over p of the circular convolutions of
/// tubes A(i,p) and B(p,j).
template <class Real>
BasicTensor<Real> t_product(const BasicTensor<Real>& a, const BasicTensor<Real>& b, const Transform& transform);
template <class Real>
BasicTensor<Real> t_product(const BasicTensor<Real>& a, const BasicTensor<Real>& b);

/// Conjugate-transposes every hat slice. Exact: slices are transposed and, for the DFT, 2..n3 are reversed.
template <class Real>
BasicTensor<Real> t_transpose(const BasicTensor<Real>& a, const Transform& transform);
template <class Real>
BasicTensor<Real> t_transpose(const BasicTensor<Real>& a);

/// The unit of t_product for n x n x n3 tensors: every hat slice is the identity matrix.
Tensor t_identity(Index n, const Transform& transform);

/// Q' * Q = I and, for square slices, Q * Q' = I, up to `tolerance` in every entry.
bool is_orthogonal(const Tensor& q, const Transform& transform, double tolerance = 1e-12);

/// Every frontal slice is diagonal up to `tolerance` times the largest entry.
bool is_f_diagonal(const Tensor& a, double tolerance = 1e-12);

}  // namespace sturm
