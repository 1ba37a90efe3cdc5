// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/permutation.h"

#include <math.h>  // NOLINT(modernize-deprecated-headers): lgamma_r() is POSIX's

#include <algorithm>
#include <cmath>
#include <map>

#include "sturm/core/rng.h"

namespace sturm {
namespace {

using Rows = std::vector<Index>;

double log_factorial(std::size_t n) {
  int sign = 0;
  return ::lgamma_r(static_cast<double>(n) + 1, &sign);
}

/// Rows whose targets change places among each other: position by position, each set of rows has one target.
using Exchanged = std::vector<std::vector<Rows>>;

Exchanged exchanged_sets(const SampleKeys& keys, Exchange exchange) {
  const std::vector<Rows> groups = rows_of_groups(keys);
  Exchanged sets;
  switch (exchange) {
    case Exchange::samples: {
      SampleKeys alone = keys;
      alone.groups.clear();
      sets.push_back(rows_of_groups(alone));
      break;
    }
    case Exchange::within_groups:
      for (const Rows& rows : groups) {
        sets.emplace_back();
        for (const Index row : rows) sets.back().push_back({row});
      }
      break;
    case Exchange::equal_sized_groups: {
      std::map<std::size_t, std::vector<Rows>> by_size;
      for (const Rows& rows : groups) by_size[rows.size()].push_back(rows);
      for (auto& [size, same] : by_size) sets.push_back(std::move(same));
      break;
    }
    case Exchange::groups: sets.push_back(groups); break;
  }
  return sets;
}

/// The log of the product, over the sets, of n! / (n_1! n_2! ...), n_i being how often a target occurs in the set.
double log_arrangements(const SampleKeys& keys, Exchange exchange) {
  double sum = 0;
  for (const auto& set : exchanged_sets(keys, exchange)) {
    std::map<double, std::size_t> times;
    for (const Rows& rows : set) ++times[keys.y[rows[0]]];
    sum += log_factorial(set.size());
    for (const auto& [target, n] : times) sum -= log_factorial(n);
  }
  return sum;
}

}  // namespace

Exchangeability exchangeability(const SampleKeys& keys, Index wanted) {
  check(keys);
  const auto as = [&keys](Exchange exchange) { return Exchangeability{exchange, log_arrangements(keys, exchange)}; };
  if (keys.groups.empty()) return as(Exchange::samples);
  const auto varies = [&keys](const Rows& rows) {
    return std::ranges::any_of(rows, [&](Index row) { return keys.y[row] != keys.y[rows[0]]; });
  };
  if (std::ranges::any_of(rows_of_groups(keys), varies)) return as(Exchange::within_groups);
  const Exchangeability equal = as(Exchange::equal_sized_groups), any = as(Exchange::groups);
  const double enough = std::min(std::log(static_cast<double>(wanted)), any.log_arrangements);
  return equal.log_arrangements >= enough - 1e-9 ? equal : any;
}

std::vector<double> permuted_targets(const SampleKeys& keys, Exchange exchange, std::uint64_t seed, Index number) {
  Rng rng(seed, stream_of("permutation/" + std::to_string(number)));
  std::vector<double> out(keys.y.size());
  for (const auto& set : exchanged_sets(keys, exchange)) {
    std::vector<double> targets;
    targets.reserve(set.size());
    for (const Rows& rows : set) targets.push_back(keys.y[rows[0]]);
    shuffle(targets, rng);
    for (std::size_t s = 0; s < set.size(); ++s)
      for (const Index row : set[s]) out[row] = targets[s];
  }
  return out;
}

double permutation_p(double observed, std::span<const double> permuted) {
  const double reach = observed - 1e-12 * std::max(1.0, std::abs(observed));  // equal scores summed in another order
  const auto reached = std::ranges::count_if(permuted, [&](double score) { return !(score < reach); });
  return static_cast<double>(reached + 1) / static_cast<double>(permuted.size() + 1);
}

}  // namespace sturm
