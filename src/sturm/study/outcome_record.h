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
  std::vector<double> decision;  ///< of the test samples, in the order of the study; of several classes one each
  double objective = 0, relative_gap = 0, sparsity = 0, sparsity_in_mask = 0, intercept = 0;
  int iterations = 0;
  Status status = Status::converged;
  Index tubal_rank = -1;
  Shape shape;
  std::vector<std::uint8_t> support;  ///< voxels whose coefficient is not 0 (in any class), a bit each; empty: none
  std::vector<float> coef;            ///< of the model of all samples alone, class after class
  std::vector<TraceRow> trace;        ///< of the same
  std::vector<double> fitted;         ///< what the same says of every sample of the study, as `decision`
  SafeTensors model;                  ///< the same as a model file has it; without arrays where it is none
};

/// A model of more bytes is not kept.
inline constexpr Index most_bytes_of_model = Index{256} << 20;

/// What is kept of an outcome: the grid of true labels only, the coefficients of the model of all samples only.
FoldOutcome kept(const std::string& method, NestedOutcome outcome, bool with_grid, bool with_coefficients);

std::string encode(std::span<const FoldOutcome> outcomes);
/// `task` names the record, for errors.
std::vector<FoldOutcome> decode(std::string_view bytes, const std::string& task);

}  // namespace sturm
