// SPDX-License-Identifier: BSD-3-Clause
// The lasso and the elastic net for many gamma, each to a proven gap, made for few samples and many voxels.
//
// A few voxels, the working set, are solved exactly for the next gammas of the path (active_set.h). One pass over X
// then looks at all those points side by side: it proves those that are good enough, and finds the voxels that the
// others lack. Where the support of an elastic net outgrows the samples, enet_newton.h takes over.
#pragma once

#include "sturm/linalg/backend.h"
#include "sturm/solver/lasso_problem.h"

namespace sturm {

struct LassoOptions {
  linalg::Backend& backend;
  double gap = 1e-3;                                    ///< relative, as in certificate.h
  int iterations = 0;                                   ///< passes over X that may look at a gamma; 0: iteration_limit
  std::function<std::span<const double>()> raw_gram{};  ///< of X diag(scale), where somebody has it; see View
  ProgressCallback progress{};
};

/// What a path took.
struct LassoStats {
  int passes = 0;        ///< over X, in the precision of the design
  int exact_passes = 0;  ///< over X in double: proofs, and searches where single precision was not enough
  Index working = 0;     ///< voxels in the working set at the end
  double search = 0, inner = 0, wide = 0, proof = 0;  ///< seconds
};

/// Solutions in the order of the gammas, which may have any order; y = R'y. gamma = 0 and l2 = 0 is least squares of
/// least norm. A solution's bits depend on the path, not on threads.
template <class Real>
std::vector<LassoSolution> solve_lasso_path(const LassoView<Real>& view, std::span<const double> y, double l2,
                                            std::span<const double> gammas, const LassoOptions& options,
                                            LassoStats* stats = nullptr);

/// max |X~'y|: W = 0 from here on.
template <class Real>
double lasso_zero_point(const LassoView<Real>& view, std::span<const double> y);

}  // namespace sturm
