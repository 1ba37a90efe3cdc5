// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/samples.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "sturm/core/error.h"
#include "sturm/core/sentence.h"
#include "sturm/core/target.h"
#include "sturm/core/text.h"
#include "sturm/imaging/bids.h"
#include "sturm/imaging/glob.h"

namespace sturm {
namespace {

namespace fs = std::filesystem;

/// There is no file for a row.
class Missing : public Error {
 public:
  using Error::Error;
};

/// Whether `file` lies below `folder` once every link on the way is followed; either may be missing.
bool lies_below(const fs::path& file, const fs::path& folder) {
  const fs::path real = fs::weakly_canonical(fs::absolute(file)), root = fs::weakly_canonical(fs::absolute(folder));
  return std::mismatch(root.begin(), root.end(), real.begin(), real.end()).first == root.end();
}

fs::path folder_of(const fs::path& table) {
  const fs::path folder = table.parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

fs::path in_folder(const std::string& written, const fs::path& folder) {
  return fs::path(written).is_absolute() || folder == "." ? fs::path(written) : folder / written;
}

/// Why a file may not be there, and what is: a folder that is missing, another ending, other capitals, the habits of a
/// shell or of Windows.
std::string what_there_is(const fs::path& file, const std::string& written) {
  if (written.starts_with("~")) return "; write the folder out, ~ means it to a shell alone";
  if (written.find('\\') != std::string::npos) return "; write the folders with / between them";
  if (written.find("://") != std::string::npos) return "; fetch the file first";
  const fs::path folder = folder_of(file);
  std::error_code failure;
  if (!fs::is_directory(folder, failure)) return ", nor does the folder " + folder.string();
  const auto without_ending = [](std::string name) {
    for (const std::string_view ending : {".gz", ".nii"})
      if (name.ends_with(ending)) name.resize(name.size() - ending.size());
    return name;
  };
  const std::string name = folded(without_ending(file.filename().string()));
  for (fs::directory_iterator entry(folder, failure); !failure && entry != fs::directory_iterator();
       entry.increment(failure))
    if (folded(without_ending(entry->path().filename().string())) == name)
      return "; there is a " + entry->path().filename().string();
  return {};
}

/// The file that a row names, checked: it is there, and where it may be. `place` is where it says so,
/// and `with` what it was made with, if with anything.
fs::path checked_file(const std::string& written, const fs::path& folder, bool allow_outside, const Place& place,
                      const std::string& with = {}) {
  const std::string made = with.empty() ? "" : " (" + with + ")";
  fs::path file = in_folder(written, folder);
  std::error_code failure;
  const fs::file_status status = fs::status(file, failure);
  // Not a word on whether a file outside is there: a table from elsewhere is not to find out what this machine holds.
  if (!allow_outside && !lies_below(file, folder))
    throw Error(place, in_quotes(written) + " leads out of the folder of the table, " + folder.string() + made +
                           "; add `allow-outside` if that is meant.");
  if (status.type() == fs::file_type::none || failure == std::errc::permission_denied)
    throw Error(place, in_quotes(written) + " cannot be looked at: " + failure.message() + made + ".");
  if (!fs::exists(status))
    throw Missing(place, in_quotes(written) + " does not exist" + what_there_is(file, written) + made + ".");
  if (fs::is_directory(status)) throw Error(place, in_quotes(written) + " is a folder, not a file" + made + ".");
  if (!fs::is_regular_file(status)) throw Error(place, in_quotes(written) + " is not a file" + made + ".");
  return file;
}

std::optional<Index> volume_index(const Table& table, Index row) {
  if (!table.has("volume")) return {};
  const Index column = table.column("volume");
  if (table.missing(row, column)) return {};
  const double value = parse_number(table.cell(row, column));
  if (!(value >= 0 && value == std::floor(value) && value < 1e9))
    throw Error(table.place(row, column),
                "'" + table.cell(row, column) + "' is not the number of a volume, counted from 0.");
  return static_cast<Index>(value);
}

/// What a row is called where it is left out.
std::string name_of(const Table& table, Index row) {
  for (Index column = 0; column < static_cast<Index>(table.columns().size()); ++column)
    if (names_people(table, column) && !table.missing(row, column)) return table.cell(row, column);
  return "line " + std::to_string(table.line(row));
}

/// Columns for what the names of the files differ in, where the table does not have them.
void add_entities(SampleList& list) {
  std::vector<std::string> keys;
  std::vector<std::map<std::string, std::string>> values;
  for (const SampleFile& sample : list.files) {
    values.emplace_back();
    for (const auto& [key, value] : entities_of(sample.written)) {
      values.back()[key] = value;
      if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
    }
  }
  std::vector<std::string> added;
  for (const std::string& key : keys) {
    std::vector<std::string> column;
    for (auto& of_file : values) column.push_back(of_file[key]);
    const bool same = std::ranges::all_of(column, [&](const auto& value) { return value == column[0]; });
    if (same || key == "sub" || list.table.has(key)) continue;
    list.table = list.table.with_column(key, column);
    added.push_back(key);
  }
  if (!added.empty())
    list.notes.back() +=
        "; their names give the " + std::string(added.size() == 1 ? "column " : "columns ") + join(added);
}

/// Fills in a list row by row; what a row throws becomes a problem of the list.
SampleList listed(const Table& table, const SampleSource& source,
                  const std::function<std::vector<SampleFile>(const Table&, Index)>& find) {
  SampleList list;
  if (table.rows() == 0) throw Error({table.name()}, "has a header and no rows.");
  std::vector<Index> rows;  // of the table as it is written, for each sample
  Index with_several = 0;
  for (Index row = 0; row < table.rows(); ++row) {
    std::vector<SampleFile> found;
    const auto problem = [&](const std::string& sentence) {
      found = {SampleFile{}};
      list.problems.push_back({std::ssize(rows), sentence});
    };
    try {
      found = find(table, row);
    } catch (const Missing& missing) {
      if (source.skip_missing)
        list.skipped.push_back(name_of(table, row));
      else
        problem(missing.what());
    } catch (const Error& error) {
      problem(error.what());
    } catch (const fs::filesystem_error& error) {  // links in a circle, folders that may not be entered
      problem(table.name() + ", line " + std::to_string(table.line(row)) + ": " + error.path1().string() + ": " +
              error.code().message() + ".");
    }
    with_several += found.size() > 1;
    for (SampleFile& sample : found) {
      sample.row = std::ssize(rows);
      rows.push_back(row);
      list.files.push_back(std::move(sample));
    }
  }
  if (rows.empty()) throw Error({table.name()}, "has no row whose file exists (`skip-missing`).");
  list.table = table.with_rows(rows);
  if (!list.skipped.empty())
    list.notes.push_back(std::to_string(list.skipped.size()) + " of " + plural(table.rows(), "row") +
                         (list.skipped.size() == 1 ? " has" : " have") +
                         " no file and are left out: " + join(list.skipped, 40));
  if (with_several > 0) {
    list.notes.push_back(plural(with_several, "row") + (with_several == 1 ? " has" : " have") +
                         " several files, each of which is a sample: " + plural(std::ssize(rows), "sample") + " of " +
                         plural(table.rows() - std::ssize(list.skipped), "row"));
    add_entities(list);
  }
  return list;
}

SampleList from_samples(const SampleSource& source) {
  const Table table = Table::read(source.samples);
  const Index column = table.column("path");
  const fs::path folder = folder_of(source.samples);
  return listed(table, source, [&](const Table& t, Index row) -> std::vector<SampleFile> {
    if (t.missing(row, column)) throw Missing(t.place(row, column), "names no file.");
    SampleFile sample{{}, volume_index(t, row), row, t.cell(row, column)};
    sample.file = checked_file(sample.written, folder, source.allow_outside, t.place(row, column));
    return {sample};
  });
}

/// The files that were found for a row, checked: more than one are samples, or an error that says how to choose.
std::vector<SampleFile> chosen(const SampleSource& source, const Table& table, Index row, const fs::path& folder,
                               const std::vector<fs::path>& found, const std::string& by, const std::string& narrower) {
  const Place place{table.name(), table.line(row)};
  std::vector<std::string> names;
  for (const fs::path& file : found) {
    const fs::path relative = file.lexically_relative(folder);  // empty between an absolute path and a relative one
    names.push_back(relative.empty() ? file.string() : relative.string());
  }
  if (found.size() > 1 && !source.several)
    throw Error(place, "several volumes for one row (" + by + "): " + join(names, 5) + "; " + narrower +
                           ", or take each as a sample with `several`.");
  std::vector<SampleFile> out;
  for (const std::string& name : names) {
    out.push_back({{}, volume_index(table, row), row, name});
    out.back().file = checked_file(name, folder, source.allow_outside, place, by);
  }
  return out;
}

SampleList from_template(const SampleSource& source) {
  const Table table = Table::read(source.participants);
  const fs::path folder = folder_of(source.participants);
  const std::string by = option_name("images", source.images);
  return listed(table, source, [&](const Table& t, Index row) -> std::vector<SampleFile> {
    const std::string written = fill_template(source.images, t, row);
    const Place place{t.name(), t.line(row)};
    if (!is_pattern(source.images)) {
      SampleFile sample{{}, volume_index(t, row), row, written};
      sample.file = checked_file(written, folder, source.allow_outside, place, by);
      return {sample};
    }
    const std::vector<fs::path> found = files_that_fit(in_folder(written, folder));
    if (found.empty()) throw Missing(place, "no file is called " + in_quotes(written) + " (" + by + ").");
    return chosen(source, t, row, folder, found, by, "say more in `images`, also with {COLUMN}");
  });
}

SampleList from_bids(const SampleSource& source) {
  fs::path participants = source.participants;
  if (participants.empty()) participants = find_participants(source.bids);
  const Table table = Table::read(participants);
  const Index column = table.column("participant_id");
  const std::string asked = source.entities.empty() ? "" : " with " + source.entities;
  const std::string by = option_name("bids", source.bids);
  return listed(table, source, [&](const Table& t, Index row) -> std::vector<SampleFile> {
    if (t.missing(row, column)) throw Error(t.place(row, column), "names no participant.");
    const std::string& participant = t.cell(row, column);
    const std::vector<fs::path> found = find_by_entities(source.bids, participant, source.entities);
    if (found.empty())
      throw Missing(t.place(row, column), in_quotes(participant) + " has no .nii or .nii.gz" + asked +
                                              " (`entities`) in a " + "folder of its own in " + source.bids + ".");
    return chosen(source, t, row, source.bids, found, by, "say more in `entities`");
  });
}

}  // namespace

std::string fill_template(const std::string& images, const Table& table, Index row) {
  std::string out;
  for (std::size_t at = 0; at < images.size();) {
    if (images[at] != '{') {
      out += images[at++];
      continue;
    }
    const auto close = images.find('}', at);
    if (close == std::string::npos) throw Error(option_name("images", images) + ": has a { without a }.");
    const std::string name = images.substr(at + 1, close - at - 1);
    const Index column = table.column(name);
    if (table.missing(row, column))
      throw Error(table.place(row, column), "has no value, and " + option_name("images", images) + " needs one.");
    std::string value = table.cell(row, column);
    if (is_pattern(images) && is_pattern(value))
      throw Error(table.place(row, column), in_quotes(value) +
                                                " has a * or ? in it, which stand for other characters in " +
                                                option_name("images", images) +
                                                "; name the files in a table for "
                                                "`samples`.");
    const auto dash = value.find('-');
    if (dash != std::string::npos && out.ends_with(value.substr(0, dash + 1))) value.erase(0, dash + 1);
    out += value;
    at = close + 1;
  }
  return out;
}

SampleList find_samples(const SampleSource& source) {
  if (!source.samples.empty()) return from_samples(source);
  if (!source.bids.empty()) return from_bids(source);
  return from_template(source);
}

}  // namespace sturm
