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

/// From low to high.
using Range = std::array<Number, 2>;

/// A score over the outer folds, and of all predictions together.
struct ScoreResult {
  std::optional<double> mean, sd, pooled;
  std::optional<Range> interval = {};
  std::optional<double> sd_of_repeats = {};  ///< of the means of the deals of the outer folds, where there are several
};

/// What is drawn again for an interval: the samples, or groups where one has several.
enum class Unit { samples, groups };
template <>
inline std::vector<std::string> names_of<Unit>() {
  return {"samples", "groups"};
}

enum class PairedTest { mcnemar, groups, samples };
template <>
inline std::vector<std::string> names_of<PairedTest>() {
  return {"exact McNemar test", "sign flips of groups", "sign flips of samples"};
}

/// How intervals and paired tests were made.
struct StatisticsFacts {
  Number level = 0.95;
  Index draws = 0;
  Unit units = Unit::samples;
  Index count = 0;
  PairedTest paired_test = PairedTest::mcnemar;
};
template <>
inline constexpr const char* type_name<StatisticsFacts> = "StatisticsFacts";
template <class Field>
void describe(Field& field, StatisticsFacts& s) {
  field("level", s.level, "of the intervals");
  field("draws", s.draws, "of a bootstrap");
  field("units", s.units, "what is drawn: groups, with all of their samples, where one has several");
  field("count", s.count, "of these units");
  field("paired_test", s.paired_test, "of two methods on the same samples, two-sided");
}

/// Two methods on the same samples and on the same outer folds.
struct Comparison {
  std::string first, second;
  double difference = not_known;
  std::optional<Index> first_alone, second_alone;
  double p = not_known, p_adjusted = not_known;
  double fold_difference = not_known, t = not_known, fold_p = not_known, fold_p_adjusted = not_known;
};
template <>
inline constexpr const char* type_name<Comparison> = "Comparison";
template <class Field>
void describe(Field& field, Comparison& c) {
  field("first", c.first);
  field("second", c.second);
  field("difference", c.difference, "of the pooled accuracy, or R2 of a regression: the first less the second");
  field("first_alone", c.first_alone, "samples that the first alone gets right");
  field("second_alone", c.second_alone);
  field("p", c.p, "two-sided, on the same samples");
  field("p_adjusted", c.p_adjusted, "by Holm's method, for all pairs");
  field("fold_difference", c.fold_difference, "of the headline score: its mean over the outer folds");
  field("t", c.t, "of the corrected resampled t-test");
  field("fold_p", c.fold_p, "two-sided, over the outer folds");
  field("fold_p_adjusted", c.fold_p_adjusted, "by Holm's method, for all pairs");
}

/// How a map agrees with what was planted in a phantom.
struct TruthAgreement {
  Index planted = 0;
  double dice = not_known, auc = not_known, rank_correlation = not_known;
};
template <>
inline constexpr const char* type_name<TruthAgreement> = "TruthAgreement";
template <class Field>
void describe(Field& field, TruthAgreement& t) {
  field("planted", t.planted, "voxels");
  field("dice", t.dice, "of the planted voxels and as many with the largest |weight|");
  field("auc", t.auc, "the chance that a planted voxel has a larger |weight| than another");
  field("rank_correlation", t.rank_correlation, "of the weights and the planted values");
}

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

