// SPDX-License-Identifier: BSD-3-Clause
// What there is to say about one volume before it is used.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sturm/imaging/coverage.h"
#include "sturm/imaging/nifti.h"
#include "sturm/imaging/outliers.h"
#include "sturm/imaging/samples.h"

namespace sturm {

struct VolumeFacts {
  std::string error;                  ///< why it cannot be used, in one sentence; empty: it can
  std::vector<std::string> warnings;  ///< one sentence each
  std::optional<VolumeInfo> info;     ///< where the header could be read
  Index not_finite = 0;               ///< voxels that are NaN or infinite
  Index extreme = 0;                  ///< voxels far from the others: see below
  double low = 0, high = 0;           ///< of the finite voxels
  bool constant = false;
  bool bare = false;                         ///< no voxel is finite: a fit refuses it
  std::string hash;                          ///< of its values and shape: equal for the same volume under two names
  VolumeLevel level;                         ///< median and range between the quarters, of the voxels that are not 0
  std::shared_ptr<const Coverage> coverage;  ///< of this volume alone, in the order of its file
  std::string stands_out;                    ///< how it is unlike the others; empty: it is not
};

/// Reads the header and every voxel. Nothing is thrown for what is wrong with the file. Extreme are voxels farther from
/// the median than 20 times the range from the first to the third quarter, both of the voxels that are not 0.
VolumeFacts check_volume(const SampleFile& sample);

}  // namespace sturm
