// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/plan.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>

#include "sturm/core/error.h"

namespace sturm {

Shard parse_shard(const std::string& text) {
  Shard shard;
  const char* const end = text.data() + text.size();
  const auto [slash, first] = std::from_chars(text.data(), end, shard.index);
  if (first == std::errc{} && slash != end && *slash == '/') {
    const auto [rest, second] = std::from_chars(slash + 1, end, shard.count);
    if (second == std::errc{} && rest == end && shard.index >= 1 && shard.index <= shard.count) return shard;
  }
  throw UsageError("`shard` is i/n, part i of n with i from 1 to n, for example 2/8, not '" + text + "'.");
}

std::vector<Index> tasks_of(const Shard& shard, std::span<const std::string> ids, std::span<const double> costs) {
  if (shard.index < 1 || shard.index > shard.count) throw std::logic_error("tasks_of: there is no such part");
  if (!costs.empty() && costs.size() != ids.size()) throw std::logic_error("tasks_of: one cost a task is needed");
  const auto cost = [&costs](Index task) { return costs.empty() ? 1 : costs[task]; };
  if (std::set(ids.begin(), ids.end()).size() != ids.size()) throw std::logic_error("tasks_of: two tasks have one id");
  std::vector<Index> order(ids.size());
  std::iota(order.begin(), order.end(), 0);
  for (const Index task : order)
    if (!std::isfinite(cost(task)) || cost(task) < 0) throw std::logic_error("tasks_of: a cost is a number from 0");
  std::ranges::sort(order, [&](Index a, Index b) { return cost(a) != cost(b) ? cost(a) > cost(b) : ids[a] < ids[b]; });

  std::vector<std::pair<double, Index>> loads(shard.count);  // cost, then number of tasks
  std::vector<Index> ours;
  for (const Index task : order) {
    const auto least = std::ranges::min_element(loads);
    least->first += cost(task);
    ++least->second;
    if (least - loads.begin() == shard.index - 1) ours.push_back(task);
  }
  std::ranges::sort(ours);
  return ours;
}

}  // namespace sturm
