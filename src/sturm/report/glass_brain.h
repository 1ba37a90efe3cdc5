// SPDX-License-Identifier: BSD-3-Clause
// Flat pictures of a map: one slice over anatomy, and a glass brain, which shows the strongest weight along each line
// of sight. Both show the voxels of a threshold and no others, each in the colour of its weight.
#pragma once

#include <utility>
#include <vector>

#include "sturm/report/brain_map.h"
#include "sturm/report/image.h"

namespace sturm {

/// What is shown of a map: weights of at least `least`, in the colours of their part of `limit`.
struct ShownWeights {
  const BrainMap& map;
  double least = 0;  ///< 0: every weight that is not 0
  double limit = 1;

  bool shows(double weight) const;
  Colour colour(double weight) const;
};

/// The pixels of a view along an axis of the world: 0 from the right, 1 from the front, 2 from above. The left of the
/// brain is to the left, its front is to the right or up, its top is up.
struct ViewPlane {
  int through = 2, across = 0, up = 1;     ///< axes of the world
  double left = 0, bottom = 0, pixel = 1;  ///< edges and the size of a pixel, in millimetres or voxels
  int width = 1, height = 1;

  double x(int column) const { return left + (column + 0.5) * pixel; }  ///< middle of a pixel
  double y(int row) const { return bottom + (height - row - 0.5) * pixel; }
  double column(double at) const { return (at - left) / pixel; }  ///< place in the picture
  double row(double at) const { return height - (at - bottom) / pixel; }
};

/// A plane that holds all of the brain: `under` where it is there, otherwise the map. A voxel is a whole number of
/// pixels wide where the voxels are cubes, and the widest side of the brain has about `pixels` pixels.
ViewPlane view_plane(const BrainMap& map, const BrainMap* under, int through, int pixels);

/// One slice; `under` is laid below in grey from black to white over `window`, or null.
Image slice_image(const ShownWeights& shown, const BrainMap* under, std::pair<double, double> window,
                  const ViewPlane& plane, double at);

using PixelPlace = std::pair<double, double>;
using PixelLine = std::pair<PixelPlace, PixelPlace>;

struct GlassView {
  Image image;
  std::vector<PixelLine> outline;  ///< of the brain, piece by piece, in pixels
};

/// Of the weights that are seen behind each other the strongest has the pixel; of equals the first in the array.
GlassView glass_view(const ShownWeights& shown, const BrainMap* under, const ViewPlane& plane);

/// Where to cut: the slices across an axis of the world with most weight, no two of them close together, and where
/// these are fewer, others spread over the brain; `count` of them at most, in order.
std::vector<double> slices_through(const ShownWeights& shown, const BrainMap* under, int axis, int count);

}  // namespace sturm
