// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/target.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "sturm/core/error.h"
#include "sturm/core/sentence.h"
#include "sturm/core/text.h"

namespace sturm {
namespace {

/// The values of a column in order, each once, without the missing.
std::vector<std::string> values_of(const Table& table, Index column) {
  std::set<std::string> found;
  for (Index row = 0; row < table.rows(); ++row)
    if (!table.missing(row, column)) found.insert(table.cell(row, column));
  return {found.begin(), found.end()};
}

std::string in_words(std::vector<std::string> values) {
  for (std::string& value : values) value = clipped(value);
  return join(values);
}

[[noreturn]] void refuse_words(const Table& table, Index column, const std::vector<std::string>& values) {
  if (table.meant_as_numbers(column)) table.numbers(column);  // says which is none, and where
  throw Error({table.name()}, "column " + table.columns()[column] + " holds words (" + in_words(values) +
                                  "), and a regression needs numbers; for a classification add " +
                                  (values.size() == 2 ? option_name("positive", in_quotes(values[1])) + " or " +
                                                            option_name("positive", in_quotes(values[0])) + "."
                                                      : "`classes`, or `positive` and one of them."));
}

/// Every class once, numbers by size and before words. Values that are equal numbers are one class.
std::vector<std::string> class_names(const std::vector<std::string>& values) {
  std::vector<std::string> out;
  for (const std::string& value : values)
    if (std::ranges::none_of(out, [&](const std::string& known) { return class_sign(value, known) > 0; }))
      out.push_back(value);
  std::ranges::stable_sort(out, [](const std::string& a, const std::string& b) {
    const double x = parse_number(a), y = parse_number(b);
    return std::isnan(x) || std::isnan(y) ? !std::isnan(x) && std::isnan(y) : x < y;
  });
  return out;
}

/// What several other values are called together.
std::string rest_of(const std::string& positive) { return "not " + positive; }

Classes read_classes(const Table& table, Index column, const std::string& positive) {
  std::vector<std::string> others;
  const std::vector<std::string> values = values_of(table, column);
  for (const std::string& value : values)
    if (class_sign(value, positive) < 0) others.push_back(value);
  if (others.size() == values.size())
    throw Error({table.name()}, "column " + table.columns()[column] + " has no value " + in_quotes(positive) +
                                    " (`positive`); it holds " + (values.empty() ? "nothing" : in_words(values)) + ".");
  if (others.empty())
    throw Error({table.name()}, "column " + table.columns()[column] + " holds " + in_quotes(positive) +
                                    " alone; a classification needs samples of another class too.");
  return {others.size() == 1 ? others[0] : rest_of(positive), positive};
}

}  // namespace

bool is_id_column(const std::string& name) {
  return name.empty() || name == "id" || name.ends_with("_id") || name == "path" || name == "volume" || name == "row";
}

bool names_people(const Table& table, Index column) {
  static const std::set<std::string> known = {"id",      "sub",    "subj",   "subject",     "srcsubject",
                                              "patient", "person", "people", "participant", "volunteer",
                                              "pid",     "ptid",   "mrn"};
  std::string word = folded(table.columns()[column]);
  std::erase_if(word, [](char c) { return c == '_' || c == '-' || c == '.'; });
  if (!known.contains(word))
    for (const std::string_view ending : {"id", "code", "nr", "no", "number"})
      if (word.ends_with(ending)) {
        word.resize(word.size() - ending.size());
        break;
      }
  return known.contains(word) && values_of(table, column).size() > 2;
}

void refuse_near_twins(const Table& table, Index column) {
  std::map<std::string, Index> first;
  for (Index row = 0; row < table.rows(); ++row) {
    if (table.missing(row, column)) continue;
    const std::string& value = table.cell(row, column);
    const Index before = first.try_emplace(folded(value), row).first->second;
    const std::string& known = table.cell(before, column);
    if (class_sign(value, known) > 0) continue;
    throw Error(table.place(row, column), in_quotes(value) + " and " + in_quotes(known) + " (line " +
                                              std::to_string(table.line(before)) +
                                              ") differ in capitals or spaces alone; write them alike, or, if they are "
                                              "two, as two words.");
  }
}

std::string target_column(const Table& table, const std::string& chosen) {
  if (!chosen.empty()) return table.columns()[table.column(chosen, "target")];
  std::vector<std::string> candidates;
  std::ranges::copy_if(table.columns(), std::back_inserter(candidates), [](const auto& c) { return !is_id_column(c); });
  if (candidates.size() == 1) return candidates[0];
  if (candidates.empty())
    throw Error({table.name()}, "has no column to predict, only " + join(table.columns(), 30) +
                                    "; add one, or name one with `target`.");
  throw Error({table.name()},
              "has several columns that could be predicted; choose with `target` one of " + join(candidates, 30) + ".");
}

double class_sign(const std::string& value, const std::string& positive) {
  if (value == positive) return 1;
  const double a = parse_number(value), b = parse_number(positive);
  return !std::isnan(a) && a == b ? 1 : -1;
}

Target read_known_target(const Table& table, const std::string& column, const std::optional<Classes>& classes) {
  const Index at = table.column(column);
  Target target{column, {}, table.texts(at), classes};
  if (!classes) {
    target.y = table.numbers(at);
    return target;
  }
  for (Index row = 0; row < table.rows(); ++row) {
    const std::string& value = target.actual[row];
    target.y.push_back(value.empty() ? std::numeric_limits<double>::quiet_NaN() : class_sign(value, classes->positive));
    if (target.y.back() < 0 && value != classes->negative && folded(value) == folded(classes->positive))
      throw Error(table.place(row, at), "is " + in_quotes(value) + " where the class is called " +
                                            in_quotes(classes->positive) + "; write them alike.");
  }
  return target;
}

Target read_known_classes(const Table& table, const std::string& column, const std::vector<std::string>& names) {
  const Index at = table.column(column);
  Target target{column, {}, table.texts(at), {}, names};
  for (Index row = 0; row < table.rows(); ++row) {
    const std::string& value = target.actual[row];
    const auto found = std::ranges::find_if(names, [&](const std::string& n) { return class_sign(value, n) > 0; });
    if (!value.empty() && found == names.end())
      throw Error(table.place(row, at), "is " + in_quotes(value) + ", none of the classes " + in_words(names) +
                                            "; correct it, or leave the row out.");
    target.y.push_back(value.empty() ? std::numeric_limits<double>::quiet_NaN()
                                     : static_cast<double>(found - names.begin()));
  }
  return target;
}

Target read_target(const Table& table, const TargetChoice& choice) {
  const std::string name = target_column(table, choice.column);
  const Index column = table.column(name);
  if (choice.every || !choice.positive.empty()) refuse_near_twins(table, column);
  if (choice.every) {
    const std::vector<std::string> names = class_names(values_of(table, column));
    if (names.size() < 2)
      throw Error({table.name()}, "column " + name + " holds " + (names.empty() ? "nothing" : in_quotes(names[0])) +
                                      " alone; `classes` needs two values or more.");
    if (static_cast<Index>(names.size()) == table.rows() && names.size() > 2)
      throw Error({table.name()}, "column " + name + " has another value in every row, so that no class can be learnt" +
                                      "; choose another `target`, or leave out `classes` for a regression.");
    if (names.size() > 2) return read_known_classes(table, name, names);
    return read_known_target(table, name, Classes{names[0], names[1]});
  }
  if (!choice.positive.empty()) return read_known_target(table, name, read_classes(table, column, choice.positive));
  if (!table.numeric(column)) refuse_words(table, column, values_of(table, column));
  return read_known_target(table, name, {});
}

void require_same_kind(const Table& table, const Target& target) {
  if (!target.classes) return;
  const auto& [negative, positive] = *target.classes;
  const Index at = table.column(target.column);
  const bool rest = negative == rest_of(positive);
  const bool words = std::isnan(parse_number(positive));
  Index known = 0, of_kind = 0, first = -1;
  for (Index row = 0; row < table.rows(); ++row) {
    const std::string& value = target.actual[row];
    if (value.empty()) continue;
    ++known;
    if (!rest && class_sign(value, positive) < 0 && class_sign(value, negative) < 0)
      throw Error(table.place(row, at), "is '" + value + "', and the model tells " + positive + " from " + negative +
                                            "; correct it, write n/a, or name another `target`.");
    if (first < 0) first = row;
    of_kind += class_sign(value, positive) > 0 || std::isnan(parse_number(value)) == words;
  }
  if (known > 0 && of_kind == 0)
    throw Error(table.place(first, at), "is '" + target.actual[first] + "', and the model tells " + positive +
                                            " from " + negative + ", which are no " + (words ? "numbers" : "words") +
                                            "; name another `target`.");
}

std::vector<std::string> notes_on_target(const Table& table, const Target& target) {
  const Index column = table.column(target.column);
  const std::vector<std::string> values = values_of(table, column);
  if (!target.classification()) {
    if (values.size() != 2) return {};
    return {target.column + ": holds two values (" + join(values) + ") and is fitted as a regression; classify with " +
            option_name("positive", values[1]) + "."};
  }
  if (!target.classes) return {};
  std::map<std::string, Index> counts;  // of the values that are not the positive one
  Index positive = 0, others = 0;
  for (Index row = 0; row < table.rows(); ++row) {
    if (table.missing(row, column)) continue;
    const bool is_positive = class_sign(table.cell(row, column), target.classes->positive) > 0;
    positive += is_positive;
    others += !is_positive;
    if (!is_positive) ++counts[table.cell(row, column)];
  }
  if (counts.size() < 2) return {};
  const std::string begin = target.column + ": the positive class is " + in_quotes(target.classes->positive) + " (" +
                            plural(positive, "sample") + "), and the other class is ";
  if (table.numeric(column) && counts.size() > 2) {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    std::string low, high;
    for (const auto& [value, count] : counts) {
      const double number = parse_number(value);
      if (number < least) low = value;
      if (number > most) high = value;
      least = std::min(least, number);
      most = std::max(most, number);
    }
    return {begin + "every other number: " + std::to_string(counts.size()) + " values from " + low + " to " + high +
            " (" + plural(others, "sample") + "); without `positive` it is a regression."};
  }
  std::vector<std::string> words;
  for (const auto& [value, count] : counts) words.push_back(in_quotes(value) + " (" + std::to_string(count) + ")");
  return {begin + std::to_string(counts.size()) + " values together: " + join(words, 20) + "."};
}

std::vector<Index> rows_without(const Table& table, const std::string& column) {
  std::vector<Index> rows;
  const Index at = table.column(column);
  for (Index row = 0; row < table.rows(); ++row)
    if (table.missing(row, at)) rows.push_back(row);
  return rows;
}

std::vector<Index> rows_with(const Table& table, const std::string& column) {
  std::vector<Index> rows;
  const Index at = table.column(column);
  for (Index row = 0; row < table.rows(); ++row)
    if (!table.missing(row, at)) rows.push_back(row);
  return rows;
}

}  // namespace sturm
