// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/sample_keys.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <stdexcept>

#include "sturm/core/error.h"

namespace sturm {

std::string SampleKeys::class_name(double label) const {
  const auto found = class_names.find(label);
  return found == class_names.end() ? fmt::format("{}", label) : found->second;
}

void check(const SampleKeys& keys) {
  const std::size_t rows = keys.ids.size();
  if (keys.y.size() != rows || (!keys.groups.empty() && keys.groups.size() != rows))
    throw std::logic_error("SampleKeys: ids, groups and y differ in length");
  std::set<std::string> seen;
  for (std::size_t m = 0; m < rows; ++m) {
    const std::string& id = keys.ids[m];
    if (!seen.insert(id).second)
      throw Error("Two samples are called '" + id + "'; folds need a name for each, so give every row another path.");
    if (std::isnan(keys.y[m])) throw Error("Sample '" + id + "' has no target; fill it in or leave the row out.");
    if (!keys.groups.empty() && keys.groups[m].empty())
      throw Error("Sample '" + id + "' has no value in column " + keys.group_column +
                  ", so that no fold can be said to leave its group out; fill it in or leave the row out.");
  }
}

SampleKeys take(const SampleKeys& keys, std::span<const Index> rows) {
  SampleKeys out;
  out.group_column = keys.group_column;
  out.classification = keys.classification;
  out.class_names = keys.class_names;
  out.several = keys.several;
  for (const Index row : rows) {
    out.ids.push_back(keys.ids[row]);
    out.y.push_back(keys.y[row]);
    if (!keys.groups.empty()) out.groups.push_back(keys.groups[row]);
  }
  return out;
}

std::vector<std::vector<Index>> rows_of_groups(const SampleKeys& keys) {
  std::vector<Index> rows(keys.ids.size());
  std::iota(rows.begin(), rows.end(), 0);
  std::ranges::sort(rows, {}, [&keys](Index row) -> const std::string& { return keys.ids[row]; });
  std::map<std::string, std::vector<Index>> groups;
  for (const Index row : rows) groups[keys.groups.empty() ? keys.ids[row] : keys.groups[row]].push_back(row);
  std::vector<std::vector<Index>> out;
  out.reserve(groups.size());
  for (auto& [name, members] : groups) out.push_back(std::move(members));
  return out;
}

std::vector<double> classes_of(std::span<const double> y) {
  const std::set<double> found(y.begin(), y.end());
  return {found.begin(), found.end()};
}

}  // namespace sturm
