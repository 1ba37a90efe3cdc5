// SPDX-License-Identifier: BSD-3-Clause
// One problem under way: its point of the W-step, its copies of W, and when what is due.
#pragma once

#include "sturm/solver/batch.h"
#include "sturm/solver/certificate.h"
#include "sturm/solver/newton.h"

namespace sturm::batch {

/// The copies of the low-rank part, one for each term of the penalty, and the best points so far.
template <class Real>
struct Iterates {
  std::vector<linalg::Array<Real>> b, q, best_split;  ///< by term
  linalg::Array<Real> a;                              ///< of the W-step: the mean over the terms of B_k - Q_k
  linalg::Array<Real> best_w, w_before;               ///< w_before only for a trace
  std::vector<double> best_theta;
  double best_primal = 0, best_dual = 0;
  double b_value = 0;  ///< |B|, where the penalty has one term
  Index b_rank = 0;
  double w_minus_b = 0, b_change = 0, b_norm = 0, q_norm = 0, w_change = 0;
};

/// When the next check and the next look at rho are due.
struct Schedule {
  int iteration = 0, next_check = 3, next_rho = 2, last_check = 0;
  double gap = 1, last_gap = 0, target = 1e-3;
  // Where the gap creeps another rho is tried for a while, and kept if the gap then falls faster.
  double new_rho = 0, old_rho = 0, old_rate = 0;  ///< asked for; to go back to (0: no trial under way)
  int trials = 0, next_trial = 150, trial_wait = 40;
};

template <class Real>
struct State {
  Index index = 0;
  const Problem<Real>* problem = nullptr;
  NewtonPoint<Real> newton;
  Iterates<Real> at;
  Schedule when;
  const Loss* loss = nullptr;
  double tau = 0, gamma = 0;
  double theta_size = 0;      ///< of the dual point of W = 0, which is y for the square loss
  double zero_objective = 0;  ///< at W = 0
  double tolerance = 1e-2;    ///< of the W-step: its residual, relative to theta
  int newton_steps = 0;
  bool newton_converged = false;
  Certificate proof;
  bool proven = false, done = false;
  std::vector<TraceRow> trace;

  const View<Real>& view() const { return *problem->view; }
  const Labels& labels() const { return newton.labels; }
  double rho() const { return newton.rho; }
};

}  // namespace sturm::batch
