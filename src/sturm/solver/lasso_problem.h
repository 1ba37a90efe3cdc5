// SPDX-License-Identifier: BSD-3-Clause
// The problems of the lasso and of the elastic net:
//     min_w  1/2 |y~ - X~ w|^2 + (l2/2) |w|^2 + gamma |w|_1,      X~ = R' X diag(scale)
// and their dual. With z = X~'theta,
//     max_theta  y~'theta - |theta|^2 / 2 - sum_j (|z_j| - gamma)+^2 / (2 l2),
// where l2 = 0 makes the last term a constraint, |z_j| <= gamma.
#pragma once

#include <vector>

#include "sturm/solver/certificate.h"
#include "sturm/solver/progress.h"

namespace sturm {

/// What the problems of a path share. Unlike a View it has no Gram matrix, which costs as much as a whole path.
template <class Real>
struct LassoView {
  /// `mask`, of the columns, empty: all of them. Outside it the scale is made 0, so that X~ has nothing there.
  LassoView(const Design<Real>& design, RowMap row_map, std::vector<Real> voxel_scale,
            std::span<const std::uint8_t> mask = {});

  const Design<Real>& x;
  RowMap rows;
  std::vector<Real> scale;  ///< empty: 1

  double scale_of(Index voxel) const { return scale.empty() ? 1.0 : static_cast<double>(scale[voxel]); }
};

/// W as the voxels that are not zero, in rising order, with its proof.
struct LassoSolution {
  std::vector<Index> voxels;
  std::vector<double> values;
  std::vector<double> theta;  ///< the dual point, before it is scaled
  double objective = 0, dual = 0, gap = 1;
  Status status = Status::iteration_limit;
  int iterations = 0;  ///< passes over X that looked at this problem
};

/// The largest value of the dual at s theta over s >= 0, with a = y~'theta and b = |theta|^2; and that s.
struct ScaledDual {
  double value = 0, scale = 0;
};
template <class Number>
ScaledDual best_scaled_dual(double a, double b, std::span<const Number> z, double gamma, double l2);
template <class Number>
double best_enet_dual(double a, double b, std::span<const Number> z, double gamma, double l2) {
  return best_scaled_dual(a, b, z, gamma, l2).value;
}

/// X~'theta of every theta, in double: voxels() numbers for each, one after the other.
template <class Real>
std::vector<double> exact_adjoints(const LassoView<Real>& view, std::span<const std::vector<double>> thetas);

/// Primal and dual value from the voxels, the values and theta alone, all in double. A solution's gammas stand beside
/// it. `scales` takes what each theta was multiplied by.
template <class Real>
std::vector<Certificate> certify_enet(const LassoView<Real>& view, std::span<const double> y, double l2,
                                      std::span<const double> gammas, std::span<const LassoSolution> solutions,
                                      std::vector<double>* scales = nullptr);

}  // namespace sturm
