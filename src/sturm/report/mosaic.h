// SPDX-License-Identifier: BSD-3-Clause
// Slices through a map side by side, as papers show them.
#pragma once

#include "sturm/report/brain_map.h"
#include "sturm/report/image.h"

namespace sturm {

enum class Palette {
  diverging,   ///< orange above 0, blue below
  sequential,  ///< from dark blue at 0 to yellow
};

/// Where slices are cut, in millimetres (or voxels of an array): seven along each axis of the world.
using Cuts = std::array<std::vector<double>, 3>;

/// Half of the cuts are spread evenly over the maps' box and half go to where the maps, each as much as the others,
/// have their weight: the same cuts for all maps, so that they can be compared. There must be a map.
Cuts cuts_through(const std::vector<const BrainMap*>& maps);

/// A row each of axial, coronal and sagittal slices; the left of the brain is to the left. `under` is laid below the
/// map in grey, or null.
Image mosaic(const BrainMap& map, const BrainMap* under, const Cuts& cuts, Palette palette);

}  // namespace sturm
