// SPDX-License-Identifier: BSD-3-Clause
// A weighted sum of penalties, as somebody outside the library adds a penalty.
#pragma once

#include "sturm/penalty/penalty.h"

struct WeightedPart {
  sturm::PenaltyPointer penalty;
  std::vector<double> weights;  ///< one for each of its terms
};

/// All terms of all parts, over one region.
sturm::PenaltyPointer weighted_sum(std::vector<WeightedPart> parts);
