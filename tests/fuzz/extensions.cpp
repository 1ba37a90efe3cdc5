// SPDX-License-Identifier: BSD-3-Clause
#include "imaging/nifti_file.h"
#include "memory_file.h"
#include "sturm/core/error.h"
#include "sturm/imaging/gzip.h"
#include "targets.h"

namespace sturm::fuzz {
namespace {

/// Whatever the extensions are, the voxels behind them are found.
void check(const std::string& bytes) {
  const MemoryFile file(bytes);
  const std::vector<float> voxels = read_volume<float>(read_volume_info(file.path()));
  require(voxels.size() == 24);
  for (std::size_t n = 0; n < 24; ++n) require(voxels[n] == static_cast<float>(n));
}

}  // namespace

void extensions(std::string_view bytes) {
  for (const bool swapped : {false, true})
    for (const bool two : {false, true}) {
      test::NiftiFile file(swapped, two);
      const std::string voxels = file.bytes().substr(two ? 544 : 352);
      file.no_voxels().set<std::uint8_t>(two ? 540 : 348, 1);
      const auto offset = static_cast<Index>(file.bytes().size() + bytes.size());
      two ? file.set<std::int64_t>(168, offset) : file.set<float>(108, static_cast<float>(offset));
      file.bytes() += std::string(bytes) + voxels;
      check(file.bytes());
    }
}

}  // namespace sturm::fuzz
