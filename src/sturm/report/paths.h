// SPDX-License-Identifier: BSD-3-Clause
// Inner scores against sparsity along the settings of a method.
#pragma once

#include <string>
#include <vector>

#include "sturm/report/study.h"

namespace sturm {

/// Every setting that the model of all samples was chosen from, from the rows of grid.tsv, in their order; empty where
/// that model is not there, or the method has no readable map. The best of its neighbours is `front`: settings are
/// neighbours where their shares of voxels lie in the same part of a decade, of which each has five.
std::vector<StudyPathPoint> path_of(const std::vector<GridRow>& grid, const std::string& method,
                                    const MethodResults& results);

}  // namespace sturm
