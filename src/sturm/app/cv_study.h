// SPDX-License-Identifier: BSD-3-Clause
// From what a cross-validation is asked for to a study that its tasks can run on.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sturm/app/events.h"
#include "sturm/app/input.h"
#include "sturm/app/run_settings.h"
#include "sturm/study/cv_results.h"

namespace sturm {

enum class Preset { advised, paper };
template <>
inline std::vector<std::string> names_of<Preset>() {
  return {"advised", "paper"};
}

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

/// A study, loaded and in the order of its samples' names.
template <class Real>
struct CvStudy {
  NestedStudy<Real> nested;
  CvFacts facts;
  CvPlan plan;
  std::vector<std::optional<Space>> spaces;  ///< of each resolution
  std::vector<std::string> notes;
  nlohmann::ordered_json data;  ///< of data.json; the command is not in it
};

/// The methods by name; throws where one does not exist.
std::vector<std::string> methods_of(const std::string& list);

/// "0.3,0.5" as numbers in (0, most]; `option` names it in errors.
std::vector<double> numbers_of(const std::string& list, const std::string& option, double most);

template <class Real>
CvStudy<Real> load_study(const InputOptions& input, const CvOptions& options, const RunSettings& run, Events& events);

}  // namespace sturm
