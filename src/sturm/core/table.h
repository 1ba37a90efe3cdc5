// SPDX-License-Identifier: BSD-3-Clause
// Tables of text: a header row, columns separated by tabs, `n/a` or nothing where a value is missing (as in BIDS).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sturm/core/error.h"
#include "sturm/core/shape.h"

namespace sturm {

/// A table as it stands in its file. Windows line ends, a byte order mark, quoted fields and a missing last newline
/// are all accepted. Errors name the file, the line (counted from 1, as editors do) and the column.
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
  /// The position of a column; an error that lists what there is where it does not exist.
  Index column(std::string_view name) const;

  /// The text of a cell without the spaces around it; empty where it is missing.
  const std::string& cell(Index row, Index column) const { return cells_[row * columns_.size() + column]; }
  bool missing(Index row, Index column) const { return cell(row, column).empty(); }
  std::vector<std::string> texts(Index column) const;

  /// Whether every value of a column that is not missing is a finite number.
  bool numeric(Index column) const;
  /// A column as numbers, NaN where it is missing; what is not a finite number is an error.
  std::vector<double> numbers(Index column) const;

  /// Of a cell, for errors about it.
  Place place(Index row, Index column) const;

 private:
  std::string name_;
  std::vector<std::string> columns_;
  std::vector<std::string> cells_;  ///< row by row
  std::vector<Index> lines_;
};

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
