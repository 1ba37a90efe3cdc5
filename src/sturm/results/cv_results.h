// SPDX-License-Identifier: BSD-3-Clause
// results.json: what a cross-validation found.
#pragma once

#include <array>

#include "sturm/eval/permutation.h"
#include "sturm/results/study_settings.h"

namespace sturm {

template <>
inline std::vector<std::string> names_of<Exchange>() {
  return {"samples", "within groups", "whole groups of equal size", "whole groups"};
}

/// A score over the outer folds, and of all predictions together.
struct ScoreResult {
  std::optional<double> mean, sd, pooled;
  std::optional<double> sd_of_repeats;  ///< of the means of the deals of the outer folds, where there are several
};

/// Counts of right and wrong predictions; of several classes the matrix alone.
struct ConfusionCounts {
  std::optional<Index> true_positive, false_positive, true_negative, false_negative;
  std::optional<std::vector<std::vector<Index>>> matrix;
};
template <>
inline constexpr const char* type_name<ConfusionCounts> = "ConfusionCounts";
template <class Field>
void describe(Field& field, ConfusionCounts& c) {
  field("true_positive", c.true_positive);
  field("false_positive", c.false_positive);
  field("true_negative", c.true_negative);
  field("false_negative", c.false_negative);
  field("matrix", c.matrix, "of more than two classes: a row for each actual, a column for each predicted class");
}

/// What an outer fold chose.
struct ChosenSetting {
  double resize = not_known;
  Named<Number> parameters;
};
template <>
inline constexpr const char* type_name<ChosenSetting> = "ChosenSetting";
template <class Field>
void describe(Field& field, ChosenSetting& c) {
  field("resize", c.resize);
  field.others(c.parameters, "its parameters, by their names");
}

/// The model of all samples.
struct AllSamples {
  ChosenSetting chosen;
  double inner_score = not_known, objective = not_known, relative_gap = not_known;
  OrNull<Index> iterations;
  Status status = Status::converged;
  std::optional<double> sparsity, sparsity_in_mask;
  std::optional<OrNull<Index>> tubal_rank;
  std::optional<std::array<Index, 3>> shape;
};
template <>
inline constexpr const char* type_name<AllSamples> = "AllSamples";
template <class Field>
void describe(Field& field, AllSamples& a) {
  field("resize", a.chosen.resize);
  field.others(a.chosen.parameters, "its parameters, by their names");
  field("inner_score", a.inner_score, "mean over the inner folds");
  field("objective", a.objective);
  field("relative_gap", a.relative_gap);
  field("iterations", a.iterations);
  field("status", a.status);
  field("sparsity", a.sparsity, "of a method with coefficients: the share that is 0");
  field("sparsity_in_mask", a.sparsity_in_mask);
  field("tubal_rank", a.tubal_rank);
  field("shape", a.shape);
}

struct MethodResults {
  std::string title;
  ByScore<ScoreResult> scores;
  std::optional<std::array<Number, 2>> pooled_accuracy_interval;
  std::optional<double> binomial_p;
  std::optional<ConfusionCounts> confusion;
  std::optional<double> permutation_p, null_mean, null_sd;
  std::optional<double> sparsity, sparsity_sd, sparsity_in_mask, sparsity_in_mask_sd;
  Index inner_fits = 0, inner_fits_unconverged = 0;
  double inner_worst_gap = not_known;
  Index folds_unconverged = 0;
  std::vector<ChosenSetting> chosen;
  std::optional<AllSamples> all_samples;
};
template <>
inline constexpr const char* type_name<MethodResults> = "MethodResults";
template <class Field>
void describe(Field& field, MethodResults& m) {
  field("title", m.title);
  field.each_score(m.scores, [](auto& of_score, const std::string& key, ScoreResult& score) {
    of_score(key, score.mean, "mean over the outer folds");
    of_score(key + "_sd", score.sd, "its standard deviation");
    of_score("pooled_" + key, score.pooled, "of all predictions together; of several deals, of their mean");
    of_score(key + "_sd_of_repeats", score.sd_of_repeats, "standard deviation of the means of the deals of the folds");
  });
  field("pooled_accuracy_interval", m.pooled_accuracy_interval, "exact, at 95 %");
  field("binomial_p", m.binomial_p);
  field("confusion", m.confusion);
  field("permutation_p", m.permutation_p);
  field("null_mean", m.null_mean, "of the score under permuted labels");
  field("null_sd", m.null_sd);
  field("sparsity", m.sparsity, "of a method with coefficients: the share that is 0, mean over the outer folds");
  field("sparsity_sd", m.sparsity_sd);
  field("sparsity_in_mask", m.sparsity_in_mask);
  field("sparsity_in_mask_sd", m.sparsity_in_mask_sd);
  field("inner_fits", m.inner_fits);
  field("inner_fits_unconverged", m.inner_fits_unconverged);
  field("inner_worst_gap", m.inner_worst_gap);
  field("folds_unconverged", m.folds_unconverged);
  field("chosen", m.chosen, "by each outer fold that is done");
  field("all_samples", m.all_samples, "the model of all samples");
}

struct GroupCount {
  std::string column;
  Index count = 0;
};
template <>
inline constexpr const char* type_name<GroupCount> = "GroupCount";
template <class Field>
void describe(Field& field, GroupCount& g) {
  field("column", g.column);
  field("count", g.count);
}

struct CvResults {
  std::string version;
  std::string target;
  std::optional<std::vector<std::string>> labels;
  Index samples = 0;
  std::optional<std::vector<Index>> class_samples;
  std::optional<Index> positive_samples;
  std::optional<double> chance, majority;
  std::optional<GroupCount> groups;
  Index outer_folds = 0;
  std::optional<Index> repeats;
  Score score = Score::accuracy;
  std::vector<double> resize;
  Index permutations = 0;
  std::optional<Exchange> permuted;
  std::optional<double> smallest_p;
  std::optional<StudySettings> settings;
  Named<MethodResults> methods;

  bool classification() const { return labels.has_value(); }
};
template <>
inline constexpr const char* type_name<CvResults> = "CvResults";
template <class Field>
void describe(Field& field, CvResults& r) {
  field("version", r.version, "of the program");
  field("target", r.target, "column");
  field("labels", r.labels, "of a classification; of two, negative and positive");
  field("samples", r.samples);
  field("class_samples", r.class_samples, "of more than two classes");
  field("positive_samples", r.positive_samples, "of two classes");
  field("chance", r.chance, "1 / number of classes");
  field("majority", r.majority, "accuracy of always naming the largest class");
  field("groups", r.groups, "whose samples stay together");
  field("outer_folds", r.outer_folds);
  field("repeats", r.repeats, "how often they were dealt, where more than once");
  field("score", r.score, "by which settings were chosen");
  field("resize", r.resize);
  field("permutations", r.permutations);
  field("permuted", r.permuted, "what changed places");
  field("smallest_p", r.smallest_p, "that permutations can give");
  field("settings", r.settings);
  field("methods", r.methods);
}

}  // namespace sturm
