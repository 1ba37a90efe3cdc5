// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "sturm/core/error.h"
#include "sturm/core/files.h"
#include "sturm/core/sentence.h"
#include "sturm/core/text.h"

namespace sturm {
namespace {

constexpr std::size_t most_columns = 10000, most_bytes = 1 << 20;  ///< of a table and of a cell: beyond, it is none

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// Cuts a text into rows of fields.
class Scanner {
 public:
  Scanner(std::string_view text, char separator, const std::string& name)
      : text_(text), ends_({separator, '\r', '\n'}), name_(name) {}

  bool at_end() const { return at_ >= text_.size(); }
  Index line() const { return line_; }

  std::vector<std::string> row() {
    std::vector<std::string> fields;
    while (true) {
      fields.push_back(field());
      if (fields.back().size() > most_bytes) fail(line_, "a field of more than 1 MiB: is there a quote too many?");
      if (at_end()) return fields;
      const char stop = text_[at_++];
      if (stop == ends_[0]) continue;
      if (stop == '\r' && !at_end() && text_[at_] == '\n') ++at_;  // Windows; a lone \r is an old Macintosh's
      ++line_;
      return fields;
    }
  }

 private:
  std::string field() {
    const auto begin = ends_[0] == '\t' ? at_ : std::min(text_.find_first_not_of(' ', at_), text_.size());
    if (begin < text_.size() && text_[begin] == '"') {
      at_ = begin;
      return quoted_field();
    }
    const auto end = std::min(text_.find_first_of(ends_, at_), text_.size());
    std::string value(trimmed(text_.substr(at_, end - at_)));
    at_ = end;
    return value;
  }

  std::string quoted_field() {
    const Index first = line_;
    std::string value;
    for (++at_; !at_end(); ++at_) {
      if (text_[at_] == '\n') ++line_;
      if (text_[at_] != '"') {
        value += text_[at_];
      } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
        value += text_[at_++];
      } else {
        ++at_;
        if (ends_[0] != '\t') at_ = std::min(text_.find_first_not_of(' ', at_), text_.size());
        if (!at_end() && ends_.find(text_[at_]) == std::string::npos)
          fail(first, "text after a closing quote; write a quote inside a field twice.");
        return std::string(trimmed(value));
      }
    }
    fail(first, "a quote that is never closed; write a quote inside a field twice.");
  }

  [[noreturn]] void fail(Index line, const char* what) const { throw Error({name_, line}, std::string("has ") + what); }

  std::string_view text_;
  const std::string ends_;  ///< of a field; the separator first
  const std::string& name_;
  std::size_t at_ = 0;
  Index line_ = 1;
};

/// What separates the columns: a tab where the header has one outside quotes, else the more frequent of ; and ,
char separator_of(std::string_view header) {
  Index commas = 0, semicolons = 0;
  bool inside = false;
  for (const char c : header) {
    if (c == '"') inside = !inside;
    if (inside) continue;
    if (c == '\r' || c == '\n') break;
    if (c == '\t') return '\t';
    commas += c == ',';
    semicolons += c == ';';
  }
  if (commas + semicolons == 0) return '\t';
  return semicolons >= commas ? ';' : ',';
}

const char* word_for(char separator) { return separator == '\t' ? "tabs" : separator == ',' ? "commas" : "semicolons"; }

/// Throws where a file is no text in UTF-8: a letter of another code would be two labels in two tables.
void check_encoding(std::string_view text, const std::string& name) {
  const bool utf16 = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
  if (utf16 || text.find('\0') != std::string_view::npos)
    throw Error({name}, std::string(utf16 ? "is a text in UTF-16" : "is no text, or one in UTF-16") +
                            "; save it as tab-separated text (.tsv) or CSV in UTF-8.");
  const auto at = first_not_utf8(text);
  if (at == std::string_view::npos) return;
  const auto before = text.substr(0, at);
  const auto begin = before.find_last_of("\r\n") + 1;  // npos + 1 is 0
  const Index line = 1 + (before.find('\n') == std::string_view::npos ? std::ranges::count(before, '\r')
                                                                      : std::ranges::count(before, '\n'));
  throw Error({name, line}, "has a letter that is not UTF-8, after " +
                                in_quotes(before.substr(std::max(begin, at > 20 ? at - 20 : 0))) +
                                "; save the table as UTF-8 (a spreadsheet calls it 'CSV UTF-8').");
}

void check_header(const std::string& name, const std::vector<std::string>& columns) {
  if (columns.size() > most_columns)
    throw Error({name, 1}, "names " + std::to_string(columns.size()) + " columns, and a table of samples may have " +
                               std::to_string(most_columns) + "; leave out those that are not needed.");
  if (std::ranges::all_of(columns, &std::string::empty))
    throw Error({name, 1}, "names no column; the first line has the columns' names.");
  auto sorted = columns;
  std::ranges::sort(sorted);
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice == sorted.end()) return;
  throw Error({name, 1}, twice->empty() ? "leaves two columns without a name; name them, or take them out."
                                        : "names the column " + in_quotes(*twice) + " twice; rename one of them.");
}

/// A number as the continent writes it, 1.234,5 or 45,2, with a point; empty where it is none.
std::string with_point(std::string_view text) {
  const auto comma = text.find(',');
  if (comma == std::string_view::npos || text.find(',', comma + 1) != std::string_view::npos) return {};
  std::string out(text.substr(0, comma));
  std::erase(out, '.');
  out += "." + std::string(text.substr(comma + 1));
  return std::isnan(parse_number(out)) ? std::string() : out;
}

/// A number that is too large for one, or too close to 0.
bool out_of_range(std::string_view text) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc::result_out_of_range && end == text.data() + text.size();
}

}  // namespace

