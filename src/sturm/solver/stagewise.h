// SPDX-License-Identifier: BSD-3-Clause
// SURF: a sum of sparse terms of rank 1, each found by small forward and backward steps along its own path of penalties
// (He, Chen, Xu, Zhou, Wang: Boosted sparse and low-rank tensor regression, NeurIPS 2018). A term
// W = s w1 o w2 o w3 with |w_n|_1 = 1, s >= 0, lowers
//     J(W) + lambda |W|_1,     J(W) = (1/S) sum_m s_m (r_m - <X_m, W>)^2 + alpha |W|_F^2,     |W|_1 = s,
// where r is what earlier terms left, S = sum s_m, and r and X are centred where there is an intercept. Units: y is
// divided by its deviation and X by the largest deviation of a voxel, so that steps and penalties mean the same
// everywhere.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sturm/core/design.h"
#include "sturm/solver/options.h"
#include "sturm/solver/problem.h"

namespace sturm {

struct StagewiseOptions {
  Index rank = 1;        ///< terms at most
  double epsilon = 0.1;  ///< length of a step in |W|_1; xi = epsilon^2 / 2 is what a step must be worth
  double lambda = 0;     ///< a term ends where its penalty has fallen to this part of the first; 0: the whole path
  double alpha = 0.01;
  bool keep_steps = false;
};

/// One step: entry `index` of s w_mode changes by `change`, with the other two vectors as they are (|w|_1 = 1).
struct StagewiseStep {
  Index term = 0;
  int mode = 0;  ///< 0, 1, 2; the first step of a term sets all three: mode 3, `index` is a voxel
  Index index = 0;
  double change = 0;
  bool backward = false;
  double loss_change = 0;     ///< of J
  double penalty_change = 0;  ///< of |W|_1
  double lambda = 0;          ///< after the step
};

struct StagewiseTerm {
  double scale = 0;                      ///< s
  std::array<std::vector<double>, 3> w;  ///< |w_n|_1 = 1
};

struct StagewiseFit {
  std::vector<StagewiseTerm> terms;  ///< in the units above
  double y_unit = 1, x_unit = 1;     ///< W on the scale of the data is y_unit / x_unit times theirs
  double loss = 0;                   ///< (1/S) sum s_m r_m^2 at the end, in the units above: 1 at the beginning
  int steps = 0;
  Status status = Status::converged;  ///< iteration_limit where a term was cut off; zero_solution without terms
  std::vector<StagewiseStep> trace;   ///< where keep_steps is set
};

/// `rows` says which samples count and whether they are centred; `y` is not mapped. `scale` multiplies the voxels of
/// the region, 0 leaves one out; empty: all 1. Stops at the rank, or when a term lowers the loss by less than 1e-4 of
/// itself. A step touches M (|w_b|_0 I_c + |w_c|_0 I_b) numbers of X; only the first of a term passes over all of it.
template <class Real>
StagewiseFit fit_stagewise(const Design<Real>& x, const RowMap& rows, std::span<const double> y,
                           std::span<const double> scale, const StagewiseOptions& options);

/// The sum of the terms, on the scale of the data (voxel scale included): one number per voxel of the region.
std::vector<double> coefficients(const StagewiseFit& fit, const Region& region, std::span<const double> scale);

}  // namespace sturm
