// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/problems.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include "sturm/core/error.h"
#include "sturm/core/table.h"

namespace sturm {
namespace {

constexpr std::size_t most_lines = 20;  ///< of one error: more than a screen of them helps nobody

struct Parts {
  std::string where;
  std::string what;            ///< without the number that it begins with
  std::optional<long> number;  ///< that one
};

/// "x.nii: 3 voxels are NaN." in its parts. What is named between quotes first belongs to where it is wrong.
Parts parts_of(const std::string& sentence) {
  auto colon = sentence.find(": ");
  if (colon == std::string::npos || colon + 2 == sentence.size()) return {{}, sentence, {}};
  std::size_t begin = colon + 2;
  if (begin < sentence.size() && sentence[begin] == '\'')
    if (const auto close = sentence.find("' ", begin + 1); close != std::string::npos) {
      colon = close + 1;
      begin = close + 2;
    }
  Parts out{sentence.substr(0, colon), sentence.substr(begin), {}};
  const auto end = std::ranges::find_if_not(out.what, [](unsigned char c) { return std::isdigit(c) != 0; });
  const auto digits = end - out.what.begin();
  if (digits > 0 && digits < 18 && end != out.what.end() && *end == ' ') {
    out.number = std::stol(out.what.substr(0, digits));
    out.what.erase(0, digits);
  }
  return out;
}

struct Same {
  std::vector<std::string> where;
  std::string only;  ///< the sentence, where it stands alone
  long least = 0, most = 0;
};

}  // namespace

std::vector<std::string> counted(const std::vector<std::string>& sentences) {
  std::map<std::pair<bool, std::string>, Same> found;
  std::vector<std::pair<bool, std::string>> order;
  for (const std::string& sentence : sentences) {
    Parts parts = parts_of(sentence);
    const std::pair key(parts.number.has_value(), parts.where.empty() ? sentence : parts.what);
    const auto [at, is_new] = found.try_emplace(key);
    Same& same = at->second;
    const long number = parts.number.value_or(0);
    same.least = is_new ? number : std::min(same.least, number);
    same.most = is_new ? number : std::max(same.most, number);
    same.where.push_back(std::move(parts.where));
    if (!is_new) continue;
    same.only = sentence;
    order.push_back(key);
  }
  std::vector<std::string> out;
  for (const auto& key : order) {
    const Same& same = found.at(key);
    if (same.where.size() == 1) {
      out.push_back(same.only);
      continue;
    }
    std::string what = key.second;
    if (key.first)
      what = std::to_string(same.least) + (same.most > same.least ? " to " + std::to_string(same.most) : "") + what;
    if (same.where.front().empty()) {  // one sentence, said again
      out.push_back(what);
      continue;
    }
    if (what.ends_with('.')) what.pop_back();
    const bool rows = same.where.front().find(", line ") != std::string::npos;
    out.push_back(plural(static_cast<Index>(same.where.size()), rows ? "row" : "file") + ": " + what + " (" +
                  join(same.where, 5) + ").");
  }
  return out;
}

void require_none(const std::vector<std::string>& problems) {
  if (problems.empty()) return;
  const std::vector<std::string> lines = counted(problems);
  if (lines.size() == 1) throw Error(lines[0]);
  std::string all = plural(static_cast<Index>(problems.size()), "problem") + ":";
  for (std::size_t i = 0; i < std::min(most_lines, lines.size()); ++i) all += "\n  " + lines[i];
  if (lines.size() > most_lines) all += "\n  and " + std::to_string(lines.size() - most_lines) + " more.";
  throw Error(all);
}

}  // namespace sturm
