// SPDX-License-Identifier: BSD-3-Clause
// Which map of a report a reader is shown first.
#pragma once

#include <optional>

#include "sturm/report/clusters.h"
#include "sturm/report/report_volumes.h"

namespace sturm {

struct ReadableMap {
  const ReportVolume* volume = nullptr;
  MapThreshold shown;  ///< the voxels that stand for it, as in its clusters
  std::string why;     ///< why it and no other, in a sentence
};

/// The map of first_map(): of several classes the first one's. None where there is no map with a weight.
std::optional<ReadableMap> readable_map(const Study& study, const std::vector<ReportVolume>& volumes);

}  // namespace sturm
