// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/text/manual.h"

#include <algorithm>

#include "sturm/core/table.h"
#include "sturm/text/width.h"

namespace sturm {

std::vector<std::string> FlagPage::choices() const {
  const std::vector<std::string> words = split(value, '|');
  const auto plain = [](const std::string& word) {
    return std::ranges::none_of(word, [](char c) { return (c >= 'A' && c <= 'Z') || c == ' '; });
  };
  return words.size() > 1 && std::ranges::all_of(words, plain) ? words : std::vector<std::string>();
}

bool FlagPage::takes_path() const {
  const std::vector<std::string> words = split(value, '|');
  return std::ranges::any_of(words, [](const std::string& word) {
    return word == "DIR" || word.starts_with("FILE") || word.ends_with(".npy") || word.ends_with(".tsv");
  });
}

const FlagPage* CommandPage::flag(const std::string& wanted) const {
  for (const FlagPage& page : flags)
    if (!page.alone && std::ranges::find(page.names, wanted) != page.names.end()) return &page;
  return nullptr;
}

std::vector<std::string> CommandPage::flag_names() const {
  std::vector<std::string> out;
  for (const FlagPage& page : flags)
    if (!page.alone) out.insert(out.end(), page.names.begin(), page.names.end());
  return out;
}

const CommandPage* ProgramPage::command(const std::string& wanted) const {
  const auto found = std::ranges::find(commands, wanted, &CommandPage::name);
  return found == commands.end() ? nullptr : &*found;
}

std::vector<std::string> ProgramPage::command_names() const {
  std::vector<std::string> out;
  for (const CommandPage& page : commands) out.push_back(page.name);
  return out;
}

std::vector<std::string> wrapped(const std::string& text, int columns) {
  std::vector<std::string> lines(1);
  for (const std::string& word : split(text, ' ')) {
    std::string& line = lines.back();
    if (!line.empty() && width_of(line) + 1 + width_of(word) > columns)
      lines.push_back(word);
    else
      line += (line.empty() ? "" : " ") + word;
  }
  return lines;
}

}  // namespace sturm
