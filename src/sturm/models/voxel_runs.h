// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <vector>

#include "sturm/core/parallel.h"

namespace sturm {

/// What body(first, last) returns for runs of voxels, in order. Voxels are cut into 16 runs at most, whatever the
/// threads, so that sums which are added in the order of the runs do not depend on these.
template <class Body>
auto in_runs(Index voxels, const Body& body) {
  std::vector<decltype(body(Index{}, Index{}))> out(std::clamp<Index>(voxels / 1024, 1, 16));
  const auto count = std::ssize(out);
  parallel_for(count, [&](Index r, int) { out[r] = body(voxels * r / count, voxels * (r + 1) / count); });
  return out;
}

}  // namespace sturm
