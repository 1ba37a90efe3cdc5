// SPDX-License-Identifier: BSD-3-Clause
// The part of check_study.h that looks at the table.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <unordered_map>

#include "sturm/app/check_study.h"
#include "sturm/app/cv_study.h"
#include "sturm/app/input_parts.h"
#include "sturm/app/settle_folds.h"
#include "sturm/core/sentence.h"
#include "sturm/core/text.h"

namespace sturm {
namespace {

/// How often each value of a column stands in it.
std::map<std::string, Index> counts_of(const Table& table, Index column) {
  std::map<std::string, Index> counts;
  for (Index row = 0; row < table.rows(); ++row)
    if (!table.missing(row, column)) ++counts[table.cell(row, column)];
  return counts;
}

std::vector<Index> all_rows(const Table& table) {
  std::vector<Index> rows(table.rows());
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

/// Does what fit or cv would do: what they would refuse is an error of the study, once. Wrong usage stays that.
template <class Work>
bool attempt(StudyCheck& study, const Work& work) {
  try {
    work();
    return true;
  } catch (const UsageError&) {
    throw;
  } catch (const Error& error) {
    const std::string sentence = error.what();
    if (std::ranges::find(study.findings, sentence, &Finding::sentence) == study.findings.end())
      study.say(Severity::error, sentence);
    return false;
  }
}

/// What is to be predicted, and in which rows; nothing where that is not clear or cannot be.
struct TargetRows {
  Target target;
  std::vector<Index> rows;  ///< that have one; none where rows without one are an error
};

void count_labels(const Table& table, Index column, StudyCheck& study) {
  const std::map<std::string, Index> counts = counts_of(table, column);
  const bool numeric = table.numeric(column);
  study.labels = {{"column", table.columns()[column]}, {"numeric", numeric}, {"values", counts.size()}};
  if (counts.size() <= 20 || !numeric) study.labels["counts"] = counts;
  study.labels["missing"] = table.rows() - std::accumulate(counts.begin(), counts.end(), Index{0},
                                                           [](Index sum, const auto& c) { return sum + c.second; });
}

std::optional<TargetRows> check_labels(const CheckOptions& options, StudyCheck& study) {
  const Table& table = study.table;
  const InputOptions& input = options.input;
  Index column = -1;
  try {
    column = table.column(target_column(table, input.target));
  } catch (const Error& error) {  // without a word on the target the volumes can be checked all the same
    study.say(input.target.empty() ? Severity::note : Severity::error, error.what());
    return {};
  }
  const std::string& name = table.columns()[column];
  count_labels(table, column, study);
  const std::map<std::string, Index> counts = counts_of(table, column);
  const bool classes = input.classes || !input.positive.empty();
  if (counts.size() == 1 && table.rows() > 1) {
    study.say(Severity::error, table.name() + ", column " + name + ": has one value in all rows, " +
                                   in_quotes(counts.begin()->first) + ", so there is nothing to predict.");
    return {};
  }
  if (input.target.empty() && !classes && !table.meant_as_numbers(column)) {
    study.say(Severity::note, table.name() + ", column " + name + ": holds words; a classification needs `positive`" +
                                  (counts.size() > 2 ? " or `classes`." : "."));
    return {};
  }
  TargetRows out;
  if (!attempt(study, [&] { out.target = read_target(table, {name, input.positive, input.classes}); })) return {};
  for (const std::string& note : notes_on_target(table, out.target)) study.say(Severity::note, note);
  if (!attempt(study, [&] { out.rows = rows_to_keep(table, out.target, input.drop_missing); })) return out;
  if (const Index missing = table.rows() - std::ssize(out.rows); missing > 0)
    study.say(Severity::note, table.name() + ", column " + name + ": " + plural(missing, "row") + " without a value, " +
                                  lines_of(table, rows_without(table, name)) + ", are left out.");
  std::vector<std::string> lonely;
  for (const auto& [value, count] : counts)
    if (count == 1) lonely.push_back(clipped(value));
  if (!lonely.empty() && counts.size() <= 20 && table.rows() > 2 && classes)
    study.say(Severity::warning, table.name() + ", column " + name + ": has one sample alone of " + join(lonely) +
                                     ", which cannot be both trained and tested on.");
  return out;
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

/// Whose volume a row is: participant_id, or a column that is called like one of people, or the sub-... in its path.
struct People {
  std::string column;  ///< empty: from the paths
  std::vector<std::string> of_row;
};

People people_of(const StudyCheck& study, const std::string& target) {
  const Table& table = study.table;
  if (table.has("participant_id")) return {"participant_id", table.texts(table.column("participant_id"))};
  for (Index column = 0; column < static_cast<Index>(table.columns().size()); ++column)
    if (const std::string& name = table.columns()[column]; name != target && names_people(table, column))
      return {name, table.texts(column)};
  People out;
  if (table.has("path")) {
    for (const std::string& path : table.texts(table.column("path"))) out.of_row.push_back(subject_in(path));
  } else {
    for (const SampleFile& sample : study.files) out.of_row.push_back(subject_in(sample.written));
  }
  out.of_row.resize(static_cast<std::size_t>(table.rows()));
  return out;
}

/// People whose samples are in several groups, or in none: they are trained and tested on at once.
void check_leaks(const std::vector<std::string>& groups, const std::string& name, const std::string& target,
                 StudyCheck& study) {
  const Table& table = study.table;
  const People people = people_of(study, target);
  std::map<std::string, std::set<std::string>> seen;
  for (std::size_t row = 0; row < people.of_row.size(); ++row)
    if (!people.of_row[row].empty())
      seen[people.of_row[row]].insert(groups.empty() ? std::to_string(row) : groups[row]);
  std::vector<std::string> leaks;
  for (const auto& [person, where] : seen)
    if (where.size() > 1) leaks.push_back(person);
  study.groups["leaks"] = leaks;
  if (leaks.empty()) return;
  std::vector<std::string> shown;
  for (const std::string& leak : leaks) shown.push_back(clipped(leak));
  const std::string who =
      people.column.empty() || people.column == "participant_id"
          ? plural(std::ssize(leaks), "participant") + " (" + join(shown, 5) + ")"
          : plural(std::ssize(leaks), "value") + " of " + people.column + " (" + join(shown, 5) + ")";
  study.say(Severity::warning,
            table.name() + ": " + who + (leaks.size() == 1 ? " has " : " have ") +
                (groups.empty() ? "several rows and there are no groups" : "several values of " + name) +
                ": a cross-validation would train and test on the same person; add " +
                (people.column.empty() ? "a column participant_id, which is the default of `groups`."
                                       : option_name("groups", people.column) + "."));
}

/// The groups of all rows; empty where there are none, or where they cannot be.
void check_groups(const CheckOptions& options, const std::vector<Index>& rows, const std::string& target,
                  StudyCheck& study) {
  const Table& table = study.table;
  const std::string name = group_column(table, options.study.groups);
  std::vector<std::string> groups;
  if (!name.empty()) {
    if (!attempt(study, [&] { table.column(name, "groups"); })) return;
    const Index column = table.column(name);
    groups = table.texts(column);
    const std::map<std::string, Index> counts = counts_of(table, column);
    Index largest = 0;
    for (const auto& [group, count] : counts) largest = std::max(largest, count);
    study.groups = {{"column", name}, {"groups", counts.size()}, {"largest", largest}};
    CvOptions groups_alone;
    groups_alone.groups = options.study.groups;
    if (options.folds) attempt(study, [&] { read_columns(table, groups_alone, {}, rows, {}); });
    try {
      refuse_near_twins(table, column);
    } catch (const Error& error) {
      study.say(Severity::warning, error.what());
    }
  }
  check_leaks(groups, name, target, study);
}

void check_confounds(const CheckOptions& options, const std::vector<Index>& rows, const std::string& target,
                     StudyCheck& study) {
  const Table& table = study.table;
  const std::vector<std::string> names = split(options.study.confounds, ',');
  bool sound = true;
  for (const std::string& name : names) {
    sound &= attempt(study, [&] { read_confounds(table, std::vector{name}, rows, target); });
    if (!table.has(name)) continue;
    const Index column = table.column(name);
    const std::map<std::string, Index> counts = counts_of(table, column);
    const Index missing = std::ssize(rows_without(table, name));
    study.confounds[name] = {{"numeric", table.numeric(column)}, {"values", counts.size()}, {"missing", missing}};
    if (counts.size() == 1)
      study.say(Severity::warning,
                table.name() + ", column " + name + ": is the same in all rows, so it confounds nothing.");
  }
  if (!sound || names.empty()) return;
  attempt(study, [&] { read_confounds(table, names, rows, target); });
  for (const std::string& note : notes_on_confounds(table, names, rows)) study.say(Severity::note, note);
}

/// Columns from whose value the label can be told: what is learnt may be the column.
void check_what_gives_labels_away(const std::string& target, StudyCheck& study) {
  const Table& table = study.table;
  const Index label = table.column(target);
  if (counts_of(table, label).size() < 2) return;
  std::vector<std::string> columns;
  for (Index column = 0; column < static_cast<Index>(table.columns().size()); ++column) {
    if (column == label || is_id_column(table.columns()[column])) continue;
    std::unordered_map<std::string_view, std::string_view> label_of;
    bool told = true;
    for (Index row = 0; row < table.rows() && told; ++row) {
      if (table.missing(row, column) || table.missing(row, label)) continue;
      const auto [at, is_new] = label_of.emplace(table.cell(row, column), table.cell(row, label));
      told = at->second == table.cell(row, label) && 2 * std::ssize(label_of) <= table.rows();
    }
    if (told && label_of.size() > 1) columns.push_back(clipped(table.columns()[column]));
  }
  if (!columns.empty())
    study.say(Severity::warning, table.name() + (columns.size() == 1 ? ", column " : ", columns ") + join(columns, 20) +
                                     ": every value goes with one " + target +
                                     " alone, so a model may learn the one for the other.");
}

/// What cv calls a sample; the content of an array's is not known here, and its line stands for it.
std::string name_of(const StudyCheck& study, Index row, const Target& target, std::map<std::string, int>& seen) {
  const Table& table = study.table;
  const auto cell = [&](const char* column) {
    return table.has(column) ? table.cell(row, table.column(column)) : std::string();
  };
  std::string name = cell("participant_id") + "|" +
                     (study.files.empty() ? fmt::format("line {}", table.line(row)) : study.files[row].written);
  if (table.has("volume")) name += "|" + cell("volume");
  name += "|" + target.actual[row];
  const int before = seen[name]++;
  return before == 0 ? name : name + "|" + std::to_string(before + 1);
}

/// Cuts the samples into the folds of the study, and what is left into inner ones.
void check_folds(const CheckOptions& options, const TargetRows& labels, StudyCheck& study) {
  const Table& table = study.table;
  FoldChoice outer = parse_folds(options.study.folds.outer, "outer");
  const FoldChoice inner = parse_folds(options.study.folds.inner, "inner");
  CvOptions without_confounds = options.study;
  without_confounds.confounds.clear();
  score_of(options.study.score, labels.target.classification());
  constexpr int most = 50;  // as good as all of them, and soon done
  attempt(study, [&] {
    const StudyColumns columns = read_columns(table, without_confounds, outer, labels.rows, labels.target.column);
    SampleKeys keys = keys_of(labels.target);
    std::vector<double> y;
    std::map<std::string, int> seen;
    for (const Index row : labels.rows) {
      y.push_back(labels.target.y[row]);
      keys.ids.push_back(name_of(study, row, labels.target, seen));
    }
    keys.y = std::move(y);
    keys.groups = columns.groups;
    keys.group_column = columns.group_column;
    std::vector<std::string> notes;
    CvOptions settled = options.study;
    settle_outer(keys, settled, outer, notes);
    for (const std::string& note : notes) study.say(Severity::note, note + ".");
    const Folds folds = make_folds(keys, outer, 0, 0, columns.folds);
    if (inner.kind == FoldKind::column) return;
    for (int fold = 0; fold < std::min(folds.count(), most); ++fold)
      make_folds(take(keys, folds.train(fold)), inner, 0);
  });
}

}  // namespace

void check_columns(const CheckOptions& options, StudyCheck& study) {
  const Table& table = study.table;
  const std::optional<TargetRows> labels = check_labels(options, study);
  const std::string target = labels ? labels->target.column : options.input.target;
  const bool complete = labels && !labels->rows.empty();
  const std::vector<Index> rows = complete ? labels->rows : all_rows(table);
  if (!options.input.weights.empty()) attempt(study, [&] { read_weights(table, options.input.weights, rows); });
  check_groups(options, rows, target, study);
  check_confounds(options, rows, target, study);
  study.readable = complete;
  if (!labels) return;
  check_what_gives_labels_away(target, study);
  if (options.folds && complete) check_folds(options, *labels, study);
}

}  // namespace sturm
