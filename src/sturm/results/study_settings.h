// SPDX-License-Identifier: BSD-3-Clause
// What a cross-validation was asked for: everything that its results depend on. What changes no result (threads, the
// shard, where files are written) does not belong here.
#pragma once

#include <cstdint>
#include <string>

#include "sturm/core/precision.h"
#include "sturm/eval/choose.h"
#include "sturm/eval/folds.h"
#include "sturm/eval/scores.h"
#include "sturm/models/method.h"
#include "sturm/results/describe.h"
#include "sturm/solver/options.h"

namespace sturm {

/// What is compared, and how. Lists are written with commas.
struct CvOptions {
  std::string methods = "sturm,sturm+svm,svm";
  FoldOptions folds;
  GridKind grid = GridKind::path;
  Score score = Score::automatic;
  ChoiceOptions choice;
  std::string resize = "1";
  std::string top;
  Index permutations = 0;
  Index repeats = 1;
  std::string learning_curve;
  bool balanced = false;
  std::string groups;
  std::string confounds;
  Normalize normalize = Normalize::none;
  bool intercept = true;
  double alpha = 1;
  double tube = 0.1;
  double inner_gap = 1e-2;
  SolverOptions solver;
};
template <class Field>
void describe(Field&& field, CvOptions& o) {
  field("methods", o.methods, "names with commas, or all: the rows of the paper's tables, MMK and SURF");
  describe(field, o.folds);
  field("grid", o.grid,
        "settings to choose from. path: relative to where coefficients become zero; paper: the paper's");
  field("score", o.score, "by which they are chosen. auto: accuracy, or r2 for a regression");
  describe(field, o.choice);
  field("resize", o.resize, "factors of the volumes' extents to choose from, such as 0.3,0.5,0.7");
  field("top", o.top, "percents of the selected voxels that + SVM may keep, such as 1,5,10,50,100");
  field("permutations", o.permutations, "how often all of it is repeated with permuted labels, for a p-value");
  field("repeats", o.repeats, "how often the outer folds are dealt anew; scores are means over all of them");
  field("learning-curve", o.learning_curve,
        "scores of smaller training sets as well: a number of steps, such as 5, or shares, such as 0.25,0.5");
  field("balanced", o.balanced, "weigh samples in training so that all classes count alike");
  field("groups", o.groups, "column whose samples stay together (default: participant_id where there is one), or none");
  field("confounds", o.confounds, "columns that are regressed out of the volumes, inside each training set");
  field("normalize", o.normalize, "none; sample: each volume to mean 0 and norm 1; voxel: each voxel to variance 1");
  field("intercept", o.intercept, "fit no intercept");
  field("alpha", o.alpha, "weight of the loss; auto: the one of the method's paper");
  field("tube", o.tube, "errors that the SVMs of a regression do not count, in standard deviations of the target");
  field("inner-gap", o.inner_gap,
        "inner fits go to this gap first, and only those whose setting could still be chosen to `gap`");
  describe(field, o.solver);
}

/// The options as they were resolved, and what stands for the data: the name of a key with a space in it is no
/// option's.
struct StudySettings {
  CvOptions options;
  std::uint64_t seed = 0;
  Precision precision = Precision::f32;
  std::string target, positive;
  bool classes = false;
  std::string mask;
  std::string weights;  ///< column
  std::string table;    ///< a hash
  std::string volumes;  ///< a hash
  int numerics = 0;     ///< goes up when the same study would give other numbers than before
};
template <>
inline constexpr const char* type_name<StudySettings> = "StudySettings";
template <class Field>
void describe(Field& field, StudySettings& s) {
  describe(field, s.options);
  field("seed", s.seed, "random numbers started here");
  field("precision", s.precision, "of the volumes and of the solver");
  field("target", s.target, "column that was predicted");
  field("positive", s.positive, "its positive value");
  field("classes", s.classes, "every value of it is a class");
  field("mask", s.mask, "auto: each training set learnt its own");
  field("weights", s.weights, "column of the samples' weights in training; scores count every sample alike");
  field("the table", s.table, "a hash of the samples' names, labels, groups, confounds, weights and folds");
  field("the volumes", s.volumes, "a hash of the volumes as they were used");
  field("the version of the numerics", s.numerics, "goes up when the same study would give other numbers");
}

/// Every setting with its value in words, by its key.
Named<std::string> in_words(const StudySettings& settings);

}  // namespace sturm
