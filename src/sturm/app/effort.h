// SPDX-License-Identifier: BSD-3-Clause
// What a cross-validation will take, measured on a few of its fits.
#pragma once

#include <string>
#include <vector>

#include "sturm/app/cv_study.h"

namespace sturm {

/// Fits of a family in one fold, the seconds that they may take, and the memory beside the study's volumes.
struct Effort {
  Index fits = 0;
  double seconds = 0;
  Index bytes = 0;
};

/// A family's grid at every size, in all inner folds, and the model that is chosen. Of each grid a few settings are
/// timed, at once, as they will be: alone, a fit of the batched solver costs several times its share.
template <class Real>
Effort effort_of(const CvStudy<Real>& study, const std::vector<std::string>& family);

/// Models of the sparsest settings near the best, at most: one of all samples for each method that has any, or one per
/// class.
template <class Real>
Index readable_fits(const CvStudy<Real>& study, const std::vector<std::string>& family);

}  // namespace sturm
