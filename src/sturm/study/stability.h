// SPDX-License-Identifier: BSD-3-Clause
// In how many folds each voxel of the box was selected.
#pragma once

#include "sturm/study/method_outcomes.h"

namespace sturm {

/// Of the folds that chose one resize factor: folds may choose different ones.
struct Stability {
  double resize = 1;
  Shape shape;
  Index folds = 0;                   ///< that chose this factor
  std::vector<std::uint16_t> often;  ///< how many of them have the voxel
};
std::vector<Stability> stability_of(const std::string& method, const CvPlan& plan, const CvOutcomes& outcomes);

}  // namespace sturm
