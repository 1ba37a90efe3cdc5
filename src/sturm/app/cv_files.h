// SPDX-License-Identifier: BSD-3-Clause
// The files that sturm cv writes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sturm/app/cv_study.h"
#include "sturm/report/brain_map.h"
#include "sturm/study/cv_results.h"

namespace sturm {

/// Every name that results of these methods may have, the report's among them.
std::vector<std::string> cv_file_names(const std::vector<std::string>& methods);

/// The tables, and for each method with coefficients its map and its forward pattern (of the model of all samples), its
/// readable map where it has a sparse path, its stability map (how far the outer folds agree on signs), the voxels of
/// each fold where they are few, and its trace. Into a folder that exists; their names. What outcomes are missing for
/// is not written.
std::vector<std::string> write_cv(const std::filesystem::path& folder, const ResultFiles& tables, const CvFacts& facts,
                                  const CvPlan& plan, const CvOutcomes& outcomes,
                                  const std::vector<std::optional<Space>>& spaces);

/// model_METHOD.safetensors of every method: its model of all samples, for sturm predict. Their names; a sentence in
/// `notes` for a model that is too large to be kept.
template <class Real>
std::vector<std::string> write_models(const std::filesystem::path& folder, const CvStudy<Real>& study,
                                      const CvOutcomes& outcomes, std::vector<std::string>& notes);

/// How the map of each method agrees with what was planted, where the study tells the groups of a phantom apart; `mean`
/// is the mean volume.
Named<TruthAgreement> agreement_with_truth(const BrainMap& truth, const BrainMap& mean, const CvFacts& facts,
                                           const CvPlan& plan, const CvOutcomes& outcomes,
                                           const std::vector<std::optional<Space>>& spaces);

/// Whether the folder holds the results of this very study.
bool holds_results_of(const std::filesystem::path& folder, const StudySettings& settings);

}  // namespace sturm
