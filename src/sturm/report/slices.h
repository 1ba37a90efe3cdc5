// SPDX-License-Identifier: BSD-3-Clause
// Single slices through a map, for figures that put their own words beside them.
#pragma once

#include <string>
#include <vector>

#include "sturm/report/brain_map.h"
#include "sturm/report/image.h"

namespace sturm {

/// A cut across one axis of the world: 0 sagittal, 1 coronal, 2 axial.
struct Slice {
  int axis = 2;
  double at = 0;                 ///< millimetres, or voxels of an array
  double width = 0, height = 0;  ///< of the picture, in the same unit
  Image image;                   ///< on black; the left of the brain is to the left
};

/// How a map is cut for a figure.
struct SliceSet {
  std::vector<Slice> axial, coronal, sagittal;
  double limit = 0;      ///< largest |weight|, where colours end
  double threshold = 0;  ///< least |weight| that is shown; 0: all that are not 0
  Index shown = 0;       ///< voxels with at least the threshold
  bool in_world = false;
};

/// Four axial, two coronal and two sagittal slices through where most weight is. Voxels
/// are shown as the list of clusters has them (threshold_of()). `under` is laid below in grey, or null. `pixels` are of
/// the widest slice.
SliceSet slices_of(const BrainMap& map, const BrainMap* under, int pixels);

}  // namespace sturm
