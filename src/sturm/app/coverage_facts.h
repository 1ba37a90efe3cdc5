// SPDX-License-Identifier: BSD-3-Clause
// What there is to say of volumes beside their values: where they have any, and which are unlike the others.
#pragma once

#include <string>
#include <vector>

#include "sturm/eval/folds.h"
#include "sturm/imaging/coverage.h"
#include "sturm/imaging/learnt_mask.h"
#include "sturm/imaging/outliers.h"
#include "sturm/results/data_facts.h"

namespace sturm {

/// How well the target can be told from coverage alone (eval/coverage.h), in the whole volumes and inside a mask on
/// their grid; an empty mask is every voxel. Where 0 is a value (covered_voxels()), what is not finite counts alone:
/// where lesions are is what such a study is about. `target` names the column for the sentence.
CoverageFacts coverage_facts(const Coverage& coverage, std::span<const std::uint8_t> mask, const SampleKeys& keys,
                             const std::string& target, std::uint64_t seed);

/// Whether volumes that are left out lack voxels that the mask of their training set holds: they count as 0. One
/// sentence; empty: they do not.
template <class Real>
std::string lacking_when_tested(const LearntMasks<Real>& masks, const Coverage& coverage, const Folds& outer,
                                const std::vector<std::string>& names);

/// A sentence for each sample that is the same everywhere or stands out; `names` are of the samples.
std::vector<std::string> describe_outliers(const std::vector<VolumeLevel>& levels,
                                           const std::vector<std::string>& names);

}  // namespace sturm
