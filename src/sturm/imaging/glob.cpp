// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/glob.h"

#include <algorithm>

namespace sturm {
namespace {

namespace fs = std::filesystem;

/// What lies in a folder and fits one part of a pattern.
std::vector<fs::path> entries_that_fit(const fs::path& folder, const std::string& part) {
  std::vector<fs::path> out;
  std::error_code failure;
  fs::directory_iterator entry(folder.empty() ? fs::path(".") : folder, failure);
  for (; !failure && entry != fs::directory_iterator(); entry.increment(failure)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with('.') == part.starts_with('.') && fits_pattern(name, part)) out.push_back(folder / name);
  }
  return out;
}

}  // namespace

bool is_pattern(std::string_view path) { return path.find_first_of("*?") != std::string_view::npos; }

bool fits_pattern(std::string_view name, std::string_view pattern) {
  std::size_t n = 0, p = 0, star = std::string_view::npos, from = 0;  // the last *, and what it stands for ends here
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++from;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::vector<fs::path> files_that_fit(const fs::path& pattern) {
  std::vector<fs::path> found = {pattern.root_path()};
  for (const fs::path& part : pattern.relative_path()) {
    std::vector<fs::path> next;
    for (const fs::path& folder : found) {
      if (is_pattern(part.string())) {
        std::ranges::move(entries_that_fit(folder, part.string()), std::back_inserter(next));
        continue;
      }
      std::error_code failure;
      if (fs::exists(folder / part, failure)) next.push_back(folder / part);
    }
    found = std::move(next);
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace sturm
