// SPDX-License-Identifier: BSD-3-Clause
// How a map agrees with what was planted in a phantom.
#pragma once

#include <optional>

#include "sturm/report/brain_map.h"
#include "sturm/results/cv_results.h"

namespace sturm {

/// Over the voxels where `mean`, the mean volume, is not 0: those outside are told from the others by no method. All
/// three are brought to the grid of the map. None where nothing is planted there, or everything, and where arrays
/// differ in shape. Equal weights share what they contribute: of Dice that is what they overlap with on average.
std::optional<TruthAgreement> agreement_with(const BrainMap& truth, const BrainMap& map, const BrainMap& mean);

/// Whether a phantom's truth is about this target: what is planted is the difference between its groups.
bool is_planted_target(const std::string& column, const std::optional<std::vector<std::string>>& labels);

}  // namespace sturm
