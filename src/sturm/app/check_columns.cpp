// SPDX-License-Identifier: BSD-3-Clause
// The part of check_study.h that looks at the table.
#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "sturm/app/check_study.h"

namespace sturm {
namespace {

using nlohmann::ordered_json;

std::string lines_without(const Table& table, Index column) {
  std::vector<std::string> lines;
  for (Index row = 0; row < table.rows(); ++row)
    if (table.missing(row, column)) lines.push_back(std::to_string(table.line(row)));
  return (lines.size() == 1 ? "line " : "lines ") + join(lines, 10);
}

/// How often each value of a column stands in it.
std::map<std::string, Index> counts_of(const Table& table, Index column) {
  std::map<std::string, Index> counts;
  for (Index row = 0; row < table.rows(); ++row)
    if (!table.missing(row, column)) ++counts[table.cell(row, column)];
  return counts;
}

/// The target's column, or -1 where it is not clear which one it is.
Index check_labels(const CheckOptions& options, StudyCheck& study) {
  const Table& table = study.table;
  const InputOptions& input = options.input;
  Index column = -1;
  try {
    column = table.column(target_column(table, input.target));
  } catch (const Error& error) {
    study.say(input.target.empty() ? Severity::note : Severity::error, error.what());
    return -1;
  }
  const std::string& name = table.columns()[column];
  const std::map<std::string, Index> counts = counts_of(table, column);
  const bool numeric = table.numeric(column), few = counts.size() <= 20;
  study.labels = {{"column", name}, {"numeric", numeric}, {"values", counts.size()}};
  if (few || !numeric) study.labels["counts"] = counts;
  const Index missing = static_cast<Index>(rows_without(table, name).size());
  study.labels["missing"] = missing;
  if (missing > 0)
    study.say(Severity::warning, table.name() + ", column " + name + ": has no value in " +
                                     lines_without(table, column) + "; a fit leaves them out with `drop-missing`.");
  const bool classes = input.classes || !input.positive.empty();
  if (numeric || classes) {
    try {
      read_target(table, {name, input.positive, input.classes});
    } catch (const Error& error) {
      study.say(Severity::error, error.what());
    }
  } else if (counts.size() > 1) {
    study.say(Severity::note, table.name() + ", column " + name + ": holds words; a classification needs `positive`" +
                                  (counts.size() > 2 ? " or `classes`." : "."));
  }
  if (counts.size() == 1 && table.rows() > 1)
    study.say(Severity::error, table.name() + ", column " + name + ": has one value in all rows, '" +
                                   counts.begin()->first + "', so there is nothing to predict.");
  std::vector<std::string> lonely;
  for (const auto& [value, count] : counts)
    if (count == 1) lonely.push_back(value);
  if (!lonely.empty() && few && table.rows() > 2 && (!numeric || classes))
    study.say(Severity::warning, table.name() + ", column " + name + ": has one sample alone of " + join(lonely) +
                                     ", which cannot be both trained and tested on.");
  return column;
}

/// The first "sub-" of a path with the letters and digits behind it; empty where there is none.
std::string subject_in(const std::string& path) {
  const std::string mark = "sub-";
  const auto plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (auto at = path.find(mark); at != std::string::npos; at = path.find(mark, at + 1)) {
    const auto label = path.begin() + static_cast<std::ptrdiff_t>(at + mark.size());
    const auto end = std::find_if_not(label, path.end(), plain);
    if (end != label) return {label - static_cast<std::ptrdiff_t>(mark.size()), end};
  }
  return {};
}

/// Whose volume a row is: participant_id, or the sub-... in its path, or nothing.
std::vector<std::string> people_of(const StudyCheck& study) {
  const Table& table = study.table;
  if (table.has("participant_id")) return table.texts(table.column("participant_id"));
  std::vector<std::string> people;
  for (const SampleFile& sample : study.files) people.push_back(subject_in(sample.written));
  people.resize(static_cast<std::size_t>(table.rows()));
  return people;
}

void check_groups(const CheckOptions& options, StudyCheck& study) {
  const Table& table = study.table;
  std::string name = options.groups;
  if (name.empty() && table.has("participant_id")) name = "participant_id";
  if (name == "none") name.clear();
  const std::vector<std::string> people = people_of(study);
  std::vector<std::string> groups;
  if (!name.empty()) {
    if (!table.has(name)) {
      study.say(Severity::error, table.name() + ": has no column '" + name + "' (`groups`); its columns are " +
                                     join(table.columns(), 30) + ".");
      return;
    }
    const Index column = table.column(name);
    groups = table.texts(column);
    const std::map<std::string, Index> counts = counts_of(table, column);
    Index largest = 0;
    for (const auto& [group, count] : counts) largest = std::max(largest, count);
    study.groups = {{"column", name}, {"groups", counts.size()}, {"largest", largest}};
    if (std::ranges::find(groups, std::string()) != groups.end())
      study.say(Severity::warning,
                table.name() + ", column " + name + ": has no value in " + lines_without(table, column) + ".");
  }
  // A person in two groups, or in two rows without groups, is trained and tested on at once.
  std::map<std::string, std::set<std::string>> seen;
  for (std::size_t row = 0; row < people.size(); ++row)
    if (!people[row].empty()) seen[people[row]].insert(groups.empty() ? std::to_string(row) : groups[row]);
  std::vector<std::string> leaks;
  for (const auto& [person, where] : seen)
    if (where.size() > 1) leaks.push_back(person);
  study.groups["leaks"] = leaks;
  if (leaks.empty()) return;
  study.say(Severity::warning,
            table.name() + ": " + std::to_string(leaks.size()) + " participants (" + join(leaks, 5) +
                ") have several " + (groups.empty() ? "rows and there are no groups" : "values of " + name) +
                ": a cross-validation would train and test on the same person; add " +
                (table.has("participant_id") ? "`groups participant_id`."
                                             : "a column participant_id, which is the default of `groups`."));
}

void check_confounds(const CheckOptions& options, StudyCheck& study) {
  const Table& table = study.table;
  for (const std::string& name : split(options.confounds, ',')) {
    if (!table.has(name)) {
      study.say(Severity::error, table.name() + ": has no column '" + name + "' (`confounds`); its columns are " +
                                     join(table.columns(), 30) + ".");
      continue;
    }
    const Index column = table.column(name);
    const std::map<std::string, Index> counts = counts_of(table, column);
    const Index missing = static_cast<Index>(rows_without(table, name).size());
    study.confounds[name] = {{"numeric", table.numeric(column)}, {"values", counts.size()}, {"missing", missing}};
    if (missing > 0)
      study.say(Severity::warning, table.name() + ", column " + name + ": has no value in " +
                                       lines_without(table, column) + ", and it is a confound.");
    if (counts.size() == 1)
      study.say(Severity::warning,
                table.name() + ", column " + name + ": is the same in all rows, so it confounds nothing.");
  }
}

/// Columns from whose value the label can be told: what is learnt may be the column.
void check_what_gives_labels_away(Index label, StudyCheck& study) {
  const Table& table = study.table;
  if (label < 0 || counts_of(table, label).size() < 2) return;
  for (Index column = 0; column < static_cast<Index>(table.columns().size()); ++column) {
    if (column == label || is_id_column(table.columns()[column])) continue;
    std::map<std::string, std::set<std::string>> labels;
    for (Index row = 0; row < table.rows(); ++row)
      if (!table.missing(row, column) && !table.missing(row, label))
        labels[table.cell(row, column)].insert(table.cell(row, label));
    const bool told = std::ranges::all_of(labels, [](const auto& l) { return l.second.size() == 1; });
    if (told && labels.size() > 1 && 2 * static_cast<Index>(labels.size()) <= table.rows())
      study.say(Severity::warning, table.name() + ", column " + table.columns()[column] +
                                       ": every value goes with one " + table.columns()[label] +
                                       " alone, so a model may learn the one for the other.");
  }
}

}  // namespace

void check_columns(const CheckOptions& options, StudyCheck& study) {
  const Index label = check_labels(options, study);
  check_groups(options, study);
  check_confounds(options, study);
  check_what_gives_labels_away(label, study);
}

}  // namespace sturm
