// SPDX-License-Identifier: BSD-3-Clause
// What a single fit is asked for, whatever its method.
#pragma once

#include "sturm/models/normalize.h"
#include "sturm/solver/options.h"

namespace sturm {

/// tau and gamma are absolute where given (not negative). Otherwise they are strength times the point on the ray
/// (balance tau_1, (1 - balance) gamma_1) at which W becomes zero; tau_1, gamma_1 are the zero points of each penalty
/// alone.
struct FitOptions {
  double tau = -1;
  double gamma = -1;
  double strength = 0.1;
  double balance = 0.5;
  double alpha = 1;  ///< 0: sqrt(max(I1, I2) I3), the paper's
  bool intercept = true;
  Normalize normalize = Normalize::none;
  SolverOptions solver;
};
template <class Field>
void describe(Field&& field, FitOptions& o) {
  field("tau", o.tau, "sturm, remurs: weight of the low-rank penalty, with `gamma`");
  field("gamma", o.gamma, "sturm, remurs, lasso, enet: weight of the l1 norm");
  field("strength", o.strength, "in place of tau and gamma, relative to where W becomes zero: 1 and more give zero");
  field("balance", o.balance, "sturm, remurs: 0: the l1 norm alone, 1: the low-rank penalty alone");
  field("alpha", o.alpha, "weight of the square loss; auto: the paper's, sqrt(max(I1, I2) I3), and 1 for remurs");
  field("intercept", o.intercept, "fit no intercept");
  field("normalize", o.normalize, "none; sample: each volume to mean 0 and norm 1; voxel: each voxel to variance 1");
  describe(field, o.solver);
}

}  // namespace sturm
