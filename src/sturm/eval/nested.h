// SPDX-License-Identifier: BSD-3-Clause
// Nested cross-validation of one training set: its inner folds choose the setting, and a model with that setting
// predicts samples that none of it has seen. Whatever is learnt (mask, confounds, scaling, ranks, setting) is learnt
// from the training samples: the others are not even in the design.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sturm/eval/choose.h"
#include "sturm/eval/confounds.h"
#include "sturm/eval/folds.h"
#include "sturm/eval/scores.h"
#include "sturm/models/files/model_file.h"
#include "sturm/models/method.h"

namespace sturm {

/// Of the inner fits of a training set at one size: above this they are not kept, and exact fits begin from nothing.
inline constexpr Index most_bytes_of_ends = Index{128} << 20;

/// The volumes at one size.
template <class Real>
struct Resolution {
  double resize = 1;
  Design<Real> design;  ///< of the voxels of the mask; where masks are learnt, of all that one may hold
  /// The samples `rows` as the voxels of the mask that the samples `train` teach; empty: all of them. None: the mask is
  /// given, and `design` has its voxels.
  std::function<Design<Real>(std::span<const Index> train, std::span<const Index> rows)> learn{};

  Design<Real> volumes(std::span<const Index> train, std::span<const Index> rows) const {
    return learn ? learn(train, rows) : part_of(design, rows, design.region());
  }
};

/// A setting to choose from: its numbers, of which the relative ones (Method::relative_setting) are those of a strength
/// and a balance, where there is a strength.
struct GivenSetting {
  std::vector<double> values;
  double strength = std::numeric_limits<double>::quiet_NaN(), balance = 0.5;
};

struct NestedOptions {
  GridKind grid = GridKind::path;
  std::vector<GivenSetting> settings{};  ///< in place of the grid, the largest penalties first; empty: the grid
  Score score = Score::accuracy;
  FoldChoice inner;
  ChoiceOptions choice;
  std::vector<double> top;  ///< percents of "+ SVM" to choose from; empty: the method's own
  Normalize normalize = Normalize::none;
  bool intercept = true;
  bool balanced = false;  ///< all classes of a training set count alike
  double alpha = 1;
  double tube = 0.1;  ///< of a regression, see FitData
  /// Inner fits go to this gap, and only those whose setting could still be chosen to that of `method`; 0, or what is
  /// below that: all of them.
  double inner_gap = 0;
  MethodOptions method;
};

/// What all folds of a study share. The entries of keys, and of the designs' samples, are in one order.
template <class Real>
struct NestedStudy {
  std::vector<Resolution<Real>> resolutions;
  SampleKeys keys;
  Confounds confounds;          ///< empty: none
  std::vector<double> weights;  ///< of the samples in training; 0: never trained on. Empty: all 1. Scores know none
  NestedOptions options;
  linalg::Backend* backend = nullptr;  ///< must be set

  /// Those that anything is learnt from.
  std::vector<Index> counted_samples() const {
    std::vector<Index> out;
    for (Index row = 0; row < keys.rows(); ++row)
      if (weights.empty() || weights[row] > 0) out.push_back(row);
    return out;
  }

  FitData<Real> data(const Method<Real>& method, const Design<Real>& design) const {
    return {*backend,
            design,
            {},
            options.normalize,
            options.intercept || method.needs_intercept(),
            options.alpha,
            keys.classification ? std::nullopt : std::optional(options.tube)};
  }
};

/// Methods that share their fits: one alone, or one that chooses voxels and its "+ SVM".
template <class Real>
using Family = std::vector<const Method<Real>*>;

/// What is done about the sparsest setting near the best (choose.h), of the first labels: its inner fits become exact,
/// so that whoever only looks for it has the same grid as who fits its model too.
enum class Readable { not_asked, looked_for, fitted };

/// What an outer fold is asked for.
struct NestedTask {
  std::vector<Index> train, test;
  std::vector<std::vector<double>> labels;  ///< the targets of all samples, one vector a permutation; each has inner
                                            ///< folds of its own, as they are balanced by the labels
  std::uint64_t stream = 0;                 ///< of the inner folds: the same for all families
  std::optional<Folds> inner{};             ///< in place of those, in rows of the study
  bool keep_model = false;                  ///< NestedOutcome::model is wanted, of the first labels
  Readable readable = Readable::not_asked;  ///< NestedOutcome::readable
  bool fewer_folds = false;                 ///< as many inner folds as the samples allow, where they are fewer
};

/// A setting, and how it did.
struct GridPoint {
  double resize = 1;
  std::vector<double> setting;
  std::vector<double> scores;  ///< one an inner fold
  double sparsity = 0;         ///< mean over the inner folds, in the box
  std::vector<double> gaps;    ///< one an inner fold; NaN where a method proves none
  Index unconverged = 0;
  double sparsity_in_mask = 0;

  double worst_gap() const;  ///< of those that are proven; 0 where none is
};

/// The sparsest setting within one standard error of the best, and its model; see choose.h.
struct ReadableOutcome {
  Sparsest sparsest;
  std::size_t resolution = 0;
  /// Of its model, and its coefficients on raw volumes, class after class; both empty where it is the chosen setting.
  FitReport report;
  std::vector<float> coef;
  Shape shape;
};

struct NestedOutcome {
  std::vector<GridPoint> grid;
  Choice choice;
  Index trained = 0;             ///< samples in training
  std::vector<double> decision;  ///< of the test samples; of several classes one each, a sample's side by side
  FitReport report;              ///< of the model that gave it; of several classes: see merged_report()
  std::size_t resolution = 0;    ///< chosen
  Shape shape;
  std::vector<float> coef;          ///< of that model, on raw volumes, class after class; empty where it has none
  std::vector<std::uint8_t> mask;   ///< empty: every voxel
  std::vector<FitReport> parts;     ///< of each class where there are several, or the one of `report`
  std::optional<SavedModel> model;  ///< where NestedTask::keep_model asks for it: what a model file holds of the fit
  std::vector<double> fitted;       ///< what that model says of every sample of the study, as `decision`
  std::vector<float> pattern;       ///< its forward pattern where it has coefficients, as `coef`
  std::optional<ReadableOutcome> readable;  ///< of a method with a sparse path, where it is asked for

  const GridPoint& chosen() const { return grid[choice.chosen]; }
};

/// How far a task is: fits done and fits in all. False asks to stop.
using NestedProgress = std::function<bool(Index done, Index total)>;

/// By method of the family, then by vector of labels.
template <class Real>
std::vector<std::vector<NestedOutcome>> nested(const NestedStudy<Real>& study, const Family<Real>& family,
                                               const NestedTask& task, const NestedProgress& progress = {});

}  // namespace sturm
