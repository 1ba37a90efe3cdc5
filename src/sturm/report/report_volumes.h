// SPDX-License-Identifier: BSD-3-Clause
// The volumes of a report: small enough to travel in a page.
#pragma once

#include <string>
#include <vector>

#include "sturm/report/brain_map.h"
#include "sturm/report/study.h"

namespace sturm {

struct ReportVolume {
  std::string id;  ///< of its element: letters, digits and dashes
  VolumeKind kind = VolumeKind::map;
  std::string method;  ///< empty: of none
  std::string fold;    ///< empty: of none
  std::string label;
  BrainMap map;
  double keep = 0;       ///< what has least is left out first
  std::string file;      ///< encode() of the map
  std::string of_class;  ///< of several the one that the map tells from the rest; empty: of none
};

/// The map as a gzipped NIfTI-1 file of int16 in base64. 8 bits per voxel are all that an eye can see: values are
/// rounded to 1/127 of the largest, which gzip then likes.
std::string encode(const BrainMap& map);

/// Leaves out volumes, least worth keeping first, until their files have at most `bytes` in all; a sentence for each.
std::vector<std::string> fit_into(std::vector<ReportVolume>& volumes, Index bytes);

/// What the page is told of a volume.
ShownVolume facts_of(const ReportVolume& volume);

}  // namespace sturm
