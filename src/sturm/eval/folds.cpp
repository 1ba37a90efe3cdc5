// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/folds.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <tuple>

#include "sturm/core/error.h"
#include "sturm/core/rng.h"
#include "sturm/core/sentence.h"
#include "sturm/core/table.h"

namespace sturm {
namespace {

/// What `auto` asks for.
constexpr int usual_outer = 10, usual_inner = 9;

/// What is never torn apart, with how many of its samples fall into each stratum.
struct Unit {
  std::vector<Index> rows;
  std::vector<Index> strata;
};

std::string groups_word(const SampleKeys& keys) {
  return keys.groups.empty() ? "samples" : "groups (column " + keys.group_column + ")";
}

std::string as_many_as(const FoldChoice& choice, Index most, const std::string& otherwise) {
  if (most < 2) return otherwise;
  return "give " + option_name(choice.option, std::to_string(most)) + (most > 2 ? " or fewer." : ".");
}

Index groups_with(const SampleKeys& keys, const std::vector<std::vector<Index>>& groups, double label) {
  return std::ranges::count_if(groups, [&](const auto& rows) {
    return std::ranges::any_of(rows, [&](Index row) { return keys.y[row] == label; });
  });
}

void check_count(const SampleKeys& keys, const FoldChoice& choice, const std::vector<std::vector<Index>>& groups) {
  const auto have = static_cast<Index>(groups.size());
  if (have < choice.count)
    throw Error(option_name(choice.option, std::to_string(choice.count)) + " asks for more folds than the " +
                std::to_string(have) + " " + groups_word(keys) + " there are; " +
                as_many_as(choice, have, "two at least are needed."));
  if (!keys.classification) return;
  for (const double label : classes_of(keys.y)) {
    const Index with = groups_with(keys, groups, label);
    if (with < choice.count)
      throw Error("Class '" + keys.class_name(label) + "' has " + std::to_string(with) + " " + groups_word(keys) +
                  ", fewer than the " + std::to_string(choice.count) + " folds of " + option_name(choice.option) +
                  "; " + as_many_as(choice, with, "add samples of it."));
  }
}

/// Every group in an order drawn at random, with its classes counted. Of a regression, each `count` groups that follow
/// each other by their mean y are a stratum, one for each fold; equal means stay in the order drawn.
std::vector<Unit> draw_units(const SampleKeys& keys, std::vector<std::vector<Index>> groups, int count, Rng& rng) {
  shuffle(groups, rng);
  const std::vector<double> classes = classes_of(keys.y);
  std::vector<Unit> units;
  units.reserve(groups.size());
  for (auto& rows : groups) units.push_back({std::move(rows), {}});
  if (keys.classification) {
    for (Unit& unit : units) {
      unit.strata.assign(classes.size(), 0);
      for (const Index row : unit.rows) ++unit.strata[std::ranges::lower_bound(classes, keys.y[row]) - classes.begin()];
    }
    return units;
  }
  const auto mean = [&keys](const Unit& unit) {
    double sum = 0;
    for (const Index row : unit.rows) sum += keys.y[row];
    return sum / static_cast<double>(unit.rows.size());
  };
  std::ranges::stable_sort(units, {}, mean);
  const std::size_t strata = (units.size() + count - 1) / count;
  for (std::size_t u = 0; u < units.size(); ++u) {
    units[u].strata.assign(strata, 0);
    units[u].strata[u / count] = static_cast<Index>(units[u].rows.size());
  }
  return units;
}

/// Deals the units, the largest first and like to like. With n_fc samples of stratum c in fold f and N_c in all, a
/// unit with u_c samples goes where it adds least to sum_fc (n_fc/N_c)^2, that is where sum_c n_fc u_c/N_c^2 is least;
/// of equals (the tolerance keeps rounding from telling them apart), where there are fewest samples.
std::vector<int> deal(std::vector<Unit> units, int count, Index rows) {
  std::ranges::stable_sort(units, [](const Unit& a, const Unit& b) {
    return a.rows.size() != b.rows.size() ? a.rows.size() > b.rows.size() : a.strata > b.strata;
  });
  const std::size_t strata = units.front().strata.size();
  std::vector<double> weight(strata, 0);
  for (const Unit& unit : units)
    for (std::size_t c = 0; c < strata; ++c) weight[c] += static_cast<double>(unit.strata[c]);
  for (double& w : weight) w = 1 / (w * w);
  std::vector<std::vector<Index>> held(count, std::vector<Index>(strata, 0));
  std::vector<Index> size(count, 0);
  std::vector<int> of(rows, 0);
  for (const Unit& unit : units) {
    const auto crowding = [&](int fold) {
      double sum = 0;
      for (std::size_t c = 0; c < strata; ++c)
        if (unit.strata[c] > 0) sum += static_cast<double>(held[fold][c] * unit.strata[c]) * weight[c];
      return sum;
    };
    int best = 0;
    double least = crowding(0);
    for (int fold = 1; fold < count; ++fold) {
      const double now = crowding(fold);
      const bool equal = std::abs(now - least) <= 1e-12 * std::max(now, least);
      if (equal ? size[fold] < size[best] : now < least) {
        best = fold;
        least = now;
      }
    }
    for (std::size_t c = 0; c < strata; ++c) held[best][c] += unit.strata[c];
    size[best] += static_cast<Index>(unit.rows.size());
    for (const Index row : unit.rows) of[row] = best;
  }
  return of;
}

Folds balanced_folds(const SampleKeys& keys, const FoldChoice& choice, Rng rng) {
  std::vector<std::vector<Index>> groups = rows_of_groups(keys);
  check_count(keys, choice, groups);
  Folds folds;
  for (int fold = 1; fold <= choice.count; ++fold) folds.names.push_back(std::to_string(fold));
  folds.of = deal(draw_units(keys, std::move(groups), choice.count, rng), choice.count, keys.rows());
  return folds;
}

Folds folds_by_group(const SampleKeys& keys, const FoldChoice& choice) {
  const std::vector<std::vector<Index>> groups = rows_of_groups(keys);
  const bool one = choice.kind == FoldKind::one;
  if (groups.size() < 2)
    throw Error(option_name(choice.option, one ? "loo" : "group") + " leaves one " +
                (one && keys.groups.empty()
                     ? "sample out at a time, and there is one alone; add samples."
                     : "group out at a time, and column " + keys.group_column + " has " +
                           std::to_string(groups.size()) + "; give a number of folds or another `groups`."));
  Folds folds;
  folds.of.resize(keys.ids.size());
  for (const auto& rows : groups) {
    for (const Index row : rows) folds.of[row] = folds.count();
    folds.names.push_back(!keys.groups.empty() ? keys.groups[rows[0]]
                          : one                ? std::to_string(folds.count() + 1)
                                               : keys.ids[rows[0]]);
  }
  return folds;
}

Folds given_folds(const SampleKeys& keys, const FoldChoice& choice, std::span<const std::string> given) {
  if (given.size() != keys.ids.size()) throw std::logic_error("given_folds: one value per row is needed");
  const auto value = [](const std::string& name) {
    const double number = parse_number(name);
    return std::tuple(std::isnan(number), std::isnan(number) ? 0 : number, name);  // numbers in their order, then words
  };
  std::set<std::tuple<bool, double, std::string>> names;
  for (std::size_t m = 0; m < given.size(); ++m) {
    if (given[m].empty())
      throw Error("Sample '" + keys.ids[m] + "' has no value in column " + choice.column + " of " +
                  option_name(choice.option) + "; name its fold or leave the row out.");
    names.insert(value(given[m]));
  }
  if (names.size() < 2)
    throw Error("Column " + choice.column + " of " + option_name(choice.option) +
                " has one fold alone; two at least are needed.");
  Folds folds;
  for (const auto& name : names) folds.names.push_back(std::get<2>(name));
  for (const std::string& name : given)
    folds.of.push_back(static_cast<int>(std::distance(names.begin(), names.find(value(name)))));
  for (const auto& rows : rows_of_groups(keys))
    for (const Index row : rows)
      if (folds.of[row] != folds.of[rows[0]])
        throw Error("Group '" + keys.groups[row] + "' (column " + keys.group_column + ") is in the folds '" +
                    given[rows[0]] + "' and '" + given[row] + "' of column " + choice.column +
                    ", so that a model would be tested on what it was trained on; put it into one, or name another "
                    "`groups`.");
  return folds;
}

void check_training(const SampleKeys& keys, const FoldChoice& choice, const Folds& folds) {
  for (int fold = 0; fold < folds.count(); ++fold) {
    const SampleKeys left = take(keys, folds.train(fold));
    const std::vector<double> classes = classes_of(left.y);
    if (classes.size() < 2)
      throw Error("Without fold '" + folds.names[fold] + "' of " + option_name(choice.option) + " only class '" +
                  keys.class_name(classes.at(0)) +
                  "' is left to train on; use fewer folds, other groups, or add samples of the other class.");
  }
}

std::vector<Index> rows_where(const std::vector<int>& of, int fold, bool inside) {
  std::vector<Index> rows;
  for (std::size_t m = 0; m < of.size(); ++m)
    if ((of[m] == fold) == inside) rows.push_back(static_cast<Index>(m));
  return rows;
}

}  // namespace

FoldsThatFit folds_that_fit(const SampleKeys& keys, const FoldChoice& choice) {
  const std::vector<std::vector<Index>> groups = rows_of_groups(keys);
  const std::string unit = keys.groups.empty() ? "sample" : "group";
  const std::string column = keys.groups.empty() ? "" : " (column " + keys.group_column + ")";
  FoldsThatFit out{choice.count, ""};
  const auto allow = [&](Index most, const std::string& who) {
    if (most >= out.count) return;
    out = {static_cast<int>(most), who + plural(most, unit) + column};
  };
  allow(std::ssize(groups), std::string(groups.size() == 1 ? "there is " : "there are "));
  if (keys.classification)
    for (const double label : classes_of(keys.y))
      allow(groups_with(keys, groups, label), "class '" + keys.class_name(label) + "' has ");
  return out;
}

std::vector<Index> Folds::test(int fold) const {
  return splits.empty() ? rows_where(of, fold, true) : splits[fold].test;
}
std::vector<Index> Folds::train(int fold) const {
  return splits.empty() ? rows_where(of, fold, false) : splits[fold].train;
}

Folds among(const Folds& folds, std::span<const Index> train) {
  std::map<Index, Index> position;
  for (std::size_t i = 0; i < train.size(); ++i) position[train[i]] = static_cast<Index>(i);
  const auto moved = [&](const std::vector<Index>& rows) {
    std::vector<Index> out;
    for (const Index row : rows)
      if (const auto found = position.find(row); found != position.end()) out.push_back(found->second);
    return out;
  };
  Folds out{{}, folds.names, {}};
  for (int fold = 0; fold < folds.count(); ++fold)
    out.splits.push_back({moved(folds.train(fold)), moved(folds.test(fold))});
  return out;
}

FoldChoice parse_folds(const std::string& text, const std::string& option) {
  FoldChoice choice;
  choice.option = option;
  const std::string prefix = "column:";
  if (text == "auto") {
    choice.count = option == "inner" ? usual_inner : usual_outer;
    choice.at_most = true;
  } else if (text == "group" || text == "loo") {
    choice.kind = text == "loo" ? FoldKind::one : FoldKind::group;
  } else if (text.starts_with(prefix) && text.size() > prefix.size() && option != "inner") {
    choice.kind = FoldKind::column;
    choice.column = text.substr(prefix.size());
  } else {
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), choice.count);
    if (code != std::errc{} || end != text.data() + text.size() || choice.count < 2)
      throw UsageError(
          option_name(option) +
          (option == "inner"
               ? " is a number of folds from 2, auto, loo or group (columns of folds are for `outer`), not '"
               : " is a number of folds from 2, auto, loo, group, or column:NAME, not '") +
          text + "'.");
  }
  return choice;
}

Folds make_folds(const SampleKeys& keys, const FoldChoice& choice, std::uint64_t seed, std::uint64_t stream,
                 std::span<const std::string> given) {
  check(keys);
  FoldChoice settled = choice;
  if (choice.at_most) settled.count = std::max(2, folds_that_fit(keys, choice).count);
  Folds folds = choice.kind == FoldKind::count    ? balanced_folds(keys, settled, Rng(seed, stream))
                : choice.kind == FoldKind::column ? given_folds(keys, choice, given)
                                                  : folds_by_group(keys, choice);
  if (keys.classification) check_training(keys, choice, folds);
  return folds;
}

}  // namespace sturm
