// SPDX-License-Identifier: BSD-3-Clause
// What the solver asks of a loss, the sum over samples of l(p, y) with p = <X_m, W> a prediction and y a label.
// docs/add-a-loss.md shows how to write one.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sturm {

/// The samples of a problem. A weight of 0 leaves a sample out.
struct Labels {
  std::span<const double> y, weights;
};

/// A convex loss L(p) >= 0 of the predictions of all samples, and its dual. The dual point of predictions p is
///     theta = -L'(p),      and        f(theta) = max_p  -theta'p - L(p),
/// the conjugate of L at -theta, is what the solver minimises in the place of L. f is infinite outside its domain,
/// which holds the way from 0 to each of its points: L is bounded from below. Objects are immutable and safe to use
/// from many threads. No function may depend on the number of threads.
class Loss {
 public:
  Loss() = default;
  Loss(const Loss&) = delete;
  Loss& operator=(const Loss&) = delete;
  virtual ~Loss() = default;

  virtual std::string name() const = 0;
  /// Whether weights and centring are folded into the rows of X and into y, as the square loss has it; then the loss
  /// sees no weights. Otherwise rows stay as they are (RowMap::selecting), and weights multiply the loss of a sample.
  virtual bool folds_weights() const { return false; }
  /// Throws an Error for a label that the loss does not know.
  virtual void require_labels(const Labels& labels) const = 0;

  /// L(p).
  virtual double value(const Labels& labels, std::span<const double> p) const = 0;
  /// theta = -L'(p).
  virtual void dual_point(const Labels& labels, std::span<const double> p, std::span<double> theta) const = 0;

  /// f(theta); infinite outside the domain.
  virtual double conjugate(const Labels& labels, std::span<const double> theta) const = 0;
  /// f'(theta), of a theta inside the domain.
  virtual void conjugate_slope(const Labels& labels, std::span<const double> theta, std::span<double> slope) const = 0;
  /// Newton's weights: f''(theta), which is diagonal and above 0. Left as it is, empty, where all of them are 1 for
  /// every theta: then a Newton step that changes no sign of W has solved its problem.
  virtual void curvature(const Labels& labels, std::span<const double> theta, std::vector<double>& weights) const = 0;
  /// The largest step of at most 1 that leaves theta + step direction inside the domain, at a distance from its edge.
  virtual double longest_step(const Labels& labels, std::span<const double> theta,
                              std::span<const double> direction) const = 0;

  /// The best value of -f(s theta) over 0 <= s <= most: what a dual point is worth that is feasible when scaled by
  /// `most`. theta need not be inside the domain. Not a number where theta or y is none.
  virtual double best_dual(const Labels& labels, std::span<const double> theta, double most) const = 0;

  /// value() and best_dual() where every prediction is 0, which is where a problem begins.
  virtual double value_at_zero(const Labels& labels) const;
  virtual double best_dual_at_zero(const Labels& labels, double most) const;
  std::vector<double> dual_point_at_zero(const Labels& labels) const;
};

using LossPointer = std::shared_ptr<const Loss>;

/// L(p) = 1/2 |y - p|^2, of which there is one.
const LossPointer& square_loss();

}  // namespace sturm
