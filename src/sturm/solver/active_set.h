// SPDX-License-Identifier: BSD-3-Clause
// The lasso and the elastic net on a few voxels, exactly: signs are guessed, the linear system that they leave is
// solved, and voxels whose sign does not come out leave one by one. The objective falls with every change, so that no
// set of signs comes twice.
#pragma once

#include <span>
#include <vector>

#include "sturm/core/aligned.h"
#include "sturm/solver/lasso_problem.h"
#include "sturm/solver/packed_cholesky.h"

namespace sturm {

/// The voxels that a path may use so far, as columns of X~ in double.
class WorkingSet {
 public:
  explicit WorkingSet(Index samples) : samples_(samples) {}

  template <class Real>
  void add(const LassoView<Real>& view, Index voxel);

  Index samples() const { return samples_; }
  Index size() const { return static_cast<Index>(voxels_.size()); }
  Index voxel(Index i) const { return voxels_[i]; }
  const double* column(Index i) const { return columns_.data() + i * samples_; }
  double square(Index i) const { return squares_[i]; }  ///< |column|^2

 private:
  Index samples_;
  std::vector<Index> voxels_;
  std::vector<double> squares_;
  AlignedVector<double> columns_;
};

/// A point of a path: w on its support, the residual y - X~ w, and the factor of X~_S'X~_S + l2 I.
struct ActivePoint {
  std::vector<Index> support;  ///< positions in the working set
  std::vector<double> sign, w;
  std::vector<double> residual;
  PackedCholesky factor;

  double objective(double gamma, double l2) const;
};

class ActiveSet {
 public:
  /// `tolerance`: by how much, relative to gamma, |x_j'r| may differ from gamma on the support and exceed it elsewhere.
  ActiveSet(const WorkingSet& working, std::span<const double> y, double l2, double tolerance);

  /// From any point of the path to the optimum at gamma > 0 over the working set. False where the support passes
  /// `most`.
  bool solve(ActivePoint& point, double gamma, Index most) const;

 private:
  void update_residual(ActivePoint& p) const;
  void leave(ActivePoint& p, Index position) const;
  void enter(ActivePoint& p, Index candidate, double sign) const;
  void descend(ActivePoint& p, double gamma) const;
  std::vector<Index> violators(const ActivePoint& p, double gamma, std::vector<double>& z) const;

  const WorkingSet& working_;
  std::span<const double> y_;
  double l2_, tolerance_;
};

}  // namespace sturm
