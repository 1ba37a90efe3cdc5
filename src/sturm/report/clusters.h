// SPDX-License-Identifier: BSD-3-Clause
// The connected parts of a map, as a table of a paper lists them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sturm/report/brain_map.h"
#include "sturm/results/describe.h"

namespace sturm {

struct Cluster {
  Point peak{};                  ///< where |w| is largest: millimetres, or voxels of an array
  std::array<Index, 3> voxel{};  ///< the same place, counted from 0
  Index voxels = 0;
  OrNull<double> volume;     ///< cubic millimetres
  Number peak_weight = 0;    ///< w there, with its sign
  Number share = 0;          ///< sum of |w| over that of the whole map
  OrNull<double> same_sign;  ///< mean over its voxels of the stability
  std::string region;        ///< from an atlas; empty: none
};

/// Region names by value.
struct Atlas {
  BrainMap map;
  std::map<Index, std::string> names;  ///< a value that is not here is called by its number

  /// The region at a place of the world (or a voxel of an array); empty outside all of them.
  std::string region_at(const Point& place) const;
};

/// `labels` is a table with a column of whole numbers (index, value, id or label) and one of names (name, region or
/// label); empty: regions are called by their numbers.
Atlas read_atlas(const std::filesystem::path& file, const std::filesystem::path& labels);

struct ClusterList {
  std::vector<Cluster> clusters;  ///< those with most weight first
  Index found = 0;                ///< in all; more than are listed where there are very many
  std::string rule;               ///< which voxels they are made of, in words
};

/// Which voxels of a map stand for it.
struct MapThreshold {
  double least = 0;  ///< the least |w| that counts; 0: every voxel that is not 0
  Index voxels = 0;  ///< that count
  bool cut = false;  ///< too many are not 0, so that only the strongest count
  std::string rule;  ///< in words
};

/// As first_threshold() (report/thresholds.h) cuts it, and the viewer.
MapThreshold threshold_of(const BrainMap& map);

/// `stability`: the share of folds in which a weight is positive less that in which it is negative, without its sign.
/// Voxels belong together that share a face or an edge (18 neighbours). They are those of threshold_of(): a map with
/// more than a twentieth of its box not 0 has no clusters worth a name otherwise.
ClusterList clusters_of(const BrainMap& map, const BrainMap* stability, const Atlas* atlas, std::size_t most = 50);

}  // namespace sturm
