// SPDX-License-Identifier: BSD-3-Clause
// The two ways to a fit, with a setting that was given and with one that is chosen first, and what they share.
#pragma once

#include "sturm/app/fit_run.h"
#include "sturm/app/proof_files.h"
#include "sturm/models/method.h"
#include "sturm/report/brain_map.h"
#include "sturm/results/data_facts.h"

namespace sturm {

/// A fit with all that its files need: the volumes are gone.
struct MadeFit {
  FitOutcome outcome;
  SavedModel saved;
  Target target;
  std::optional<Space> space;
  DataFacts about;                     ///< without the command
  std::optional<BrainMap> background;  ///< the mean volume
  std::optional<ProofSamples> proof;   ///< where it was asked for
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

template <class Real>
MadeFit choose_and_fit(const FitRequest& request, Events& events);

}  // namespace sturm
