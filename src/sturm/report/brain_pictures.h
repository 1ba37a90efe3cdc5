// SPDX-License-Identifier: BSD-3-Clause
// The brain on the first screen of a report: a glass brain from three sides, a row of slices and their colour bar, as
// drawings that need no script and can be printed.
#pragma once

#include "sturm/report/glass_brain.h"
#include "sturm/report/readable_map.h"

namespace sturm {

/// A drawing, and what the page is told of it.
struct BrainPicture {
  StudyPicture told;
  std::string svg;
};

/// Three views of the glass brain, at most `cuts_at_most` axial slices, and the colour bar. `under` is the anatomy, or
/// null.
std::vector<BrainPicture> brain_pictures(const Study& study, const ReadableMap& map, const BrainMap* under,
                                         int cuts_at_most = 6);

/// What the pictures show, in words: the method, how many voxels, and what the colours mean.
StudyWhere where_of(const Study& study, const ReadableMap& map);

}  // namespace sturm
