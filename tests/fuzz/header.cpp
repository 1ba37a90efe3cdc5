// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <span>

#include "memory_file.h"
#include "sturm/core/error.h"
#include "sturm/imaging/nifti_header.h"
#include "targets.h"

namespace sturm::fuzz {

void header(std::string_view bytes) {
  const MemoryFile file(bytes);
  try {
    const VolumeInfo info = read_volume_info(file.path());
    // What was accepted can be trusted: a place for every voxel, and voxels for every place.
    require(!singular(info.grid.affine) && info.volumes >= 1);
    require(info.gzip || info.data_offset + info.grid.shape.size() * info.volumes * voxel_bytes(info.type) <=
                             static_cast<Index>(bytes.size()));
    const VoxelSummary voxels = summarise_voxels(info);
    require(voxels.finite + voxels.nan + voxels.infinite == info.grid.shape.size() * info.volumes);
    require(static_cast<Index>(read_volume<float>(info, info.volumes - 1).size()) == info.grid.shape.size());
  } catch (const Error&) {
  }
  try {  // with the name of a pair's header, where Analyze is allowed and no voxels are needed
    const auto start = std::as_bytes(std::span(bytes));
    check_header(decode_header(start.first(std::min(start.size(), long_header)), "a.hdr"), "a.hdr");
  } catch (const Error&) {
  }
}

}  // namespace sturm::fuzz
