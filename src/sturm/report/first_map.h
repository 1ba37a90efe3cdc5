// SPDX-License-Identifier: BSD-3-Clause
// Which map a reader should see first.
#pragma once

#include "sturm/report/report_volumes.h"

namespace sturm {

/// The best readable map: of the methods that are not shown to be worse than the best, the one with the sparsest map in
/// the mask, of two kinds: the readable map where there is one, otherwise the map of the chosen setting. Where none of
/// them is zero in at least half of the mask, that of the best method, or of the best that has a map. Maps without a
/// voxel do not count. Null where there is no map.
OrNull<FirstMap> first_map(const Study& study, const std::vector<ReportVolume>& volumes);

/// Whether that map is zero in at least half of the mask.
bool is_sparse(const Study& study, const FirstMap& map);

}  // namespace sturm
