// SPDX-License-Identifier: BSD-3-Clause
// The Sturm model: from raw volumes and labels to a coefficient map on the scale of the raw volumes.
//     min_W,b  (alpha/2) sum_m s_m (y_m - b - <X_m, W>)^2 + tau |W|_tnn + gamma |W|_1,    W = 0 outside the mask
#pragma once

#include <optional>
#include <vector>

#include "sturm/core/design.h"
#include "sturm/linalg/backend.h"
#include "sturm/solver/problem.h"
#include "sturm/solver/progress.h"

namespace sturm {

enum class Normalize { none, sample, voxel };
template <>
inline std::vector<std::string> names_of<Normalize>() {
  return {"none", "sample", "voxel"};
}

/// tau and gamma are absolute where given (not negative). Otherwise they are strength times the point on the ray
/// (balance tau_1, (1 - balance) gamma_1) at which W becomes zero; tau_1, gamma_1 are the zero points of each penalty
/// alone.
struct SturmOptions {
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
void describe(Field&& field, SturmOptions& o) {
  field("tau", o.tau, "sturm, remurs: weight of the low-rank penalty, with --gamma");
  field("gamma", o.gamma, "sturm, remurs, lasso, enet: weight of the l1 norm");
  field("strength", o.strength, "in place of tau and gamma, relative to where W becomes zero: 1 and more give zero");
  field("balance", o.balance, "sturm, remurs: 0: the l1 norm alone, 1: the low-rank penalty alone");
  field("alpha", o.alpha, "weight of the square loss; auto: the paper's, sqrt(max(I1, I2) I3), and 1 for remurs");
  field("intercept", o.intercept, "fit no intercept");
  field("normalize", o.normalize, "none; sample: each volume to mean 0 and norm 1; voxel: each voxel to variance 1");
  describe(field, o.solver);
}

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

/// predicted = intercept + <coef, volume>, on raw volumes: every normalisation of the training rows is folded in,
/// but for `sample`, which is done to each volume before the product. Voxels outside the mask are never looked at.
struct LinearModel {
  Tensor coef;
  double intercept = 0;
  Normalize normalize = Normalize::none;
  std::vector<std::uint8_t> mask;  ///< empty: every voxel; `sample` takes its mean and norm over it
};

struct SturmFit {
  LinearModel model;
  FitReport report;
};

/// y: one number a sample. weights: empty for all 1. mask: empty for every voxel, otherwise one byte a voxel.
/// Throws Error where voxels inside the mask are not finite, the mask is empty, or sizes do not fit.
template <class Real>
SturmFit fit_sturm(linalg::Backend& backend, const Design<Real>& given, std::span<const double> y,
                   std::span<const double> weights, std::span<const std::uint8_t> mask, const SturmOptions& options,
                   const ProgressCallback& progress = {});

/// intercept + <coef, X_m> for every sample, in double.
template <class Real>
std::vector<double> decision_values(const LinearModel& model, const Design<Real>& x);

/// Bytes that a fit needs beside the design matrix: the solver's arrays, Gram matrices, and the proof in double.
template <class Real>
Index bytes_per_fit(const Penalty& penalty, Index samples);

}  // namespace sturm
