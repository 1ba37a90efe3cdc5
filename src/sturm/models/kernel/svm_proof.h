// SPDX-License-Identifier: BSD-3-Clause
// How far a linear support vector machine is from the best one, by what it says of the volumes themselves: no kernel
// matrix, rounded or not, has a part in it.
#pragma once

#include "sturm/solver/svm_dual.h"

namespace sturm {

/// What beta and its map W = sum_i beta_i z_i prove. `scale` W with `intercept` is the best plane among multiples of W:
/// where C is large, a margin that is missed by 1e-7 costs more than everything else, and W times 1 + 1e-7 meets it.
struct SvmProof {
  double scale = 1, intercept = 0;
  double objective = 0, dual = 0, relative_gap = 0;
};

/// The problem has terms of both signs. beta: of every sample. values: <W, z_i>, all less one number. square: |W|^2. A
/// scale other than 1 is looked for where with 1 the gap is above `enough`.
SvmProof prove_svm(const SvmProblem& problem, std::span<const double> beta, std::span<const double> values,
                   double square, double enough);

}  // namespace sturm
