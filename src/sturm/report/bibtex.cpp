// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/bibtex.h"

#include <fmt/core.h>

#include <algorithm>
#include <regex>
#include <set>

namespace sturm {
namespace {

/// Letters and digits of a name, small.
std::string key_part(const std::string& name) {
  std::string out;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') out += static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) out += c;
  }
  return out.empty() ? "anonymous" : out;
}

/// Characters with a meaning in TeX.
std::string tex_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '{' || c == '}' || c == '\\') continue;
    if (c == '&' || c == '%' || c == '#' || c == '_' || c == '$') out += '\\';
    out += c;
  }
  return out;
}

std::string bibtex_entry(const std::string& reference, std::set<std::string>& keys) {
  static const std::regex form(R"(^(.*?) \((\d{4})\), (.*)$)"), doi_form(R"(^(.*), doi:(\S+)$)"),
      volume_form(R"(^(.*), ([^,]*?) (\d+):(\d+)(?:-(\d+))?$)"), arxiv_form(R"(^(.*), arXiv:(\S+)$)"),
      place_form(R"(^(.*), ([A-Z][A-Za-z]*)$)");
  std::smatch found;
  if (!std::regex_match(reference, found, form)) return {};
  std::string authors = found[1], rest = found[3];
  const std::string year = found[2];
  std::string fields, kind = "misc";
  const auto add = [&](const char* name, const std::string& value) {
    fields += fmt::format(",\n  {} = {{{}}}", name, tex_text(value));
  };
  std::smatch where;
  if (std::regex_match(rest, where, doi_form)) {
    add("doi", where[2]);
    rest = where[1].str();
  }
  std::string title = rest;
  if (std::regex_match(rest, where, volume_form)) {
    kind = "article";
    add("journal", where[2]);
    add("volume", where[3]);
    add("pages", where[5].matched ? where[4].str() + std::string(2, '-') + where[5].str() : where[4].str());
    title = where[1];
  } else if (std::regex_match(rest, where, arxiv_form)) {
    add("eprint", where[2]);
    add("archivePrefix", "arXiv");
    title = where[1];
  } else if (std::regex_match(rest, where, place_form)) {
    kind = "inproceedings";
    add("booktitle", where[2]);
    title = where[1];
  }
  const std::string first = authors.substr(0, authors.find_first_of(", "));
  authors = std::regex_replace(authors, std::regex(", | and "), " and ");
  std::string key = key_part(first) + year;
  for (char letter = 'b'; !keys.insert(key).second; ++letter) key = key_part(first) + year + letter;
  return fmt::format("@{}{{{},\n  author = {{{}}},\n  title = {{{{{}}}}},\n  year = {{{}}}{}\n}}\n", kind, key,
                     tex_text(authors), tex_text(title), year, fields);
}

}  // namespace

std::string bibtex_of(const std::vector<std::string>& references, const std::string& version) {
  std::set<std::string> keys{"sturm"};
  std::string out = fmt::format(
      "@misc{{sturm,\n  author = {{{{the sturm developers}}}},\n  title = {{{{sturm: sparse, low-tubal-rank regression "
      "for whole-brain volumes}}}},\n  note = {{version {}}}\n}}\n",
      tex_text(version));
  std::set<std::string> seen;
  for (const std::string& each : references)
    for (std::size_t from = 0; from < each.size();) {
      const std::size_t to = std::min(each.find("; ", from), each.size());
      const std::string one = each.substr(from, to - from);
      from = to + 2;
      if (!seen.insert(one).second) continue;
      if (const std::string entry = bibtex_entry(one, keys); !entry.empty()) out += "\n" + entry;
    }
  return out;
}

}  // namespace sturm
