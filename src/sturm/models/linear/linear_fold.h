// SPDX-License-Identifier: BSD-3-Clause
// The samples of a task as linear methods see them, and the way back to the scale of the raw volumes.
#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "sturm/models/method.h"

namespace sturm {

/// A design that was checked and, if so asked, normalised by sample: once for all tasks of a call.
template <class Real>
class LinearStudy {
 public:
  explicit LinearStudy(const FitData<Real>& data);

  const FitData<Real>& data() const { return data_; }
  const Design<Real>& design() const { return design_; }
  /// X X', before any centring: of all samples, so that a fold's is a part of it. Made at the first call.
  std::span<const double> gram() const;

 private:
  const FitData<Real>& data_;
  Design<Real> design_;
  mutable std::once_flag once_;
  mutable std::vector<double> gram_;
};

/// The tasks of one set of weights. All that it holds is learnt from samples of positive weight.
template <class Real>
class LinearFold {
 public:
  LinearFold(const LinearStudy<Real>& study, std::span<const double> weights);

  const Design<Real>& design() const { return design_; }
  const RowMap& rows() const { return rows_; }
  const std::vector<Real>& scale() const { return scale_; }
  std::vector<double> labels(std::span<const double> y) const;  ///< R'y, centred where there is an intercept
  std::span<const double> gram() const;                         ///< of X diag(scale); see View

  /// w on the fold's scale, as the voxels that are not zero, becomes a model of raw volumes; the report gets intercept,
  /// sparsity and samples.
  std::unique_ptr<FittedModel<Real>> model(std::span<const Index> voxels, std::span<const double> values,
                                           std::span<const double> y) const;

 private:
  const LinearStudy<Real>& study_;
  bool centre_;
  RowMap rows_, plain_;
  Design<Real> design_;
  std::vector<Real> scale_;  ///< empty: 1
  mutable std::vector<double> gram_;
};

/// Calls body(fold, tasks, worker) for every set of weights with the tasks that have it, some at a time: as many as
/// `memory` allows; 0: no limit.
template <class Real>
void for_each_fold(
    const LinearStudy<Real>& study, std::span<const FitTask> tasks, Index memory,
    const std::function<void(const LinearFold<Real>& fold, std::span<const Index> tasks, int worker)>& body);

/// Checks a task against the data and its setting against the parameters: numbers that are finite and not negative.
template <class Real>
void require_task(const FitData<Real>& data, const FitTask& task, const std::vector<Parameter>& parameters);

/// The labels of the samples that count; 0 elsewhere, where they may be anything.
std::vector<double> counted_labels(const FitTask& task);

/// 1e-3, 5e-3, ..., 5e2, 1e3.
std::vector<double> paper_values();

}  // namespace sturm
