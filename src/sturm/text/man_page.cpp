// SPDX-License-Identifier: BSD-3-Clause
// The same as help, in the language of man.
#include "sturm/text/manual.h"

namespace sturm {
namespace {

/// A text as roff takes it: hyphens that can be copied, and nothing that begins a request.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
    out += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  }
  return out;
}

std::string capitals(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
  return text;
}

void add_man_flags(std::string& out, const std::vector<FlagPage>& flags) {
  for (const FlagPage& flag : flags) {
    out += ".TP\n";
    std::string names;
    for (const std::string& name : flag.names) names += (names.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
    if (!flag.alone && !flag.value.empty()) names += " \\fI" + roff(flag.value) + "\\fR";
    out += names + "\n" + roff(flag.sentence);
    if (!flag.usual.empty()) out += roff(" (default: " + flag.usual + ")");
    out += "\n";
  }
}

void add_man_examples(std::string& out, const std::vector<Example>& examples) {
  for (const Example& example : examples)
    out += ".PP\n" + roff(example.what) + ":\n.PP\n.nf\n.RS\n" + roff(example.command) + "\n.RE\n.fi\n";
}

}  // namespace

std::string man_page(const ProgramPage& program) {
  const std::string& name = program.self.name;
  std::string out = ".TH " + capitals(name) + " 1 \"\" \"" + roff(name + " " + program.version) + "\"\n";
  out += ".SH NAME\n" + roff(name) + " \\- " + roff(program.self.sentence) + "\n";
  out += ".SH SYNOPSIS\n\\fB" + roff(name) + "\\fR \\fIcommand\\fR [\\fIflags\\fR]\n";
  out += ".SH COMMANDS\n";
  for (const CommandPage& command : program.commands)
    out += ".TP\n\\fB" + roff(name + " " + command.name) + "\\fR\n" + roff(command.sentence) + "\n";
  out += ".SH FLAGS\n";
  add_man_flags(out, program.self.flags);
  for (const CommandPage& command : program.commands) {
    out += ".SH " + capitals(roff(name + " " + command.name)) + "\n" + roff(command.sentence) + "\n";
    add_man_flags(out, command.flags);
    add_man_examples(out, command.examples);
  }
  out += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : program.endings)
    out += ".TP\n\\fB" + std::to_string(code) + "\\fR\n" + roff(meaning) + "\n";
  if (!program.self.examples.empty()) out += ".SH EXAMPLES\n";
  add_man_examples(out, program.self.examples);
  return out;
}

}  // namespace sturm
