// SPDX-License-Identifier: BSD-3-Clause
// Scores of predictions of which each counts several times or not at all. The thousands of draws of a bootstrap need
// them, so whatever does not depend on the weights, the order of the decision values above all, is made once.
#pragma once

#include <span>
#include <vector>

#include "sturm/eval/scores.h"

namespace sturm {

class WeightedScores {
 public:
  /// `decision` holds a value for each sample, or one for each class of several.
  WeightedScores(std::vector<Measure> measures, std::span<const double> actual, std::span<const double> decision);

  const std::vector<Measure>& measures() const { return measures_; }
  /// The scores, in the order of the measures: those of facts_of(measure).of() where sample m stands there weight[m]
  /// times.
  void compute(std::span<const double> weight, std::span<double> scores) const;

 private:
  /// Decision values for or against one class: samples in their order, and where runs of equal values end.
  struct Ranking {
    std::vector<std::size_t> order, ends;
    std::vector<char> positive;  ///< by sample
    bool known = true;           ///< no value is NaN
  };
  static Ranking ranking(std::vector<char> positive, std::span<const double> decision);
  static double auc(const Ranking& ranking, std::span<const double> weight);

  double share_of(bool positive, std::span<const double> weight) const;
  double one(Measure measure, std::span<const double> weight) const;

  std::vector<Measure> measures_;
  std::vector<double> actual_, decision_;
  std::vector<double> predicted_;      ///< of classes
  std::vector<std::size_t> class_of_;  ///< of each sample, among those that occur
  std::size_t classes_ = 0;
  std::vector<Ranking> rankings_;  ///< for AUC: one, or one for each class
};

}  // namespace sturm
