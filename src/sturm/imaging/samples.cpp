// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/samples.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "sturm/core/error.h"
#include "sturm/core/sentence.h"
#include "sturm/imaging/bids.h"

namespace sturm {
namespace {

namespace fs = std::filesystem;

/// Whether `file` lies below `folder` once every link on the way is followed.
bool lies_below(const fs::path& file, const fs::path& folder) {
  const fs::path real = fs::weakly_canonical(file), root = fs::weakly_canonical(folder);
  return std::mismatch(root.begin(), root.end(), real.begin(), real.end()).first == root.end();
}

fs::path folder_of(const fs::path& table) {
  const fs::path folder = table.parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

/// The file that a row names, checked: it is there, and where it may be. `place` is where it says so,
/// and `with` what it was made with, if with anything.
fs::path checked_file(const std::string& written, const fs::path& folder, bool allow_outside, const Place& place,
                      const std::string& with = {}) {
  const std::string made = with.empty() ? "" : " (" + with + ")";
  const bool as_written = fs::path(written).is_absolute() || folder == ".";
  fs::path file = as_written ? fs::path(written) : folder / written;
  std::error_code failure;
  const fs::file_status status = fs::status(file, failure);
  // Not a word on whether a file outside is there: a table from elsewhere is not to find out what this machine holds.
  if (!allow_outside && !lies_below(file, folder))
    throw Error(place, "'" + written + "'" + made + " leads out of the folder of the table, " + folder.string() +
                           "; add `allow-outside` if that is meant.");
  if (!fs::exists(status)) throw Error(place, "there is no file " + file.string() + made + ".");
  if (!fs::is_regular_file(status)) throw Error(place, file.string() + made + " is not a file.");
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

/// Fills in a list row by row; what a row throws becomes a problem of the list.
SampleList listed(Table table, const std::function<SampleFile(const Table&, Index)>& find) {
  SampleList list{std::move(table)};
  if (list.table.rows() == 0) throw Error({list.table.name()}, "has a header and no rows.");
  for (Index row = 0; row < list.table.rows(); ++row) {
    SampleFile sample;
    try {
      sample = find(list.table, row);
    } catch (const Error& error) {
      list.problems.push_back({row, error.what()});
    } catch (const fs::filesystem_error& error) {  // links in a circle, folders that may not be entered
      list.problems.push_back({row, list.table.name() + ", line " + std::to_string(list.table.line(row)) + ": " +
                                        error.path1().string() + ": " + error.code().message() + "."});
    }
    sample.row = row;
    list.files.push_back(std::move(sample));
  }
  return list;
}

SampleList from_samples(const SampleSource& source) {
  Table table = Table::read(source.samples);
  const Index column = table.column("path");
  const fs::path folder = folder_of(source.samples);
  return listed(std::move(table), [&](const Table& t, Index row) {
    if (t.missing(row, column)) throw Error(t.place(row, column), "names no file.");
    SampleFile sample{{}, volume_index(t, row), row, t.cell(row, column)};
    sample.file = checked_file(sample.written, folder, source.allow_outside, t.place(row, column));
    return sample;
  });
}

SampleList from_template(const SampleSource& source) {
  Table table = Table::read(source.participants);
  const fs::path folder = folder_of(source.participants);
  return listed(std::move(table), [&](const Table& t, Index row) {
    SampleFile sample{{}, volume_index(t, row), row, fill_template(source.images, t, row)};
    sample.file = checked_file(sample.written, folder, source.allow_outside, {t.name(), t.line(row)},
                               option_name("images", source.images));
    return sample;
  });
}

SampleList from_bids(const SampleSource& source) {
  fs::path participants = source.participants;
  if (participants.empty()) participants = find_participants(source.bids);
  Table table = Table::read(participants);
  const Index column = table.column("participant_id");
  return listed(std::move(table), [&](const Table& t, Index row) {
    if (t.missing(row, column)) throw Error(t.place(row, column), "names no participant.");
    SampleFile sample{{}, volume_index(t, row), row, {}};
    const fs::path found = find_by_entities(source.bids, t.cell(row, column), source.entities);
    sample.written = found.lexically_relative(source.bids).string();
    sample.file = checked_file(sample.written, source.bids, source.allow_outside, t.place(row, column));
    return sample;
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

void require_none(const std::vector<std::string>& problems) {
  if (problems.empty()) return;
  if (problems.size() == 1) throw Error(problems[0]);
  std::string all = std::to_string(problems.size()) + " things are wrong: ";
  for (std::size_t p = 0; p < problems.size(); ++p) {
    std::string sentence = problems[p];
    if (sentence.ends_with('.')) sentence.pop_back();
    all += (p ? " | " : "") + sentence;
  }
  throw Error(all + ".");
}

}  // namespace sturm