double parse_number(std::string_view text) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  text = trimmed(text);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc{} && end == text.data() + text.size() && std::isfinite(value) ? value : none;
}

std::string table_field(const std::string& text) {
  if (text.empty()) return "n/a";
  if (text.front() != '"' && text.find_first_of("\t\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(separator, begin), text.size());
    if (end > begin) out.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

std::string join(const std::vector<std::string>& words, std::size_t most) {
  std::string all;
  for (std::size_t i = 0; i < std::min(words.size(), most); ++i) all += (i ? ", " : "") + words[i];
  if (words.size() > most) all += " and " + std::to_string(words.size() - most) + " more";
  return all;
}

std::string plural(Index count, const std::string& word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

Table Table::read(const std::filesystem::path& file) { return parse(read_file(file), file.string()); }

Table Table::parse(std::string_view text, std::string name) {
  check_encoding(text, name);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  // Blank lines at the end are not rows; further up, in a table of one column, they are missing values.
  const auto last = text.find_last_not_of(" \r\n");
  text = text.substr(0, last == std::string_view::npos ? 0 : text.find_first_of("\r\n", last));
  if (text.empty()) throw Error({name}, "is empty; its first line names the columns, separated by tabs or commas.");

  Table table;
  table.name_ = std::move(name);
  const char separator = separator_of(text);
  Scanner scanner(text, separator, table.name_);
  table.columns_ = scanner.row();
  check_header(table.name_, table.columns_);
  while (!scanner.at_end()) {
    const Index line = scanner.line();
    std::vector<std::string> fields = scanner.row();
    if (fields.size() != table.columns_.size())
      throw Error({table.name_, line}, "has " + plural(static_cast<Index>(fields.size()), "field") +
                                           " where the header has " + std::to_string(table.columns_.size()) +
                                           "; separate fields by " + word_for(separator) +
                                           (separator == '\t' ? "" : ", put a field that holds one between quotes,") +
                                           " and write n/a where a value is missing.");
    table.lines_.push_back(line);
    for (std::string& field : fields) table.cells_.push_back(means_missing(field) ? std::string() : std::move(field));
  }
  return table;
}

bool Table::has(std::string_view column) const { return std::ranges::find(columns_, column) != columns_.end(); }

Index Table::column(std::string_view name, std::string_view option) const {
  const auto found = std::ranges::find(columns_, name);
  if (found != columns_.end()) return found - columns_.begin();
  std::vector<std::string> names;
  for (const std::string& known : columns_) names.push_back(clipped(known));
  throw Error({name_}, "has no column " + in_quotes(name) + (option.empty() ? "" : " (" + option_name(option) + ")") +
                           "; its columns are " + join(names, 30) + ".");
}

std::vector<std::string> Table::texts(Index column) const {
  std::vector<std::string> out;
  out.reserve(lines_.size());
  for (Index row = 0; row < rows(); ++row) out.push_back(cell(row, column));
  return out;
}

bool Table::numeric(Index column) const {
  for (Index row = 0; row < rows(); ++row)
    if (!missing(row, column) && std::isnan(parse_number(cell(row, column)))) return false;
  return true;
}

bool Table::meant_as_numbers(Index column) const {
  Index numbers = 0, values = 0;
  for (Index row = 0; row < rows(); ++row) {
    if (missing(row, column)) continue;
    const std::string& text = cell(row, column);
    ++values;
    numbers += !std::isnan(parse_number(text)) || !with_point(text).empty() || out_of_range(text);
  }
  return 2 * numbers > values;
}

std::vector<double> Table::numbers(Index column) const {
  std::vector<double> out(lines_.size(), std::numeric_limits<double>::quiet_NaN());
  for (Index row = 0; row < rows(); ++row) {
    if (missing(row, column)) continue;
    const std::string& text = cell(row, column);
    out[row] = parse_number(text);
    if (!std::isnan(out[row])) continue;
    const std::string point = with_point(text);
    throw Error(
        place(row, column),
        in_quotes(text) + (!point.empty()
                               ? " is a number with a comma; write it with a point, " + point + ", and so in all rows."
                           : out_of_range(text) ? " is no number that a computer can hold; correct it, or write n/a "
                                                  "where a value is missing."
                                                : " is not a finite number; correct it, or write n/a where a value "
                                                  "is missing."));
  }
  return out;
}

Place Table::place(Index row, Index column) const { return {name_, line(row), columns_[column]}; }

Table Table::with_rows(std::span<const Index> rows) const {
  Table out;
  out.name_ = name_;
  out.columns_ = columns_;
  const auto columns = static_cast<Index>(columns_.size());
  for (const Index row : rows) {
    out.lines_.push_back(lines_[row]);
    out.cells_.insert(out.cells_.end(), cells_.begin() + row * columns, cells_.begin() + (row + 1) * columns);
  }
  return out;
}

Table Table::with_column(const std::string& name, const std::vector<std::string>& values) const {
  Table out;
  out.name_ = name_;
  out.lines_ = lines_;
  out.columns_ = columns_;
  out.columns_.push_back(name);
  for (Index row = 0; row < rows(); ++row) {
    for (Index column = 0; column < static_cast<Index>(columns_.size()); ++column)
      out.cells_.push_back(cell(row, column));
    out.cells_.push_back(values[row]);
  }
  return out;
}

std::string lines_of(const Table& table, std::span<const Index> rows, std::size_t most) {
  std::vector<std::string> lines;
  for (const Index row : rows) lines.push_back(std::to_string(table.line(row)));
  return (rows.size() == 1 ? "line " : "lines ") + join(lines, most);
}

}  // namespace sturm
