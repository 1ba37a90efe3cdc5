// SPDX-License-Identifier: BSD-3-Clause
// What a single fit is asked for, whatever its method.
#pragma once

#include "sturm/eval/choose.h"
#include "sturm/eval/scores.h"
#include "sturm/models/method.h"

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
  field("strength", o.strength,
        "in place of tau and gamma, relative to where W becomes zero: 1 and more give zero; ridge: in place of l2, "
        "relative to the largest eigenvalue of the Gram matrix");
  field("balance", o.balance, "sturm, remurs: 0: the l1 norm alone, 1: the low-rank penalty alone");
  field("alpha", o.alpha, "weight of the square loss; auto: the paper's, sqrt(max(I1, I2) I3), and 1 for remurs");
  field("intercept", o.intercept, "fit no intercept");
  field("normalize", o.normalize, "none; sample: each volume to mean 0 and norm 1; voxel: each voxel to variance 1");
  describe(field, o.solver);
}

/// How a setting is chosen for a fit to all samples: as sturm cv does it for its model of all samples.
struct ChooseOptions {
  bool choose = false;
  std::string inner = "auto";
  GridKind grid = GridKind::path;
  Score score = Score::automatic;
  ChoiceOptions choice;
  std::string top;
  double inner_gap = 1e-2;
  std::string groups;
};
template <class Field>
void describe(Field&& field, ChooseOptions& o) {
  field("choose", o.choose, "choose the setting by cross-validation over all samples, as sturm cv does for its map");
  field("inner", o.inner, "with `choose`: its folds, a number, loo or group; auto: 9, or as many as fit");
  field("grid", o.grid, "with `choose`: path: settings relative to where coefficients become zero; paper: the paper's");
  field("score", o.score, "with `choose`: by which it chooses. auto: accuracy, or r2 for a regression");
  describe(field, o.choice);
  field("top", o.top, "with `choose`: percents of the selected voxels that + SVM may keep, such as 1,5,10,50,100");
  field("inner-gap", o.inner_gap,
        "with `choose`: fits go to this gap first, and only those that could still be chosen to `gap`");
  field("groups", o.groups,
        "with `choose`: column whose samples stay together (default: participant_id where there is one), or none");
}

}  // namespace sturm