/// Of a method whose penalty makes coefficients zero: the sparsest setting whose inner score is within one standard
/// error of the best, fitted to all samples.
struct ReadableModel {
  ChosenSetting setting;
  double inner_score = not_known, best_score = not_known, standard_error = not_known;
  double objective = not_known, relative_gap = not_known;
  OrNull<Index> iterations;
  Status status = Status::converged;
  double sparsity = not_known, sparsity_in_mask = not_known;
  OrNull<Index> tubal_rank;
  bool same_as_chosen = false;
};
template <>
inline constexpr const char* type_name<ReadableModel> = "ReadableModel";
template <class Field>
void describe(Field& field, ReadableModel& r) {
  field("resize", r.setting.resize);
  field.others(r.setting.parameters, "its parameters, by their names");
  field("inner_score", r.inner_score, "mean over the inner folds");
  field("best_score", r.best_score, "that of the best setting");
  field("standard_error", r.standard_error, "of the best score: standard deviation over the inner folds / sqrt(folds)");
  field("objective", r.objective);
  field("relative_gap", r.relative_gap);
  field("iterations", r.iterations);
  field("status", r.status);
  field("sparsity", r.sparsity, "the share of the coefficients that is 0");
  field("sparsity_in_mask", r.sparsity_in_mask);
  field("tubal_rank", r.tubal_rank);
  field("same_as_chosen", r.same_as_chosen, "the setting of all_samples: nothing was fitted twice");
}

/// The headline score of models that were trained on a part of each training set.
struct LearningPoint {
  Number fraction;
  double samples = not_known, mean = not_known, sd = not_known, pooled = not_known;
  std::optional<Range> interval = {};
};
template <>
inline constexpr const char* type_name<LearningPoint> = "LearningScore";
template <class Field>
void describe(Field& field, LearningPoint& l) {
  field("fraction", l.fraction, "of each training set; 1 is all of it");
  field("samples", l.samples, "that models were trained on, mean over the outer folds");
  field("mean", l.mean, "of the headline score, over the outer folds");
  field("sd", l.sd);
  field("pooled", l.pooled, "of all predictions together");
  field("interval", l.interval, "of that, at 95 %: see statistics");
}

struct MethodResults {
  std::string title;
  ByScore<ScoreResult> scores;
  std::optional<double> binomial_p, group_p;
  std::optional<double> forced_choice;
  std::optional<Range> forced_choice_interval;
  std::optional<double> forced_choice_p;
  std::optional<ConfusionCounts> confusion;
  std::optional<double> permutation_p, null_mean, null_sd;
  std::optional<double> sparsity, sparsity_sd, sparsity_in_mask, sparsity_in_mask_sd;
  Index inner_fits = 0, inner_fits_unconverged = 0;
  double inner_worst_gap = not_known;
  Index folds_unconverged = 0;
  std::vector<ChosenSetting> chosen;
  std::optional<AllSamples> all_samples;
  std::optional<TruthAgreement> truth;
  std::optional<ReadableModel> readable;
  std::optional<std::vector<LearningPoint>> learning;
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
    of_score("pooled_" + key + "_interval", score.interval, "of that, at 95 %: see statistics");
    of_score(key + "_sd_of_repeats", score.sd_of_repeats, "standard deviation of the means of the deals of the folds");
  });
  field("binomial_p", m.binomial_p,
        "one-sided: of being right so often, if right as often as always naming the largest class; where no group has "
        "two samples");
  field("group_p", m.group_p,
        "the same where groups have several samples, which are not independent: with as many trials as the spread "
        "between groups leaves");
  field("forced_choice", m.forced_choice,
        "where each group has one sample of each class: the share of pairs of a group's samples that are told apart "
        "rightly");
  field("forced_choice_interval", m.forced_choice_interval, "at 95 %, over groups");
  field("forced_choice_p", m.forced_choice_p, "one-sided, over groups");
  field("confusion", m.confusion);
  field("permutation_p", m.permutation_p, "one-sided; never below smallest_p");
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
  field("truth", m.truth, "of a phantom: how its map agrees with what was planted");
  field("readable", m.readable, "the sparsest setting within one standard error of the best, and its model");
  field("learning", m.learning, "the headline score of models of parts of the training sets, where it was asked for");
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
  std::optional<StatisticsFacts> statistics;
  Named<MethodResults> methods;
  std::optional<std::vector<Comparison>> comparisons;

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
  field("statistics", r.statistics, "how intervals and paired tests were made");
  field("methods", r.methods);
  field("comparisons", r.comparisons, "each pair of methods, baselines apart");
}

}  // namespace sturm
