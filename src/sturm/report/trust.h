// SPDX-License-Identifier: BSD-3-Clause
// What a reviewer would ask before believing a study, with the answers that its files give.
#pragma once

#include "sturm/report/study.h"

namespace sturm {

/// Of a cross-validation: people kept apart, labels permuted, site and coverage told apart from the target, classes
/// balanced, fits proven, settings chosen inside the folds, and how many methods were tried. What does not apply is
/// left out. The study has all but this list.
std::vector<TrustCheck> trust_in_cv(const Study& study, const CvResults& results, const DataFacts& data);

/// Of a single fit: what applies to it.
std::vector<TrustCheck> trust_in_fit(const Study& study, const FitResults& fit, const DataFacts& data);

}  // namespace sturm
