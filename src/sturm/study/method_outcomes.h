// SPDX-License-Identifier: BSD-3-Clause
// One method with everything that its folds left: what tables, results.json and maps are made from.
#pragma once

#include <span>
#include <utility>

#include "sturm/study/cross_validation.h"
#include "sturm/study/cv_facts.h"

namespace sturm {

/// The outcome of a method with true labels, or null; fold -1 is the model of all samples. `share`: of CvPlan::shares,
/// -1: of the whole training set.
const FoldOutcome* find_outcome(const CvPlan& plan, const CvOutcomes& outcomes, const std::string& method, int fold,
                                int share = -1);

/// Labels and decision values of some samples.
struct Predicted {
  std::vector<double> actual, decision;

  double score(Measure measure) const { return facts_of(measure).of(actual, decision); }
};

/// Outcomes may be missing. Everything that it is made from must outlive it.
class MethodOutcomes {
 public:
  MethodOutcomes(const CvFacts& facts, const CvPlan& plan, const CvOutcomes& outcomes, std::string method,
                 int share = -1);

  const std::string& name() const { return method_; }
  /// Folds are those of all deals of the plan; has() tells those that are done.
  bool has(int f) const { return folds_[f] != nullptr; }
  const FoldOutcome& fold(int f) const { return *folds_[f]; }
  std::vector<const FoldOutcome*> done() const;
  /// The model of all samples; null where it is not done.
  const FoldOutcome* all() const { return all_; }
  /// The samples that were predicted.
  const std::vector<Index>& rows() const { return rows_; }
  /// Of a sample: one value, or one for each class. Of several deals their mean.
  std::span<const double> decisions(Index row) const;
  Predicted predicted() const { return predicted(rows_); }
  Predicted predicted(std::span<const Index> rows) const;

  /// Of every outer fold; NaN where it is not done.
  std::vector<double> by_fold(Measure measure) const;
  /// Over the deals whose folds are all done, each being the mean of its folds.
  MeanSd over_deals(Measure measure) const;
  /// Over the folds that are done.
  MeanSd over_folds(double FoldOutcome::*field) const;
  /// Whether some model of it has coefficients.
  bool has_map() const;
  /// The same of models that were trained on each of CvPlan::shares.
  const std::vector<MethodOutcomes>& learning() const { return learning_; }
  /// The mean score of each vector of permuted labels whose folds are all done.
  const std::vector<double>& null() const { return null_; }

 private:
  Predicted of_fold(int f) const;
  std::optional<double> null_score(const CvOutcomes& outcomes, Index number) const;

  const CvFacts& facts_;
  const CvPlan& plan_;
  std::string method_;
  std::vector<const FoldOutcome*> folds_;
  const FoldOutcome* all_ = nullptr;
  std::vector<Index> rows_;
  std::vector<double> pooled_, null_;
  std::vector<MethodOutcomes> learning_;
};

/// Decision values that a sample has.
inline Index width_of(const SampleKeys& keys) { return std::max<Index>(1, keys.several); }

std::vector<MethodOutcomes> outcomes_by_method(const CvFacts& facts, const CvPlan& plan, const CvOutcomes& outcomes);

}  // namespace sturm
