// SPDX-License-Identifier: BSD-3-Clause
// Tables of text: a header row, columns separated by tabs, commas or semicolons, `n/a` or nothing where a value is
// missing (as in BIDS; NA, NaN and null mean the same).
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sturm/core/error.h"
#include "sturm/core/shape.h"

namespace sturm {

/// A table as it stands in its file, in UTF-8. Its header says what separates the columns: a tab, else a semicolon or a
/// comma. Windows line ends, a byte order mark, quoted fields and a missing last newline are all accepted. Errors name
/// the file, the line (counted from 1, as editors do) and the column.
class Table {
 public:
  static Table read(const std::filesystem::path& file);
  /// `name` stands for the file in errors.
  static Table parse(std::string_view text, std::string name);

  const std::string& name() const { return name_; }
  const std::vector<std::string>& columns() const { return columns_; }
  Index rows() const { return static_cast<Index>(lines_.size()); }
  Index line(Index row) const { return lines_[row]; }  ///< where the row begins in the file

  bool has(std::string_view column) const;
  /// The position of a column; an error that lists what there is where it does not exist, and names the `option` that
  /// asked for it, if one did.
  Index column(std::string_view name, std::string_view option = {}) const;

  /// The text of a cell without the spaces around it; empty where it is missing.
  const std::string& cell(Index row, Index column) const { return cells_[row * columns_.size() + column]; }
  bool missing(Index row, Index column) const { return cell(row, column).empty(); }
  std::vector<std::string> texts(Index column) const;

  /// Whether every value of a column that is not missing is a finite number.
  bool numeric(Index column) const;
  /// Whether most values of a column are numbers, be it with a decimal comma: what is none among them is a slip.
  bool meant_as_numbers(Index column) const;
  /// A column as numbers, NaN where it is missing; what is not a finite number is an error.
  std::vector<double> numbers(Index column) const;

  /// Of a cell, for errors about it.
  Place place(Index row, Index column) const;

  /// Some rows of it, in the order given, each as often as it is named.
  Table with_rows(std::span<const Index> rows) const;
  /// One more column.
  Table with_column(const std::string& name, const std::vector<std::string>& values) const;

 private:
  std::string name_;
  std::vector<std::string> columns_;
  std::vector<std::string> cells_;  ///< row by row
  std::vector<Index> lines_;
};

/// "line 7" or "lines 3, 4, 9 and 12 more" of the file: where rows stand.
std::string lines_of(const Table& table, std::span<const Index> rows, std::size_t most = 5);

/// A whole text as a number in the form of C, spaces around it allowed; NaN where it is none or not finite.
double parse_number(std::string_view text);

/// A text as a field of a table: in quotes where it would not be read back as it is; n/a where there is none.
std::string table_field(const std::string& text);

/// The parts of a text between separators, without empty ones.
std::vector<std::string> split(std::string_view text, char separator);

/// "a, b, c", cut short after `most` with the number of those left out.
std::string join(const std::vector<std::string>& words, std::size_t most = 10);
/// "1 fold", "2 folds".
std::string plural(Index count, const std::string& word);

}  // namespace sturm
