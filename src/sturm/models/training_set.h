// SPDX-License-Identifier: BSD-3-Clause
// What methods learn from the samples of a task before its coefficients, and the one way back to raw volumes. A task's
// samples of positive weight are its training set; tasks of the same weights share one. Whatever is asked for is made
// when it is first asked for, from any thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "sturm/models/made_once.h"
#include "sturm/models/method.h"
#include "sturm/models/training_statistics.h"
#include "sturm/models/voxel_space.h"
#include "sturm/solver/problem.h"

namespace sturm {

template <class Real>
class TrainingSet;

/// Whose mean volume is taken away where the volumes have most of their values in common (preparation.h). It changes
/// nothing but rounding: that of all samples leaves one design for all sets, which a batch of the solver needs.
enum class CommonPart { of_set, of_all };

/// All training sets of a call: made once from its data.
template <class Real>
class TrainingSets {
 public:
  explicit TrainingSets(FitData<Real> data, CommonPart common = CommonPart::of_set);
  ~TrainingSets();
  TrainingSets(const TrainingSets&) = delete;
  TrainingSets& operator=(const TrainingSets&) = delete;

  const FitData<Real>& data() const { return data_; }
  /// Every sample, checked and normalised by sample if so asked. Raw volumes are these, but for `sample`.
  const Design<Real>& design() const;
  /// The same less what all have in common, where CommonPart::of_all asks for it.
  const Design<Real>& shared_design() const;
  /// Of the raw volumes; empty unless they are normalised by sample.
  const SampleStatistics& samples() const;
  /// X X' of the shared design, before any centring: of all samples, so that a set's is a part of it.
  std::span<const double> gram() const;
  /// The set of these weights (empty: all 1), the same whenever it is asked for.
  const TrainingSet<Real>& of(std::span<const double> weights) const;

 private:
  friend class TrainingSet<Real>;
  /// X diag(scale^2) X', where it is that of the first set that asked; empty otherwise.
  std::span<const double> gram_of_scale(const std::vector<Real>& scale) const;
  bool centres() const { return data_.intercept || data_.normalize == Normalize::voxel; }

  struct Scaled {
    std::vector<Real> scale;
    std::vector<double> gram;
  };
  FitData<Real> data_;
  CommonPart common_;
  MadeOnce<Design<Real>> design_, shared_;
  MadeOnce<SampleStatistics> samples_;
  MadeOnce<std::vector<double>> gram_;
  MadeOnce<Scaled> scaled_gram_;
  mutable std::mutex finding_;
  mutable std::map<std::vector<double>, std::unique_ptr<const TrainingSet<Real>>> sets_;
};

/// The samples of one set of weights. All that it holds is learnt from those of positive weight.
template <class Real>
class TrainingSet {
 public:
  TrainingSet(const TrainingSets<Real>& study, std::span<const double> weights);

  const FitData<Real>& data() const { return study_.data(); }
  /// Their weights and centring, as the solvers take them.
  const RowMap& rows() const { return rows_; }
  std::span<const double> weights() const { return rows_.weights(); }
  Index samples() const;  ///< of positive weight

  /// R'y of labels, centred where there is an intercept; 0 where they are constant but for the rounding of their mean.
  std::vector<double> labels(std::span<const double> y) const;
  /// The standard deviation of labels; 1 where that is 0 but for rounding.
  double deviation(std::span<const double> y) const;

  /// All samples as linear methods see them. `scale` multiplies the voxels: 1 / deviation of `voxel`, and 0 for those
  /// that are constant over the set where it is centred. Empty: all 1.
  const Design<Real>& design() const;
  const std::vector<Real>& scale() const;
  std::span<const double> gram() const;  ///< of X diag(scale); see View
  /// The same for problems of a batch. With `voxel`, constant voxels are left out as if they were outside the mask.
  const std::shared_ptr<const View<Real>>& view() const;

  /// All samples as kernels see them: every voxel or the listed columns. With `voxel`, those that are constant are left
  /// out; throws where none is left.
  VoxelSpace space() const;
  VoxelSpace space(std::vector<Index> columns) const;

  /// Mean and 1 / deviation of every voxel of TrainingSets::design(), for methods that look at volumes one by one.
  /// Empty unless they are normalised by voxel.
  VoxelScale voxel_scale() const;

  /// A dual point of the solvers, times `factor`, in the units of the samples, and its split.
  std::shared_ptr<const ProofPoint> proof(std::span<const double> theta, double factor,
                                          std::vector<Tensor> split = {}) const;

  /// A map on the scale of the set becomes a model of raw volumes, with the intercept that goes with labels y; the
  /// report gets intercept, sparsity and samples.
  std::unique_ptr<FittedModel<Real>> model(const BasicTensor<Real>& w, std::span<const double> y) const;
  /// The same of the voxels that are not zero.
  std::unique_ptr<FittedModel<Real>> model(std::span<const Index> voxels, std::span<const double> values,
                                           std::span<const double> y) const;
  /// The same of a map that has the scale of the voxels in it, one number per column.
  std::unique_ptr<FittedModel<Real>> model_of_scaled(std::vector<double> coef, std::span<const double> y) const;

 private:
  std::span<const double> shared_gram() const;
  std::unique_ptr<FittedModel<Real>> folded_back(std::vector<double> coef, std::vector<double> products,
                                                 std::span<const double> y) const;

  const TrainingSets<Real>& study_;
  RowMap rows_;
  MadeOnce<Design<Real>> design_;
  MadeOnce<std::vector<Real>> scale_;
  MadeOnce<std::vector<double>> gram_;
  MadeOnce<std::shared_ptr<const View<Real>>> view_;
};

/// Calls body(set, tasks, worker) for every set of weights with the tasks that have it, some at a time: as many as
/// `memory` allows; 0: no limit. The set is gone when the body is done.
template <class Real>
void for_each_set(
    const TrainingSets<Real>& study, std::span<const FitTask> tasks, Index memory,
    const std::function<void(const TrainingSet<Real>& set, std::span<const Index> tasks, int worker)>& body);

/// Throws where a task's labels or weights do not fit the data, a label that counts is not finite, a weight is
/// negative, or none is positive.
template <class Real>
void require_task(const FitData<Real>& data, const FitTask& task);
/// The same for all, and for their settings: as many numbers as the method has parameters, finite and not negative.
template <class Real>
void require_tasks(const Method<Real>& method, const FitData<Real>& data, std::span<const FitTask> tasks);

/// The labels of the samples that count; 0 elsewhere, where they may be anything.
std::vector<double> counted_labels(const FitTask& task);

}  // namespace sturm
