// SPDX-License-Identifier: BSD-3-Clause
// The rows of a cross-validation's tables.
#pragma once

#include "sturm/results/describe.h"
#include "sturm/solver/options.h"
#include "sturm/solver/problem.h"

namespace sturm {

/// folds.tsv: an outer fold of a method.
struct FoldRow {
  std::string method, fold;
  Index n_train = 0, n_test = 0;
  double resize = not_known;
  Setting setting;
  double inner_score = not_known;
  ByScore<double> scores;
  double sparsity = not_known, sparsity_in_mask = not_known;
  OrNull<Index> tubal_rank;
  double objective = not_known, relative_gap = not_known;
  Index iterations = 0;
  Status status = Status::converged;
};
template <class Field>
void describe(Field& field, FoldRow& r) {
  field("method", r.method);
  field("fold", r.fold);
  field("n_train", r.n_train);
  field("n_test", r.n_test);
  field("resize", r.resize);
  field("setting", r.setting);
  field("inner_score", r.inner_score);
  field.each_score(r.scores, [](auto& of_score, const std::string& key, double& score) { of_score(key, score); });
  field("sparsity", r.sparsity);
  field("sparsity_in_mask", r.sparsity_in_mask);
  field("tubal_rank", r.tubal_rank);
  field("objective", r.objective);
  field("relative_gap", r.relative_gap);
  field("iterations", r.iterations);
  field("status", r.status);
}

/// predictions.tsv: a test sample of a method.
struct PredictionRow {
  std::string method, participant_id, path, fold, actual;
  double decision = not_known;  ///< of several classes the largest
  std::string predicted;
  std::optional<std::string> site;  ///< where the table has a column of sites
  Named<double> decisions;          ///< of several classes, by their names; not read back
};
template <class Field>
void describe(Field& field, PredictionRow& r) {
  field("method", r.method);
  field("participant_id", r.participant_id);
  field("path", r.path);
  field("fold", r.fold);
  field("actual", r.actual);
  field("decision", r.decision);
  field("predicted", r.predicted);
  field("site", r.site);
  field.others(r.decisions, "decision_");
}

/// grid.tsv: a setting in a training set.
struct GridRow {
  std::string method, fold;
  double resize = not_known;
  Setting setting;
  bool chosen = false;
  double score = not_known;
  std::vector<double> scores;
  double sparsity = not_known, worst_gap = not_known;
  Index unconverged = 0;
  std::vector<double> gaps;
  double sparsity_in_mask = not_known;
};
template <class Field>
void describe(Field& field, GridRow& r) {
  field("method", r.method);
  field("fold", r.fold);
  field("resize", r.resize);
  field("setting", r.setting);
  field("chosen", r.chosen);
  field("score", r.score);
  field("scores", r.scores);
  field("sparsity", r.sparsity);
  field("worst_gap", r.worst_gap);
  field("unconverged", r.unconverged);
  field("gaps", r.gaps);
  field("sparsity_in_mask", r.sparsity_in_mask);
}

/// How a method does in the samples of a group or a site.
struct PartRow {
  std::string method, part;
  Index n = 0;
  ByScore<double> score;  ///< one
};
/// groups.tsv
struct GroupRow : PartRow {};
/// sites.tsv
struct SiteRow : PartRow {};
template <class Field>
void describe_part(Field& field, PartRow& r, const char* column) {
  field("method", r.method);
  field(column, r.part);
  field("n", r.n);
  field.each_score(r.score, [](auto& of_score, const std::string& key, double& score) { of_score(key, score); });
}
template <class Field>
void describe(Field& field, GroupRow& r) {
  describe_part(field, r, "group");
}
template <class Field>
void describe(Field& field, SiteRow& r) {
  describe_part(field, r, "site");
}

/// null.tsv: the score of a method under permuted labels.
struct NullRow {
  std::string method;
  Index permutation = 0;
  double score = not_known;
};
template <class Field>
void describe(Field& field, NullRow& r) {
  field("method", r.method);
  field("permutation", r.permutation);
  field("score", r.score);
}

/// learning.tsv: an outer fold of a method, trained on a part of its training set.
struct LearningRow {
  std::string method, fold;
  double fraction = not_known;
  Index n_train = 0, n_test = 0;
  double resize = not_known;
  Setting setting;
  double inner_score = not_known;
  ByScore<double> scores;
};
template <class Field>
void describe(Field& field, LearningRow& r) {
  field("method", r.method);
  field("fold", r.fold);
  field("fraction", r.fraction);
  field("n_train", r.n_train);
  field("n_test", r.n_test);
  field("resize", r.resize);
  field("setting", r.setting);
  field("inner_score", r.inner_score);
  field.each_score(r.scores, [](auto& of_score, const std::string& key, double& score) { of_score(key, score); });
}

/// trace.tsv: how the gap fell.
template <class Field>
void describe(Field& field, TraceRow& r) {
  field("iteration", r.iteration);
  field("objective", r.objective);
  field("gap", r.gap);
  field("change", r.change);
}

}  // namespace sturm
