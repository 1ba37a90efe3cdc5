// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/forced_choice.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "sturm/core/rng.h"
#include "sturm/eval/permutation.h"

namespace sturm {
namespace {

constexpr Index draws = 9'999;

/// The values of a group: row a has those of the sample of class a, for each class. Of two classes with one value the
/// negative class has it with the other sign.
std::vector<double> table_of(const SampleKeys& keys, std::span<const Index> rows, std::span<const double> decision) {
  const auto classes = static_cast<std::size_t>(keys.several > 0 ? keys.several : 2);
  std::vector<double> out(classes * classes);
  for (const Index row : rows) {
    if (keys.several == 0) {
      const std::size_t a = keys.y[row] > 0 ? 1 : 0;
      out[2 * a] = -decision[row];
      out[2 * a + 1] = decision[row];
    } else {
      const auto a = static_cast<std::size_t>(keys.y[row]);
      std::ranges::copy(decision.subspan(static_cast<std::size_t>(row) * classes, classes), out.begin() + a * classes);
    }
  }
  return out;
}

/// The share of pairs that are told right where sample a is taken to be of class `of[a]`.
double share_right(std::span<const double> table, std::span<const std::size_t> of) {
  const std::size_t classes = of.size();
  double right = 0;
  for (std::size_t a = 0; a < classes; ++a)
    for (std::size_t b = a + 1; b < classes; ++b) {
      const double as_said = table[a * classes + of[a]] + table[b * classes + of[b]];
      const double the_other_way = table[a * classes + of[b]] + table[b * classes + of[a]];
      right += as_said > the_other_way ? 1 : as_said == the_other_way ? 0.5 : 0;
    }
  return 2 * right / static_cast<double>(classes * (classes - 1));
}

std::vector<std::size_t> in_order(std::size_t classes) {
  std::vector<std::size_t> out(classes);
  std::iota(out.begin(), out.end(), std::size_t{0});
  return out;
}

/// P(X > right) + P(X = right) / 2 where each of the groups is right with chance p.
double mid_tail(Index right, Index groups, double p) {
  const auto r = static_cast<double>(right), wrong = static_cast<double>(groups - right);
  const double at_least = right > 0 ? incomplete_beta(r, wrong + 1, p) : 1;
  const double more = right < groups ? incomplete_beta(r + 1, wrong, p) : 0;
  return 0.5 * (at_least + more);
}

/// The p at which mid_tail, which grows with it, reaches a value: by halving until no double lies between.
double where_mid_tail_is(double value, Index right, Index groups) {
  double low = 0, high = 1;
  for (;;) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) return middle;
    (mid_tail(right, groups, middle) < value ? low : high) = middle;
  }
}

}  // namespace

bool has_forced_choice(const SampleKeys& keys) {
  if (!keys.classification || keys.groups.empty()) return false;
  const std::vector<double> classes = classes_of(keys.y);
  const std::vector<std::vector<Index>> groups = rows_of_groups(keys);
  if (groups.size() < 2 || std::ssize(classes) != std::max<Index>(2, keys.several)) return false;
  return std::ranges::all_of(groups, [&](const std::vector<Index>& rows) {
    std::vector<double> found;
    for (const Index row : rows) found.push_back(keys.y[row]);
    std::ranges::sort(found);
    return found == classes;
  });
}

std::vector<double> forced_choices(const SampleKeys& keys, std::span<const std::vector<Index>> groups,
                                   std::span<const double> decision) {
  const std::vector<std::size_t> true_classes = in_order(static_cast<std::size_t>(keys.several > 0 ? keys.several : 2));
  std::vector<double> out;
  for (const std::vector<Index>& rows : groups)
    out.push_back(share_right(table_of(keys, rows, decision), true_classes));
  return out;
}

double forced_choice_p(const SampleKeys& keys, std::span<const std::vector<Index>> groups,
                       std::span<const double> decision, std::uint64_t seed) {
  const std::vector<double> told = forced_choices(keys, groups, decision);
  if (keys.several == 0) {
    const auto right = std::ranges::count(told, 1.0), wrong = std::ranges::count(told, 0.0);
    return right + wrong > 0 ? binomial_p(right, right + wrong, 0.5) : 1;
  }
  std::vector<std::vector<double>> tables;
  for (const std::vector<Index>& rows : groups) tables.push_back(table_of(keys, rows, decision));
  Rng rng(seed, stream_of("forced choice"));
  std::vector<std::size_t> of = in_order(static_cast<std::size_t>(keys.several));
  std::vector<double> permuted;
  for (Index draw = 0; draw < draws; ++draw) {
    double sum = 0;
    for (const std::vector<double>& table : tables) {
      shuffle(of, rng);
      sum += share_right(table, of);
    }
    permuted.push_back(sum);
  }
  return permutation_p(std::reduce(told.begin(), told.end(), 0.0), permuted);
}

Interval mid_p_interval(Index right, Index groups, double level) {
  if (groups < 1 || right < 0 || right > groups || !(level > 0 && level < 1))
    throw std::logic_error("mid_p_interval: needs a share of groups, and a level between 0 and 1");
  const double tail = 0.5 * (1 - level);
  return {right == 0 ? 0 : where_mid_tail_is(tail, right, groups),
          right == groups ? 1 : where_mid_tail_is(1 - tail, right, groups)};
}

}  // namespace sturm
