// SPDX-License-Identifier: BSD-3-Clause
// The two ways to a fit, with a setting that was given and with one that is chosen first, and what they share.
#pragma once

#include "sturm/app/fit_run.h"
#include "sturm/app/proof_files.h"
#include "sturm/core/dataset.h"
#include "sturm/eval/confounds.h"
#include "sturm/eval/nested.h"
#include "sturm/models/method.h"
#include "sturm/report/brain_map.h"
#include "sturm/results/data_facts.h"

namespace sturm {

/// A fit with all that its files need: the volumes are gone.
struct MadeFit {
  FitOutcome outcome;
  SavedModel saved;
  Target target;
  std::optional<Space> space{};
  DataFacts about{};                     ///< without the command
  std::optional<BrainMap> background{};  ///< the mean volume
  std::optional<ProofSamples> proof{};   ///< where it was asked for
};

/// Puts the values of the parameters into the outcome and its report.
void note_setting(FitOutcome& outcome, const std::vector<double>& setting, std::optional<double> tube);

/// One task, or one a class against the rest, all with the same setting.
std::vector<FitTask> tasks_of(const Target& target, const std::vector<double>& weights,
                              const std::vector<double>& setting);

/// Whose samples stay together while probabilities are learnt.
struct SampleNames {
  std::vector<std::string> ids;  ///< empty: each sample stands alone
  std::string column;
};

/// The probabilities of each part, learnt from samples left out.
template <class Real>
void learn_probabilities(const FitRequest& request, const FitData<Real>& data, const std::vector<FitTask>& tasks,
                         const Target& target, const SampleNames& names, const MethodOptions& options,
                         FitOutcome& outcome);

/// The content of the table and of the volumes.
template <class Real>
std::vector<Fact> hashes_of(const SampleNames& names, const Target& target, const Design<Real>& design);

/// The weights that samples have in training: their own, and those of their classes where these are balanced.
template <class Real>
std::vector<double> training_weights_of(const FitRequest& request, const Dataset<Real>& data);

/// A fit of samples that are in memory, with the setting of the request, whose input is not looked at: outcome, model,
/// target and space.
template <class Real>
MadeFit fit_dataset(const FitRequest& request, const Dataset<Real>& data, const std::optional<Space>& space,
                    const Confounds& confounds, Index memory, const ProgressCallback& progress);

/// Samples in memory as a study that settings are chosen on, in folds of the request; groups are the samples' ids.
template <class Real>
NestedStudy<Real> study_to_choose_on(const FitRequest& request, const Dataset<Real>& data, const Confounds& confounds,
                                     Index memory);

/// A fit whose setting was chosen, and what it was chosen from.
struct ChosenFit {
  MadeFit made;
  NestedOutcome found;
};

/// Chooses a setting on all samples of a study, in `folds` (none: as its options say), and fits them: outcome, model,
/// target and space. `spaces`: of each size; empty: arrays.
template <class Real>
ChosenFit choose_setting(const FitRequest& request, const NestedStudy<Real>& study, const Target& target,
                         const SampleNames& names, std::span<const std::optional<Space>> spaces,
                         const std::optional<Folds>& folds, Events& events);

template <class Real>
MadeFit choose_and_fit(const FitRequest& request, Events& events);

}  // namespace sturm
