// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/suggest.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace sturm {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

}  // namespace

std::size_t letters_apart(std::string_view a, std::string_view b) {
  // The distance of Damerau and Levenshtein, row by row; two rows back for letters that changed places.
  std::vector<std::size_t> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
        next[j] = std::min(next[j], before[j - 2] + 1);
    }
    before = std::exchange(row, next);
  }
  return row[b.size()];
}

std::string nearest_word(std::string_view word, const std::vector<std::string>& known) {
  std::string nearest;
  if (word.empty() || word.size() > 40) return nearest;
  std::size_t least = 1 + std::max<std::size_t>(1, word.size() / 3);  // more letters wrong is another word
  for (const std::string& name : known) {
    if (const std::size_t apart = letters_apart(word, name); apart < least && apart < name.size()) {
      least = apart;
      nearest = name;
    }
  }
  if (!nearest.empty() || word.size() < 3) return nearest;
  // The beginning of one word alone: "--perm" of --permutations.
  std::vector<std::string> longer;
  std::ranges::copy_if(known, std::back_inserter(longer),
                       [&](const std::string& name) { return name.starts_with(word); });
  return longer.size() == 1 ? longer[0] : "";
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::string nearest = nearest_word(word, known);
  return nearest.empty() ? "" : " (did you mean " + nearest + "?)";
}

}  // namespace sturm
