// SPDX-License-Identifier: BSD-3-Clause
// The tubal nuclear norm, its dual norm and its proximal map.
#pragma once

#include <span>
#include <vector>

#include "sturm/core/tensor.h"
#include "sturm/tensor/transform.h"

namespace sturm {

/// Tubal nuclear norm: the sum over the slices of the whole spectrum of their nuclear norms, over l,
///     |A| = (1/l) sum_k |A^_k|_*        (DFT: l = n3, so that it is a mean).
/// Some papers leave out the 1/n3; their tau is ours divided by n3. Exact: by SVD in double.
double tnn(const Tensor& a, const Transform& transform);
double tnn(const Tensor& a);

/// The dual norm of tnn(): the largest singular value of any hat slice.
double tubal_spectral_norm(const Tensor& a, const Transform& transform);
double tubal_spectral_norm(const Tensor& a);

/// What the prox leaves of one tensor.
struct ProxTnnResult {
  double tnn = 0;        ///< norm of the result
  Index tubal_rank = 0;  ///< largest rank of a hat slice of the result
  double spectral = 0;   ///< spectral norm of what came in; 0 where bounds alone showed it to be below mu
};

/// argmin_Z  mu |Z| + 1/2 |Z - Y|^2,  with |.| = tnn(): every hat slice has its singular values shrunk by exactly mu.
/// Needs mu >= 0. Safe to call from many threads. Relative error about 1e-6 in float, 1e-13 in double.
template <class Real>
BasicTensor<Real> prox_tnn(const BasicTensor<Real>& y, double mu, const Transform& transform);
template <class Real>
BasicTensor<Real> prox_tnn(const BasicTensor<Real>& y, double mu);

/// The same in place for a batch of mus.size() tensors of one shape, one after the other in memory, with a threshold
/// each. `scratch` grows to the size of the batch and can be used again.
template <class Real>
std::vector<ProxTnnResult> prox_tnn_batch(const Shape& shape, std::span<Real> batch, std::span<const double> mus,
                                          const Transform& transform, AlignedVector<Real>& scratch,
                                          double accuracy = 0);

/// tnn and spectral norm of every tensor of a batch, which is left as it is. In single precision good to 1e-6; in
/// double by SVD, exact.
template <class Real>
std::vector<ProxTnnResult> tnn_batch(const Shape& shape, std::span<const Real> batch, const Transform& transform,
                                     AlignedVector<Real>& scratch);

}  // namespace sturm
