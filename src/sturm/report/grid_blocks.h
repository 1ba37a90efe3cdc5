// SPDX-License-Identifier: BSD-3-Clause
// Inner scores over the grid of settings, for heat maps: the mean over outer folds.
#pragma once

#include <string>
#include <vector>

#include "sturm/report/study.h"

namespace sturm {

/// The blocks of a method, one for each resize factor, from the rows of grid.tsv. A path differs from fold to fold, so
/// that settings are put together by their position in the grid: where the values of a parameter are not the same in
/// all folds, its axis holds their ratios to the largest. Sturm and Remurs have axes of balance and strength there. Of
/// more than two axes the first two are kept, and a cell is the best over the others.
std::vector<GridBlock> grid_blocks(const std::vector<GridRow>& grid, const std::string& method);

}  // namespace sturm
