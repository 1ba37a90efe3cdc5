// SPDX-License-Identifier: BSD-3-Clause
// The part of a report's study that is about maps and paths of settings, and how far it is; see study.h.
#pragma once

#include "sturm/report/clusters.h"
#include "sturm/results/cv_results.h"

namespace sturm {

template <>
inline constexpr const char* type_name<Cluster> = "Cluster";
template <class Field>
void describe(Field& field, Cluster& c) {
  field("peak", c.peak, "World millimetres where the file has them, voxels otherwise.");
  field("voxel", c.voxel);
  field("voxels", c.voxels);
  field("volume", c.volume, "Cubic millimetres; null without a space.");
  field("peak_weight", c.peak_weight);
  field("share", c.share, "Sum of |w| over that of the map.");
  field("same_sign", c.same_sign, "How far folds agree on the sign of its voxels' weights, in the mean.");
  field("region", c.region, "From an atlas, where one is given.");
}

struct ClassClusters {
  std::string of_class, rule;
  std::vector<Cluster> clusters;
};
template <>
inline constexpr const char* type_name<ClassClusters> = "ClassClusters";
template <class Field>
void describe(Field& field, ClassClusters& c) {
  field("class", c.of_class);
  field("rule", c.rule);
  field("clusters", c.clusters);
}

/// The sparsest setting within one standard error of the best inner score, fitted to all samples.
struct StudyReadable {
  double resize = not_known;
  Setting setting;
  double inner_score = not_known, best_score = not_known, standard_error = not_known;
  double sparsity = not_known, sparsity_in_mask = not_known;
  OrNull<Index> tubal_rank;
  double relative_gap = not_known;
  Status status = Status::converged;
  bool chosen = false;
  std::vector<Cluster> clusters;
  std::string cluster_rule;
  std::vector<ClassClusters> class_clusters;
};
template <>
inline constexpr const char* type_name<StudyReadable> = "Readable";
template <class Field>
void describe(Field& field, StudyReadable& r) {
  field("resize", r.resize);
  field("setting", r.setting);
  field("inner_score", r.inner_score, "Mean over the inner folds of all samples.");
  field("best_score", r.best_score, "That of the best setting.");
  field("standard_error", r.standard_error, "Of the best score, over the inner folds.");
  field("sparsity", r.sparsity);
  field("sparsity_in_mask", r.sparsity_in_mask);
  field("tubal_rank", r.tubal_rank);
  field("relative_gap", r.relative_gap);
  field("status", r.status);
  field("chosen", r.chosen, "It is the setting of the method's map as well; there is no second map then.");
  field("clusters", r.clusters, "Of its map; none where it is the chosen one.");
  field("cluster_rule", r.cluster_rule);
  field("class_clusters", r.class_clusters);
}

/// A setting of the grid of the model of all samples.
struct StudyPathPoint {
  double resize = not_known;
  Setting setting;
  double score = not_known, sparsity_in_mask = not_known;
  bool front = false, chosen = false, readable = false;
};
template <>
inline constexpr const char* type_name<StudyPathPoint> = "PathPoint";
template <class Field>
void describe(Field& field, StudyPathPoint& p) {
  field("resize", p.resize);
  field("setting", p.setting);
  field("score", p.score, "Mean over the inner folds.");
  field("sparsity_in_mask", p.sparsity_in_mask, "Mean over the inner folds.");
  field("front", p.front, "Of the settings that are about as sparse it has the best score.");
  field("chosen", p.chosen);
  field("readable", p.readable, "The sparsest setting within one standard error of the best.");
}

/// The headline score of models of a part of each training set.
struct StudyLearning {
  Number fraction;
  double samples = not_known, mean = not_known, sd = not_known, pooled = not_known;
  OrNull<std::array<double, 2>> interval;
};
template <>
inline constexpr const char* type_name<StudyLearning> = "LearningPoint";
template <class Field>
void describe(Field& field, StudyLearning& l) {
  field("fraction", l.fraction, "Of each training set; 1 is all of it.");
  field("samples", l.samples, "That models were trained on, mean over the outer folds.");
  field("mean", l.mean, "Of the headline score, over the outer folds.");
  field("sd", l.sd);
  field("pooled", l.pooled, "Of all predictions together.");
  field("interval", l.interval, "Of all predictions together, at 95 %.");
}

/// How far a study is that is not finished.
struct StudyProgress {
  Index done = 0, tasks = 0;
  double share = not_known, seconds_left = not_known;
};
template <>
inline constexpr const char* type_name<StudyProgress> = "Progress";
template <class Field>
void describe(Field& field, StudyProgress& p) {
  field("done", p.done, "Tasks.");
  field("tasks", p.tasks, "In all.");
  field("share", p.share, "Of the work, by what each task takes.");
  field("seconds_left", p.seconds_left, "Where it is known.");
}

}  // namespace sturm
