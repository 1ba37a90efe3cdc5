// SPDX-License-Identifier: BSD-3-Clause
// What --help prints.
#include <algorithm>

#include "sturm/text/manual.h"
#include "sturm/text/width.h"

namespace sturm {
namespace {

constexpr int widest_name = 26;  ///< longer names have a line of their own
constexpr int narrow = 70;       ///< below this, sentences stand below names instead of beside them

/// "-o, --output DIR"
std::string signature(const FlagPage& flag) {
  std::string out;
  for (const std::string& name : flag.names) out += (out.empty() ? "" : ", ") + name;
  return flag.alone || flag.value.empty() ? out : out + " " + flag.value;
}

/// Names on the left, wrapped sentences on the right.
class Columns {
 public:
  explicit Columns(int columns) : columns_(std::max(columns, 30)) {}

  void add(std::string& out, const std::string& name, const std::string& sentence) const {
    const int left = columns_ < narrow ? 6 : widest_name + 4;
    out += "  " + name;
    int at = 2 + width_of(name);
    if (columns_ < narrow || at + 2 > left) {
      out += '\n';
      at = 0;
    }
    for (const std::string& line : wrapped(sentence, columns_ - left)) {
      out += std::string(static_cast<std::size_t>(left - at), ' ') + line + "\n";
      at = 0;
    }
  }
  void paragraph(std::string& out, const std::string& text) const {
    for (const std::string& line : wrapped(text, columns_)) out += line + "\n";
  }

 private:
  int columns_;
};

std::string sentence_of(const FlagPage& flag) {
  return flag.usual.empty() ? flag.sentence : flag.sentence + " (default: " + flag.usual + ")";
}

/// Flags by their groups in the order in which these first occur; those without one are last.
void add_flags(std::string& out, const Columns& columns, const std::vector<FlagPage>& flags) {
  std::vector<std::string> groups;
  for (const FlagPage& flag : flags)
    if (!flag.group.empty() && std::ranges::find(groups, flag.group) == groups.end()) groups.push_back(flag.group);
  groups.emplace_back();
  for (const std::string& group : groups) {
    std::string lines;
    for (const FlagPage& flag : flags)
      if (flag.group == group) columns.add(lines, signature(flag), sentence_of(flag));
    if (!lines.empty()) out += "\n" + (group.empty() ? "Other" : group) + ":\n" + lines;
  }
}

void add_examples(std::string& out, const std::vector<Example>& examples) {
  if (!examples.empty()) out += "\nExamples:\n";
  for (const Example& example : examples) out += "  # " + example.what + "\n  " + example.command + "\n";
}

}  // namespace

std::string help_of(const ProgramPage& program, int columns) {
  const Columns page(columns);
  const std::string& name = program.self.name;
  std::string out;
  page.paragraph(out, name + ": " + program.self.sentence);
  out += "\nUsage: " + name + " COMMAND [FLAGS]\n\nCommands:\n";
  for (const CommandPage& command : program.commands) page.add(out, command.name, command.sentence);
  add_flags(out, page, program.self.flags);
  out += "\nExit codes:\n";
  for (const auto& [code, meaning] : program.endings) page.add(out, std::to_string(code), meaning);
  add_examples(out, program.self.examples);
  return out;
}

std::string help_of(const ProgramPage& program, const CommandPage& command, int columns) {
  const Columns page(columns);
  const std::string name = program.self.name + " " + command.name;
  std::string out, usage = "Usage: " + name;
  for (const FlagPage& flag : command.flags)
    if (flag.alone) usage += flag.required ? " " + flag.value : " [" + flag.value + "]";
  page.paragraph(out, name + ": " + command.sentence);
  out += "\n" + usage + " [FLAGS]\n";
  add_flags(out, page, command.flags);
  add_examples(out, command.examples);
  return out;
}

}  // namespace sturm
