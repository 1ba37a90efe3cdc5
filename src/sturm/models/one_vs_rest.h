// SPDX-License-Identifier: BSD-3-Clause
// Several classes by any method of two: one task a class, that class against the rest, all of them in one batch.
#pragma once

#include <vector>

#include "sturm/models/method.h"

namespace sturm {

/// Like FitTask, with the number of its class, from 0, for every sample.
struct ClassTask {
  std::vector<int> label;
  std::vector<double> weights;  ///< 0: not in the training set. Empty: all 1
  std::vector<double> setting;
};

/// One model a class. The class of a sample is the one of the largest decision value; the first among equals.
template <class Real>
class OneVsRestModel {
 public:
  explicit OneVsRestModel(std::vector<std::unique_ptr<FittedModel<Real>>> models) : models_(std::move(models)) {}

  Index classes() const { return static_cast<Index>(models_.size()); }
  const FittedModel<Real>& model(Index c) const { return *models_[c]; }
  std::vector<int> predicted() const;  ///< of every sample of the design it was fitted on
  std::vector<int> predicted(const Design<Real>& x) const;

 private:
  std::vector<std::unique_ptr<FittedModel<Real>>> models_;
};

/// Fits every task; `take` gets each model once all of its classes are found. A class that no training sample belongs
/// to is an error, and so are fewer than two.
template <class Real>
void fit_one_vs_rest(const Method<Real>& method, const FitData<Real>& data, std::span<const ClassTask> tasks,
                     const MethodOptions& options,
                     const std::function<void(Index task, std::unique_ptr<OneVsRestModel<Real>> model)>& take);

}  // namespace sturm
