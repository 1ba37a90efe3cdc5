// SPDX-License-Identifier: BSD-3-Clause
// What the models of the inner folds are worth on the samples that they were not fitted on. Models come in any order,
// and of several classes only all of a setting and a fold together have a score; sums do not depend on that order.
#pragma once

#include <map>
#include <tuple>

#include "sturm/eval/nested.h"

namespace sturm {

/// Which model: of a method and a vector of labels, the setting at a position of their grid, a fold, and a class.
struct InnerPlace {
  std::size_t method = 0, label = 0, position = 0;
  int fold = 0, part = 0;
};

class InnerScores {
 public:
  /// parts: how many models answer together, one per class where there are several.
  InnerScores(int parts, Score score) : parts_(parts), score_(score) {}

  /// Notes a model: the decision values of the samples left out, whose targets are `actual`. When all parts are there,
  /// the point gets score, gap and status of the fold.
  void note(const InnerPlace& place, std::span<const double> values, const FitReport& report,
            std::span<const double> actual, GridPoint& point);

  /// The sparsity of every point that has models: the mean over its folds, added up in their order.
  void set_sparsity(std::vector<std::vector<NestedOutcome>>& outcomes, std::span<const Folds> folds) const;

 private:
  /// The decision values that the models of several classes give to the samples of a fold, until all are there.
  struct Answers {
    std::vector<double> decision;
    /// In the box and in the mask, by class: added up in this order, since models come in any.
    std::vector<double> sparsities, in_mask;
    double gap;  ///< the largest
    int count = 0, unconverged = 0;
  };
  using Point = std::tuple<std::size_t, std::size_t, std::size_t>;  ///< method, labels and position

  int parts_;
  Score score_;
  struct Sparsity {
    double in_box = 0, in_mask = 0;
  };
  std::map<Point, std::map<int, Sparsity>> sparsity_;  ///< by fold
  std::map<Point, std::map<int, Index>> unconverged_;
  std::map<std::pair<Point, int>, Answers> answers_;
};

}  // namespace sturm
