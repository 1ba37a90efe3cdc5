// SPDX-License-Identifier: BSD-3-Clause
// How far the folds agree on the sign of each voxel's coefficient.
#pragma once

#include "sturm/study/method_outcomes.h"

namespace sturm {

/// Of the folds that chose one resize factor: folds may choose different ones.
struct Stability {
  double resize = 1;
  Shape shape;
  Index folds = 0;  ///< that chose this factor
  /// How many of them have a coefficient above 0 less how many have one below, without its sign: 0 where signs cancel
  /// out or the voxel is never selected. Of several classes that of the class whose folds agree most.
  std::vector<std::uint16_t> agree;
};
std::vector<Stability> stability_of(const std::string& method, const CvPlan& plan, const CvOutcomes& outcomes);

}  // namespace sturm
