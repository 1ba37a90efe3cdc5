// SPDX-License-Identifier: BSD-3-Clause
// What a task of a cross-validation leaves in the journal: the outcome of a fold in numbers that results are made from,
// as CBOR. The same outcome gives the same bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sturm/eval/nested.h"

namespace sturm {

/// Of one method in one fold under one vector of labels. No time is in it: a resumed run has the same bytes.
struct FoldOutcome {
  std::string method;
  std::vector<GridPoint> grid;  ///< empty for a permutation
  double resize = 1;
  std::vector<double> setting;   ///< as chosen
  double inner_score = 0;        ///< its mean over the inner folds
  Index trained = 0;             ///< samples in training
  std::vector<double> decision;  ///< of the test samples, in the order of the study; of several classes one each
  double objective = 0, relative_gap = 0, sparsity = 0, sparsity_in_mask = 0, intercept = 0;
  int iterations = 0;
  Status status = Status::converged;
  Index tubal_rank = -1;
  Shape shape;
  /// Voxels whose coefficient is above 0, and below: a bit each, class after class, each class in whole bytes. Empty:
  /// it has none, or is that of a permutation.
  std::vector<std::uint8_t> positive, negative;
  std::vector<float> coef;                    ///< of the model of all samples alone, class after class
  std::vector<TraceRow> trace;                ///< of the same
  std::vector<double> fitted;                 ///< what the same says of every sample of the study, as `decision`
  SafeTensors model;                          ///< the same as a model file has it; without arrays where it is none
  std::vector<float> pattern;                 ///< the forward pattern of the same, as `coef`
  double best_score = 0, standard_error = 0;  ///< inner score of the best setting, and over the inner folds its error
  /// Of the model of all samples, where the method has a sparse path: the sparsest setting within one standard error of
  /// the best, and its model. One or none; without coefficients where it is the same setting.
  std::vector<FoldOutcome> readable;

  bool has_signs() const { return !positive.empty(); }
  /// Bytes of the signs of a class.
  Index sign_bytes() const { return (shape.size() + 7) / 8; }
  Index classes_of_signs() const { return std::ssize(positive) / sign_bytes(); }
  /// +1, -1 or 0: the sign of a voxel's coefficient.
  int sign(Index voxel, Index of_class) const;
  /// Whether the coefficient of some class is not 0.
  bool selects(Index voxel) const;
  bool is_setting_of(const FoldOutcome& other) const { return resize == other.resize && setting == other.setting; }
};

/// A model of more bytes is not kept.
inline constexpr Index most_bytes_of_model = Index{256} << 20;

/// What is kept of an outcome: the grid of true labels only, the coefficients of the model of all samples only.
FoldOutcome kept(const std::string& method, NestedOutcome outcome, bool with_grid, bool with_coefficients);

std::string encode(std::span<const FoldOutcome> outcomes);
/// `task` names the record, for errors.
std::vector<FoldOutcome> decode(std::string_view bytes, const std::string& task);

}  // namespace sturm
