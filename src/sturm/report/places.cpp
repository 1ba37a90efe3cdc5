// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/places.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

namespace sturm {

namespace fs = std::filesystem;

namespace {

bool is_path(std::string_view text) { return text.size() > 1 && text[0] == '/' && text[1] != '/' && text[1] != ' '; }

std::string last_part(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path.substr(path.rfind('/') + 1);
}

/// A whole text that is a path, and no sentence that begins with one.
bool is_whole_path(const std::string& text) {
  return is_path(text) && text.find_first_of("\n<>") == std::string::npos && text.find(": ") == std::string::npos &&
         text.back() != '.';
}

/// Whether a path may begin after this character: a word begins.
bool begins_after(char c) { return std::string_view(" \t\n\"'`(=,;:[{<>|").find(c) != std::string_view::npos; }

bool ends_word(char c) { return std::string_view(" \t\n\"'`)]}<>|;").find(c) != std::string_view::npos; }

/// The end of the path that begins at `begin`: at the quote that it began with, or where the word ends, without the
/// punctuation of a sentence.
std::size_t end_of(const std::string& text, std::size_t begin) {
  if (const char quote = begin > 0 ? text[begin - 1] : ' '; quote == '\'' || quote == '"' || quote == '`')
    if (const std::size_t close = text.find(quote, begin); close != std::string::npos) return close;
  std::size_t end = begin;
  while (end < text.size() && !ends_word(text[end])) ++end;
  while (end > begin + 1 && std::string_view(".,:!?").find(text[end - 1]) != std::string_view::npos) --end;
  return end;
}

/// A path from the root in a longer text has at least two parts: "/ 7" and "/s" are none.
bool looks_like_path(std::string_view word) {
  if (word.starts_with("~") && word.find('/') != std::string_view::npos) return true;
  return is_path(word) && word.find('/', 1) != std::string_view::npos;
}

void replace_all(std::string& text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    if (at == 0 || begins_after(text[at - 1]))
      text.replace(at, what.size(), with);
    else
      at += what.size() - with.size();
}

/// Calls `visit` for every text.
template <class Visit>
void each_text(nlohmann::ordered_json& value, const Visit& visit) {
  if (value.is_string()) {
    std::string text = value.get<std::string>();
    if (visit(text)) value = text;
  } else if (value.is_structured()) {
    for (auto& part : value) each_text(part, visit);
  }
}

/// The folder that all paths from the root lie in; none where there are none.
std::optional<fs::path> common_folder(const std::vector<std::string>& files) {
  std::optional<fs::path> out;
  for (const std::string& file : files) {
    if (!is_path(file)) continue;
    const fs::path folder = fs::path(file).lexically_normal().parent_path();
    if (!out) {
      out = folder;
      continue;
    }
    fs::path both;
    auto a = out->begin(), b = folder.begin();
    for (; a != out->end() && b != folder.end() && *a == *b; ++a, ++b) both /= *a;
    out = both;
  }
  return out;
}

/// Words between single quotes, as a shell takes them, that are paths.
std::vector<std::string> quoted_paths(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = text.find('\''); at != std::string::npos; at = text.find('\'', at + 1)) {
    const std::size_t close = text.find('\'', at + 1);
    if (close == std::string::npos) break;
    if (const std::string word = text.substr(at + 1, close - at - 1); is_path(word)) out.push_back(word);
    at = close;
  }
  return out;
}

}  // namespace

std::string data_set_name(const fs::path& input, bool is_folder, const fs::path& home) {
  fs::path folder = input.lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  if (!is_folder) folder = folder.parent_path();
  if (folder.filename() == "derivatives") folder = folder.parent_path();
  if (folder.parent_path().filename() == "derivatives") folder = folder.parent_path().parent_path();
  const fs::path above = folder.parent_path();
  const bool of_somebody = folder == home || above == "/home" || above == "/Users" || above == "/" || above.empty();
  return of_somebody ? "" : folder.filename().string();
}

void Places::add_folder(const fs::path& folder) {
  std::string text = folder.lexically_normal().string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  if (!is_path(text) || text.find('/', 1) == std::string::npos) return;
  text += '/';
  if (std::ranges::find(folders_, text) != folders_.end()) return;
  folders_.push_back(text);
  for (std::size_t end = text.rfind('/', text.size() - 2); end != std::string::npos && end > 0;
       end = text.rfind('/', end - 1))
    if (const std::string above = text.substr(0, end + 1); std::ranges::find(above_, above) == above_.end())
      above_.push_back(above);
  std::ranges::stable_sort(above_, std::greater<>(), &std::string::size);
}

void Places::add_path(const std::string& path) {
  std::vector<std::string>& list = paths_[path.size()];
  if (std::ranges::find(list, path) == list.end()) list.push_back(path);
}

std::string Places::shortened(const std::string& path) const {
  for (const std::string& folder : folders_)
    if (path.starts_with(folder) && path.size() > folder.size()) return path.substr(folder.size());
  return last_part(path);
}

std::string Places::without(std::string text) const {
  if (const auto known = paths_.find(text.size());
      known != paths_.end() && std::ranges::find(known->second, text) != known->second.end())
    return shortened(text);
  if (text.find('/') == std::string::npos) return text;
  for (const auto& [size, list] : paths_)
    for (const std::string& path : list) replace_all(text, path, shortened(path));
  for (const std::string& folder : folders_) replace_all(text, folder, "");
  for (const std::string& above : above_)
    for (std::size_t at = text.find(above); at != std::string::npos; at = text.find(above, at + 1)) {
      if (at > 0 && !begins_after(text[at - 1])) continue;
      const bool quoted = at > 0 && std::string_view("'\"`").find(text[at - 1]) != std::string_view::npos;
      const std::size_t rest = at + above.size(), end = end_of(text, quoted ? at : rest);
      text.replace(at, end - at, last_part(text.substr(rest, end - rest)));
    }
  for (std::size_t at = 0; at < text.size(); ++at) {
    if ((text[at] != '/' && text[at] != '~') || (at > 0 && !begins_after(text[at - 1]))) continue;
    const std::size_t end = end_of(text, at);
    const std::string word = text.substr(at, end - at);
    if (!looks_like_path(word)) continue;
    const std::string name = shortened(word);
    text.replace(at, word.size(), name);
    at += name.empty() ? 0 : name.size() - 1;
  }
  return text;
}

void Places::leave_out_of(nlohmann::ordered_json& value, const std::vector<std::string>& files) {
  if (const std::optional<fs::path> folder = common_folder(files)) add_folder(*folder);
  for (const std::string& file : files)
    if (is_path(file)) add_path(file);
  each_text(value, [&](std::string& text) {
    if (is_whole_path(text)) add_path(text);
    for (const std::string& path : quoted_paths(text)) add_path(path);
    return false;
  });
  each_text(value, [&](std::string& text) {
    std::string cleaned = without(text);
    if (cleaned == text) return false;
    text = std::move(cleaned);
    return true;
  });
}

}  // namespace sturm
