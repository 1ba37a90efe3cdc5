// SPDX-License-Identifier: BSD-3-Clause
// Volumes that are unlike the others of their study: another scale, another level, or wild values all over.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sturm/core/design.h"

namespace sturm {

/// What a volume is like as a whole.
struct VolumeLevel {
  double centre = 0;  ///< mean or median of its values
  double spread = 0;  ///< standard deviation, or the range between the quarters; 0: the same everywhere
  Index voxels = 0;   ///< that were counted
  Index extreme = 0;  ///< of which far from the others of the volume
  bool known = true;  ///< false: the volume could not be read, and says nothing of the others
};

/// For each volume how it stands out, such as "its values spread over 41 times the usual range"; empty: it does not. A
/// volume is compared with the medians over all volumes, in units of their median absolute deviation, and has to differ
/// by a large factor as well: ten such deviations and a factor of three in spread, ten and the usual spread itself in
/// level, and extreme values in more than one voxel of a thousand and ten times as many as three quarters of the
/// volumes have. Nothing stands out among fewer than five.
std::vector<std::string> what_stands_out(std::span<const VolumeLevel> levels);

/// Mean and standard deviation of each sample over the columns of a design.
template <class Real>
std::vector<VolumeLevel> levels_of(const Design<Real>& design);

}  // namespace sturm
