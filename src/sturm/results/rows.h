// SPDX-License-Identifier: BSD-3-Clause
// Described structs as the rows of a table, and back. A number that is NaN, and a value that is not there, is n/a.
#pragma once

#include <fmt/core.h>

#include <algorithm>

#include "sturm/core/table.h"
#include "sturm/results/describe.h"

namespace sturm {

inline std::string setting_cell(const Setting& setting) {
  std::string out;
  for (const auto& [name, value] : setting.values)
    out += fmt::format("{}{}={}", out.empty() ? "" : " ", name, value.value);
  return table_field(out);
}
Setting parse_setting(const std::string& text);

template <class T>
std::string cell_of(const T& value) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::isfinite(value) ? fmt::format("{}", value) : "n/a";
  } else if constexpr (std::is_same_v<T, Setting>) {
    return setting_cell(value);
  } else if constexpr (is_or_null<T>::value) {
    return value ? cell_of(*value) : "n/a";
  } else if constexpr (std::is_enum_v<T>) {
    return to_word(value);
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? "1" : "0";
  } else if constexpr (is_list<T>::value) {
    std::string out;
    for (const auto& each : value) out += (out.empty() ? "" : ",") + cell_of(each);
    return out;
  } else if constexpr (std::is_same_v<T, std::string>) {
    return table_field(value);
  } else {
    return std::to_string(value);
  }
}

/// The header and the cells of a row.
struct RowWriter {
  std::string header, cells;

  template <class T>
  void operator()(const std::string& key, const T& value, const char* = "") {
    if constexpr (is_optional<T>::value) {
      if (value) add(key, cell_of(*value));
    } else {
      add(key, cell_of(value));
    }
  }
  /// Columns that are known only from the study.
  template <class T>
  void others(const Named<T>& values, const char* prefix = "") {
    for (const auto& [name, value] : values) add(table_field(prefix + name), cell_of(value));
  }
  template <class T, class Members>
  void each_score(ByScore<T>& values, const Members& members) {
    for (auto& [measure, value] : values) members(*this, std::string(facts_of(measure).key), value);
  }

 private:
  void add(const std::string& key, const std::string& cell) {
    header += (header.empty() ? "" : "\t") + key;
    if (!first_) cells += '\t';
    first_ = false;
    cells += cell;
  }
  bool first_ = true;
};

/// A table of rows that have the same columns; `like` gives the header where there are none.
template <class Row>
std::string table_of(const std::vector<Row>& rows, const Row& like) {
  const auto line = [](const Row& row) {
    RowWriter writer;
    describe_const(writer, row);
    return writer;
  };
  std::string out = line(rows.empty() ? like : rows.front()).header + "\n";
  for (const Row& row : rows) out += line(row).cells + "\n";
  return out;
}

/// Takes a row out of a table; a column that is not there leaves the member as it is.
class RowReader {
 public:
  explicit RowReader(const Table& table) : table_(table) {}
  void go_to(Index row) { row_ = row; }

  template <class T>
  void operator()(const std::string& key, T& value, const char* = "") {
    if (!table_.has(key)) return;
    ++found_;
    read(table_.cell(row_, table_.column(key)), value);
  }
  template <class T>
  void others(Named<T>&, const char* = "") {}
  template <class T, class Members>
  void each_score(ByScore<T>& values, const Members& members) {
    for (const MeasureFacts& facts : all_measures()) {
      const int before = found_;
      T value{};
      members(*this, std::string(facts.key), value);
      if (found_ > before) values[facts.measure] = value;
    }
  }

 private:
  template <class T>
  static void read(const std::string& cell, T& value) {
    if constexpr (std::is_same_v<T, std::string>) {
      value = cell;
    } else if constexpr (std::is_same_v<T, Setting>) {
      value = parse_setting(cell);
    } else if constexpr (std::is_enum_v<T>) {
      const std::vector<std::string> words = names_of<T>();
      const auto found = std::ranges::find(words, cell);
      if (found == words.end()) throw Error("'" + cell + "' is not a word that is known there");
      value = static_cast<T>(found - words.begin());
    } else if constexpr (is_optional<T>::value) {
      value.emplace();
      read(cell, *value);
    } else if constexpr (is_or_null<T>::value) {
      value.reset();
      if (cell.empty()) return;
      value.emplace();
      read(cell, *value);
    } else if constexpr (is_list<T>::value) {
      value.clear();
      for (const std::string& part : split(cell, ',')) read(part == "n/a" ? "" : part, value.emplace_back());
    } else if constexpr (std::is_same_v<T, bool>) {
      value = cell == "1";
    } else if constexpr (std::is_integral_v<T>) {
      const double number = parse_number(cell);
      value = std::isnan(number) ? T{0} : static_cast<T>(number);
    } else {
      value = parse_number(cell);
    }
  }

  const Table& table_;
  Index row_ = 0;
  int found_ = 0;
};

template <class Row>
std::vector<Row> read_rows(const Table& table) {
  std::vector<Row> out(table.rows());
  RowReader reader(table);
  for (Index row = 0; row < table.rows(); ++row) {
    reader.go_to(row);
    try {
      describe(reader, out[row]);
    } catch (const Error& error) {
      throw Error(table.name() + ", line " + std::to_string(table.line(row)) + ": " + error.what() +
                  "; make it again.");
    }
  }
  return out;
}

}  // namespace sturm
