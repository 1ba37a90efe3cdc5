// SPDX-License-Identifier: BSD-3-Clause
// fit.json: what one model is and what its fit is worth.
#pragma once

#include <array>

#include "sturm/eval/scores.h"
#include "sturm/models/linear/linear_model.h"
#include "sturm/results/describe.h"
#include "sturm/solver/options.h"

namespace sturm {

/// What one fit found and how well, or all classes together. A number that is not one, such as the gap of a method
/// without a proof, is null.
struct FitNumbers {
  double objective = not_known, dual = not_known, relative_gap = not_known;
  OrNull<Index> iterations;
  Status status = Status::converged;
  double sparsity = not_known, sparsity_in_mask = not_known;
  OrNull<Index> tubal_rank;
  double intercept = not_known;
};
template <class Field>
void describe_numbers(Field& field, FitNumbers& f) {
  field("objective", f.objective);
  field("dual", f.dual);
  field("relative_gap", f.relative_gap);
  field("iterations", f.iterations);
  field("status", f.status);
  field("sparsity", f.sparsity, "share of the coefficients that is 0");
  field("sparsity_in_mask", f.sparsity_in_mask);
  field("tubal_rank", f.tubal_rank);
  field("intercept", f.intercept);
}

/// The fit of one of several classes against the rest.
struct ClassFit : FitNumbers {
  std::string of_class;
  std::optional<OrNull<std::array<Number, 2>>> sigmoid;
};
template <>
inline constexpr const char* type_name<ClassFit> = "ClassFit";
template <class Field>
void describe(Field& field, ClassFit& f) {
  field("class", f.of_class);
  describe_numbers(field, f);
  field("sigmoid", f.sigmoid, "slope and offset of the probabilities, where they were learnt");
}

struct FitGrid {
  std::array<Index, 3> shape{};
  std::array<std::array<Number, 4>, 3> affine{};
};
template <>
inline constexpr const char* type_name<FitGrid> = "FitGrid";
template <class Field>
void describe(Field& field, FitGrid& g) {
  field("shape", g.shape);
  field("affine", g.affine);
}

/// How the setting of a fit was chosen.
struct FitChoice {
  Score score = Score::accuracy;
  double inner_score = not_known;
  Index folds = 0, settings = 0;
};
template <>
inline constexpr const char* type_name<FitChoice> = "FitChoice";
template <class Field>
void describe(Field& field, FitChoice& c) {
  field("score", c.score, "by which it was chosen");
  field("inner_score", c.inner_score, "mean over the folds: optimistic, since the best of all settings was taken");
  field("folds", c.folds);
  field("settings", c.settings, "how many there were to choose from");
}

struct FitResults {
  std::string method;
  double tau = not_known, gamma = not_known, alpha = not_known;
  FitNumbers numbers;
  Index n_samples = 0;
  std::array<Index, 3> shape{};
  double seconds = not_known;
  SolverKind solver = SolverKind::certified;
  std::string precision;
  Normalize normalize = Normalize::none;
  Setting parameters;
  std::string target;
  OrNull<std::vector<std::string>> labels;
  std::string version;
  std::optional<std::vector<ClassFit>> classes;
  std::optional<OrNull<std::array<Number, 2>>> sigmoid;
  std::optional<FitGrid> grid;
  std::optional<double> resize;
  std::optional<FitChoice> choice;
  std::optional<std::vector<std::string>> confounds;
};
template <>
inline constexpr const char* type_name<FitResults> = "FitResults";
template <class Field>
void describe(Field& field, FitResults& f) {
  field("method", f.method);
  field("tau", f.tau);
  field("gamma", f.gamma);
  field("alpha", f.alpha, "weight of the loss");
  describe_numbers(field, f.numbers);
  field("n_samples", f.n_samples);
  field("shape", f.shape);
  field("seconds", f.seconds);
  field("solver", f.solver);
  field("precision", f.precision);
  field("normalize", f.normalize);
  field("parameters", f.parameters);
  field("target", f.target, "column");
  field("labels", f.labels, "of a classification; of two, negative and positive");
  field("version", f.version, "of the program");
  field("classes", f.classes, "of more than two classes, each against the rest");
  field("sigmoid", f.sigmoid, "of two classes: slope and offset of the probabilities, where they were learnt");
  field("grid", f.grid, "of volumes: where they lie");
  field("resize", f.resize);
  field("choice", f.choice, "where the setting was chosen by cross-validation");
  field("confounds", f.confounds, "columns that were regressed out of the volumes");
}

}  // namespace sturm
