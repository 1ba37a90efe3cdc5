// SPDX-License-Identifier: BSD-3-Clause
// Slices through a map side by side, as papers show them.
#pragma once

#include "sturm/report/brain_map.h"
#include "sturm/report/image.h"

namespace sturm {

enum class Palette {
  diverging,   ///< red above 0, blue below
  sequential,  ///< from dark red at 0 to yellow
};

/// A row each of axial, coronal and sagittal slices, seven of them, where the map has values; the left of the brain is to
/// the left. `under` is laid below it in grey, or null. Values are marked in millimetres, or in voxels of an array.
Image mosaic(const BrainMap& map, const BrainMap* under, Palette palette);

}  // namespace sturm
