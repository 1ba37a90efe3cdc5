// SPDX-License-Identifier: BSD-3-Clause
// From what a cross-validation is asked for to a study that its tasks can run on.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sturm/app/events.h"
#include "sturm/app/input.h"
#include "sturm/app/run_settings.h"
#include "sturm/eval/nested.h"
#include "sturm/imaging/learnt_mask.h"
#include "sturm/results/data_facts.h"
#include "sturm/results/study_settings.h"
#include "sturm/study/cross_validation.h"
#include "sturm/study/cv_facts.h"

namespace sturm {

enum class Preset { advised, paper };
template <>
inline std::vector<std::string> names_of<Preset>() {
  return {"advised", "paper"};
}

/// A study, loaded and in the order of its samples' names.
template <class Real>
struct CvStudy {
  NestedStudy<Real> nested;
  CvFacts facts;
  CvPlan plan;
  std::vector<std::optional<Space>> spaces;  ///< of each resolution
  std::vector<std::string> notes;
  DataFacts data;                        ///< without the command
  std::vector<std::string> given_folds;  ///< of each sample, where the outer folds are those of a column
  std::shared_ptr<const Coverage> coverage;
  std::shared_ptr<const LearntMasks<Real>> finest_masks;  ///< of the last size; none: no mask is learnt
  std::string gaps;                                       ///< hash of what the volumes lack
  std::vector<Outline> outlines;  ///< of each resolution where it was only looked over: designs are stand-ins then
};

/// What the table says about the samples beside the target, for the rows that are used.
struct StudyColumns {
  std::vector<std::string> groups, folds, volume;
  std::string group_column;  ///< empty: no groups
  Confounds confounds;
};

/// Reads them. Throws where a sample has no group or no confound, or where a column cannot be a confound.
StudyColumns read_columns(const Table& table, const CvOptions& options, const FoldChoice& outer,
                          const std::vector<Index>& rows, const std::string& target);

/// The column of the groups: as chosen, or participant_id where there is one; empty: none.
std::string group_column(const Table& table, const std::string& chosen);

/// What folds and permutations know of the samples, as far as the target says it.
SampleKeys keys_of(const Target& target);

/// The score by which settings are chosen; throws where it is for the other kind of target.
Score score_of(Score wish, bool classification);

/// How settings are chosen, as options say it; without the solver's part.
NestedOptions nested_options_of(const CvOptions& options, bool classification);

/// The methods by name; throws where one does not exist.
std::vector<std::string> methods_of(const std::string& list);

/// "0.3,0.5" as numbers in (0, most]; `option` names it in errors.
std::vector<double> numbers_of(const std::string& list, const std::string& option, double most);

/// A study without a plan: what settings are chosen on.
template <class Real>
CvStudy<Real> load_samples_to_choose_on(const InputOptions& input, const CvOptions& options, const RunSettings& run,
                                        Events& events, bool outline = false);

/// `outline`: read no voxels, for what a study will take.
template <class Real>
CvStudy<Real> load_study(const InputOptions& input, const CvOptions& options, const RunSettings& run, Events& events,
                         bool outline = false);

}  // namespace sturm
