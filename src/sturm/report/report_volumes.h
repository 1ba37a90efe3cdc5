// SPDX-License-Identifier: BSD-3-Clause
// The volumes of a report: small enough to travel in a page.
#pragma once

#include <string>
#include <vector>

#include "sturm/report/brain_map.h"
#include "sturm/report/study.h"
#include "sturm/report/thresholds.h"

namespace sturm {

struct ReportVolume {
  std::string id;  ///< of its element: letters, digits and dashes
  VolumeKind kind = VolumeKind::map;
  std::string method;  ///< empty: of none
  std::string fold;    ///< empty: of none
  std::string label;
  BrainMap map;
  double keep = 0;       ///< what has least is left out first
  std::string file;      ///< what travels: encode() makes it
  std::string of_class;  ///< of several the one that the map tells from the rest; empty: of none
  std::string rounded;   ///< a smaller file where there is one, in which weights are rounded
  bool exact = true;     ///< `file` has the values of the map; false: it is the rounded one
  Thresholds thresholds;
};

/// Fills `file`, `rounded` and `thresholds` from the map: gzipped NIfTI-1 files in base64. Whole numbers up to 255 take
/// a byte, others are float32. The rounded file, which has its bytes in planes behind the header, is rounded_between()
/// the thresholds, so that what is shown and counted is the same. What lies under the maps is a picture alone: 8 bits
/// per voxel, as grey levels need.
void encode(ReportVolume& volume);

/// Leaves out volumes, least worth keeping first, until their smaller files have at most `bytes` in all; then takes the
/// exact files, most worth keeping first, as long as there is room. A sentence for each volume that is left out.
std::vector<std::string> fit_into(std::vector<ReportVolume>& volumes, Index bytes);

/// What the page is told of a volume.
ShownVolume facts_of(const ReportVolume& volume);

}  // namespace sturm
