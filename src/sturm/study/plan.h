// SPDX-License-Identifier: BSD-3-Clause
// Which tasks belong to which part of a study, so that parts can run on machines that know nothing of each other.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sturm/core/shape.h"

namespace sturm {

/// Part `index` of `count`, counted from 1.
struct Shard {
  int index = 1, count = 1;

  /// "2-of-8", for names of files.
  std::string name() const { return std::to_string(index) + "-of-" + std::to_string(count); }
};

/// "2/8" of --shard.
Shard parse_shard(const std::string& text);

/// The positions of the tasks that belong to a part, in the order given. Costs are estimates of one unit; empty: all
/// equal. The dearest tasks are dealt first, each to the part that has least to do, so that no part has more than the
/// mean and the dearest task together. Who gets a task depends on ids and costs alone, not on the order of the list.
std::vector<Index> tasks_of(const Shard& shard, std::span<const std::string> ids, std::span<const double> costs = {});

}  // namespace sturm
