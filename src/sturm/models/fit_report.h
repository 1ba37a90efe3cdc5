// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "sturm/solver/problem.h"

namespace sturm {

/// What a fit is worth, beside its coefficients.
struct FitReport {
  double tau = 0, gamma = 0, alpha = 1;
  double objective = 0, dual = 0, relative_gap = 0;
  int iterations = 0;
  Status status = Status::converged;
  double sparsity = 0;          ///< exact zeros over all voxels of the box
  double sparsity_in_mask = 0;  ///< exact zeros over the voxels of the mask
  Index tubal_rank = -1;        ///< -1: not known, as for methods that have no low-rank part
  double intercept = 0;
  Index samples = 0;
  double seconds = 0;
  std::vector<TraceRow> trace;
};

}  // namespace sturm
