// SPDX-License-Identifier: BSD-3-Clause
// The dual side of a fit's proof, in the units of the samples as they are: what a file of it holds
// (files/proof_file.h).
#pragma once

#include <vector>

#include "sturm/core/tensor.h"

namespace sturm {

/// The objective that a proof is about: square loss and l1 norm with the tubal nuclear norm, with the nuclear norms of
/// the unfoldings, or with half the squared norm; or that of a support vector machine.
enum class ProofKind { none, tubal, unfoldings, squares, margin };

/// With u = theta, less s_m (sum theta) / S where the volumes are centred (S = sum of the weights s), and
///     z_v = scale_v sum_m u_m x_mv,
/// the objective of every map and intercept is at least
///     y'theta - sum_m theta_m^2 / (2 alpha s_m)  [- sum_v max(0, |z_v| - gamma)^2 / (2 l2)]
/// where z = G1 + sum_k G2_k inside the mask with |G1| <= gamma, and each G2_k is in the ball of tau (docs/proof.md).
/// Of a support vector machine theta is beta: 0 <= y_m theta_m <= C s_m, their sum is 0, and the bound is sum |theta| -
/// |z|^2 / 2.
struct ProofPoint {
  std::vector<double> theta;  ///< one per sample of the design; 0 where its weight is
  std::vector<Tensor> split;  ///< G2, in the box; one per term of the low-rank penalty, none without one
  std::vector<double> scale;  ///< of the voxels, one per column; empty: all 1
};

}  // namespace sturm
