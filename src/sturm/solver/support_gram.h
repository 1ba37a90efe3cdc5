// SPDX-License-Identifier: BSD-3-Clause
// The Gram matrix of the voxels in the support of W, kept up to date as they come and go.
#pragma once

#include "sturm/solver/problem.h"

namespace sturm::batch {

/// H = X_S diag(scale_S^2) X_S'. Between Newton steps few voxels enter or leave, so that H is changed by those alone;
/// it is made anew, from S or from the whole Gram matrix less the rest, when that is cheaper or rounding has piled up.
template <class Real>
class SupportGram {
 public:
  /// X~_S X~_S' with S the support of w: full M x M, after the row map.
  std::vector<double> of(const Design<Real>& x, const View<Real>& view, const Real* w);
  /// Whether w has the signs that it had in the last call of of(): then the Newton step that led to it was exact.
  bool same_signs(std::span<const Real> w) const;

 private:
  static constexpr int limit = 50;
  std::vector<std::uint8_t> support_;  ///< the sign of every voxel of w
  std::vector<Real> h_;                ///< lower triangle
  int updates_ = limit;
};

/// The Newton direction -rho (rho I + H)^-1 r; a ridge of the size of rounding is added where H has lost definiteness.
std::vector<double> newton_direction(std::vector<double> h, double rho, std::span<const double> r, double epsilon);

}  // namespace sturm::batch
