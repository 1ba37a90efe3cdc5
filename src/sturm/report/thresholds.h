// SPDX-License-Identifier: BSD-3-Clause
// Where a map may be cut, and how many voxels remain: one rule for the viewer's slider and for the list of clusters.
#pragma once

#include <string>
#include <vector>

#include "sturm/report/brain_map.h"
#include "sturm/results/describe.h"

namespace sturm {

/// Thresholds are short decimals, so that who reads one off the page and counts the voxels of the file finds the same.
/// Each is at least 2 % above the one before: rounding a value to 8 binary digits then never has to cross one.
struct Thresholds {
  std::vector<Number> least;  ///< ascending; the first is 0, which every voxel passes that is not 0
  std::vector<Index> voxels;  ///< that are not 0 and at least as large
  Index opens = 0;            ///< the one that a reader sees first, and that clusters are made with
};

/// Of a map with at most a twentieth of its box not 0 the first threshold is 0, otherwise it keeps the 2 % of the box
/// with the largest |w|. (A brain may fill as little as a tenth of its box.)
Thresholds thresholds_of(const BrainMap& map);

/// The threshold that thresholds_of() opens with, and in words which voxels pass it.
double first_threshold(const BrainMap& map, std::string& rule);

/// Each value rounded to 8 binary digits, by less than 0.8 %. No voxel becomes 0 or crosses a threshold.
BrainMap rounded_between(const BrainMap& map, const Thresholds& thresholds);

}  // namespace sturm
