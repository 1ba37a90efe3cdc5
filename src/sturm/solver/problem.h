// SPDX-License-Identifier: BSD-3-Clause
// The problems that one batch solves over one design matrix X:
//     min_W  L(X~ w) + tau |W| + gamma |W|_1,   W = 0 outside the mask,      |.| a low-rank penalty,
// with a loss L, 1/2 |y~ - X~ w|^2 unless another is given, and X~ = R' X diag(scale): R holds a fold's rows and, for
// the square loss, sample weights and centring; scale holds its voxel normalisation.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sturm/core/design.h"
#include "sturm/loss/loss.h"
#include "sturm/penalty/penalty.h"
#include "sturm/solver/options.h"

namespace sturm {

/// Rows of the design as a problem sees them. A weight of 0 leaves a sample out.
///     (R'a)_m = sqrt(s_m) (a_m - mean),     (R theta)_m = sqrt(s_m) theta_m - s_m (sum_k sqrt(s_k) theta_k) / S
/// where mean = sum s a / S is taken away only if `centre` is set. So X itself is never copied or changed.
class RowMap {
 public:
  RowMap(std::vector<double> weights, bool centre);
  /// R'a = a, and 0 for samples of weight 0: for a loss that weights its samples itself.
  static RowMap selecting(std::vector<double> weights);

  Index samples() const { return static_cast<Index>(weights_.size()); }
  double mean(std::span<const double> a) const;                      ///< weighted, whether centred or not
  std::vector<double> apply(std::span<const double> a) const;        ///< R'a
  std::vector<double> adjoint(std::span<const double> theta) const;  ///< R theta
  void conjugate(std::vector<double>& gram) const;                   ///< G <- R'G R, full M x M
  std::span<const double> weights() const { return weights_; }
  bool folds_weights() const { return folds_weights_; }  ///< false: selecting()

 private:
  std::vector<double> weights_, roots_;  ///< roots_: what multiplies a row
  double total_ = 0;
  bool centre_, folds_weights_ = true;
};

/// What problems of one fold share: rows, voxel scale, mask (of the columns of the design: those whose W may not be 0),
/// and the eigenvalues of their Gram matrix. `base_gram` saves computing raw_gram where another view of the same scale
/// and mask has it.
template <class Real>
struct View {
  View(const Design<Real>& x, RowMap row_map, std::vector<Real> voxel_scale, std::vector<std::uint8_t> voxel_mask,
       std::span<const double> base_gram = {});

  RowMap rows;
  std::vector<Real> scale;                        ///< empty: 1; made 0 outside the mask, so that X~ has nothing there
  std::vector<std::uint8_t> mask;                 ///< empty: everything
  Index voxels = 0;                               ///< inside the mask
  std::vector<double> raw_gram;                   ///< X diag(scale^2) X', full M x M: before the row map
  std::vector<double> eigenvalues, eigenvectors;  ///< of X~ X~'
};

template <class Real>
struct Solution;

template <class Real>
struct Problem {
  std::shared_ptr<const View<Real>> view;
  std::vector<double> y;  ///< R'y, one per sample
  double tau = 0, gamma = 0;
  PenaltyPointer penalty = nullptr;  ///< null: the tubal nuclear norm. All problems of a batch have the same
  /// A problem of the batch, over the same view and y and with the penalties in the same proportion, whose end is where
  /// this one begins: the two share a place in the batch. No other may begin there. -1: begins from nothing.
  Index after = -1;
  /// A solution of this very problem to a larger gap, from which it goes on; null: none. Not together with `after`.
  std::shared_ptr<const Solution<Real>> from = nullptr;
  bool trace = false;          ///< Solution::trace is wanted
  LossPointer loss = nullptr;  ///< null: the square loss. Problems of a batch may have different ones
};

/// The penalty of a problem over the voxels of this region.
template <class Real>
PenaltyPointer penalty_of(const Problem<Real>& problem, const Region& region) {
  if (!problem.penalty) return tubal_nuclear_norm(region);
  if (!(problem.penalty->region() == region)) throw Error("the penalty and the design are of different voxels");
  return problem.penalty;
}

/// The loss of a problem, and its samples as the loss sees them.
template <class Real>
const Loss& loss_of(const Problem<Real>& problem) {
  return problem.loss ? *problem.loss : *square_loss();
}
template <class Real>
Labels labels_of(const Problem<Real>& problem) {
  return {problem.y, problem.view->rows.weights()};
}
/// Throws where the rows were not made for the loss, or it does not know a label.
void require_loss(const Loss& loss, const RowMap& rows, const Labels& labels);
/// For what is made for the square loss alone; `what` begins its sentence.
template <class Real>
void require_square_loss(const Problem<Real>& problem, const std::string& what) {
  if (&loss_of(problem) != square_loss().get())
    throw Error(what + " is made for the square loss, and this problem has the " + loss_of(problem).name() + " loss");
}

/// One copy for each term of a penalty, in its layout.
template <class Real>
using Copies = std::vector<BasicTensor<Real>>;
template <class Real>
Copies<Real> empty_copies(const Penalty& penalty) {
  Copies<Real> out;
  for (int k = 0; k < penalty.terms(); ++k) out.emplace_back(penalty.layout(k).shape);
  return out;
}

/// One line of a problem's history, written at every certificate.
struct TraceRow {
  int iteration = 0;
  double objective = 0;
  double gap = 0;
  double change = 0;  ///< |W - W before| / |W|
};

template <class Real>
struct Solution {
  BasicTensor<Real> w{Shape{}};  ///< one number per voxel of the region: see Region::column_shape
  Copies<Real> split;            ///< G2 of the dual point, one part for each term of the penalty
  std::vector<double> theta;     ///< the dual point, before it is scaled into the feasible set
  double objective = 0, dual = 0, gap = 1;
  double rho = 0;  ///< what the solver had come to; 0 where it had nothing to do
  Status status = Status::iteration_limit;
  int iterations = 0;
  int passes = 0;        ///< products with X: Newton steps and their line searches
  Index tubal_rank = 0;  ///< of the low-rank copy B; for other penalties the largest rank of a term's copy; -1: there
                         ///< was no copy, since tau is too small to matter
  std::vector<TraceRow> trace;
};

}  // namespace sturm
