// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "sturm/core/error.h"
#include "sturm/core/files.h"

namespace sturm {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// Cuts a text into rows of fields.
class Scanner {
 public:
  Scanner(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  bool at_end() const { return at_ >= text_.size(); }
  Index line() const { return line_; }

  std::vector<std::string> row() {
    std::vector<std::string> fields;
    while (true) {
      fields.push_back(field());
      if (at_end()) return fields;
      const char stop = text_[at_++];
      if (stop == '\t') continue;
      if (stop == '\r' && !at_end() && text_[at_] == '\n') ++at_;  // Windows; a lone \r is an old Macintosh's
      ++line_;
      return fields;
    }
  }

 private:
  std::string field() {
    if (!at_end() && text_[at_] == '"') return quoted();
    const auto end = std::min(text_.find_first_of("\t\r\n", at_), text_.size());
    std::string value(trimmed(text_.substr(at_, end - at_)));
    at_ = end;
    return value;
  }

  std::string quoted() {
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
        if (!at_end() && text_.find_first_of("\t\r\n", at_) != at_) fail(first, "text after a closing quote");
        return std::string(trimmed(value));
      }
    }
    fail(first, "a quote that is never closed");
  }

  [[noreturn]] void fail(Index line, const char* what) const {
    throw Error({name_, line}, std::string("has ") + what + "; write a quote inside a field twice.");
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
  Index line_ = 1;
};

void check_header(const std::string& name, const std::vector<std::string>& columns) {
  auto sorted = columns;
  std::ranges::sort(sorted);
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice != sorted.end()) throw Error({name, 1}, "names the column '" + *twice + "' twice; rename one of them.");
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
  if (text.find('\0') != std::string_view::npos)
    throw Error({name}, "is not a text in UTF-8; save it as tab-separated text (.tsv).");
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  // Blank lines at the end are not rows; further up, in a table of one column, they are missing values.
  const auto last = text.find_last_not_of(" \r\n");
  text = text.substr(0, last == std::string_view::npos ? 0 : text.find_first_of("\r\n", last));
  if (text.empty()) throw Error({name}, "is empty; its first line names the columns, separated by tabs.");

  Table table;
  table.name_ = std::move(name);
  Scanner scanner(text, table.name_);
  table.columns_ = scanner.row();
  check_header(table.name_, table.columns_);
  while (!scanner.at_end()) {
    const Index line = scanner.line();
    std::vector<std::string> fields = scanner.row();
    if (fields.size() != table.columns_.size())
      throw Error({table.name_, line}, "has " + std::to_string(fields.size()) + " fields where the header has " +
                                           std::to_string(table.columns_.size()) +
                                           "; separate fields by tabs and write n/a where a value is missing.");
    table.lines_.push_back(line);
    for (std::string& field : fields) table.cells_.push_back(field == "n/a" ? std::string() : std::move(field));
  }
  return table;
}

bool Table::has(std::string_view column) const { return std::ranges::find(columns_, column) != columns_.end(); }

Index Table::column(std::string_view name) const {
  const auto found = std::ranges::find(columns_, name);
  if (found != columns_.end()) return found - columns_.begin();
  const bool commas = columns_.size() == 1 && columns_[0].find(',') != std::string::npos;
  throw Error({name_}, "has no column '" + std::string(name) + "'; its columns are " + join(columns_, 30) +
                           (commas ? " (one column: separate them by tabs, not commas)." : "."));
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

std::vector<double> Table::numbers(Index column) const {
  std::vector<double> out(lines_.size(), std::numeric_limits<double>::quiet_NaN());
  for (Index row = 0; row < rows(); ++row) {
    if (missing(row, column)) continue;
    out[row] = parse_number(cell(row, column));
    if (std::isnan(out[row]))
      throw Error(place(row, column),
                  "'" + cell(row, column) + "' is not a finite number; write n/a where a value is missing.");
  }
  return out;
}

Place Table::place(Index row, Index column) const { return {name_, line(row), columns_[column]}; }

}  // namespace sturm
