// SPDX-License-Identifier: BSD-3-Clause
// A model of MMK or DuSK: the CP vectors of its support volumes, and how other volumes become such vectors.
#pragma once

#include "sturm/models/multiway/mmk_kernel.h"
#include "sturm/models/training_statistics.h"

namespace sturm {

/// How volumes become vectors: all that is needed to do the same to new ones.
struct CpRecipe {
  Region region{Shape{}};
  Normalize normalize = Normalize::none;
  VoxelScale scale;           ///< of the region's voxels
  double width = 0, cut = 0;  ///< of the kernels between positions; width 0 is K_n = I
  CpOptions cp;

  /// `volumes` of the region, as by prepared() of preparation.h.
  template <class Real>
  std::vector<CpFeatures> features(const Design<Real>& volumes) const;
};

/// f(X) = intercept + sum_k coef_k k(X_k, X), with k as in mmk_kernel.h.
struct MmkModel {
  CpRecipe recipe;
  std::vector<CpFeatures> support;
  std::vector<double> coef;  ///< one per support volume
  double sigma = 1, intercept = 0;
};

/// Throws where the volumes are not of the model's shape.
template <class Real>
std::vector<double> decision_values(const MmkModel& model, const Design<Real>& x);

}  // namespace sturm
