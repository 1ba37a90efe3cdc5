// SPDX-License-Identifier: BSD-3-Clause
// The t-SVD: A = U * S * V' with U, V orthogonal and S f-diagonal, from the SVD of every hat slice.
#pragma once

#include <vector>

#include "sturm/core/tensor.h"
#include "sturm/tensor/transform.h"

namespace sturm {

using linalg::SvdKind;

/// Full: u n1 x n1, s n1 x n2, v n2 x n2 (times n3). Thin: only the first min(n1, n2) columns of u and v.
struct TSvd {
  Tensor u, s, v;
};
TSvd t_svd(const Tensor& a, const Transform& transform, SvdKind kind = SvdKind::thin);
TSvd t_svd(const Tensor& a, SvdKind kind = SvdKind::thin);

/// The best approximation of tubal rank at most `rank` in the Frobenius norm, as its thin factors.
TSvd truncated_t_svd(const Tensor& a, Index rank, const Transform& transform);

/// Singular values of every hat slice: min(n1, n2) descending ones a slice, in the order of transform.slices().
std::vector<std::vector<double>> hat_singular_values(const Tensor& a, const Transform& transform);

/// Rank of every hat slice; values up to `tolerance` times the largest of all count as zero.
std::vector<Index> multi_rank(const Tensor& a, const Transform& transform, double tolerance = 1e-10);
/// Number of non-zero singular tubes: the largest rank of a slice.
Index tubal_rank(const Tensor& a, const Transform& transform, double tolerance = 1e-10);
Index tubal_rank(const Tensor& a);

}  // namespace sturm
