// SPDX-License-Identifier: BSD-3-Clause
// Inner scores over the grid of settings, for heat maps: the mean over outer folds.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sturm/core/table.h"

namespace sturm {

/// "tau=0.1 gamma=2" as names and numbers.
std::vector<std::pair<std::string, double>> parse_setting(const std::string& text);

/// The blocks of a method, one a resize factor, from grid.tsv. A path differs from fold to fold, so that settings are
/// put together by their position in the grid: where the values of a parameter are not the same in all folds, its axis
/// holds their ratios to the largest. Sturm and Remurs have axes of balance and strength there. Of more than two axes
/// the first two are kept, and a cell is the best over the others.
nlohmann::ordered_json grid_blocks(const Table& grid, const std::string& method);

}  // namespace sturm
