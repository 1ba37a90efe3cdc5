// SPDX-License-Identifier: BSD-3-Clause
// Scripts that complete commands, flags and their values in bash and zsh.
#include "sturm/core/table.h"
#include "sturm/text/manual.h"

namespace sturm {
namespace {

std::string word_list(const std::vector<std::string>& list) {
  std::string out;
  for (const std::string& word : list) out += (out.empty() ? "" : " ") + word;
  return out;
}

/// In the single quotes of a shell.
std::string in_single_quotes(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

/// A text inside the brackets of zsh's _arguments.
std::string in_brackets(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '[' || c == ']' || c == ':' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return out;
}

/// What zsh is told about the value of a flag.
std::string zsh_value(const FlagPage& flag) {
  if (flag.value.empty()) return "";
  const std::string what = ":" + in_brackets(flag.value) + ":";
  if (!flag.choices().empty()) return what + "(" + word_list(flag.choices()) + ")";
  return flag.takes_path() ? what + "_files" : what + " ";
}

}  // namespace

std::string bash_completion(const ProgramPage& program) {
  const std::string& name = program.self.name;
  std::string out = "# bash completion of " + name + ", as the program prints it\n_" + name + "() {\n";
  out +=
      "  local current=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD-1]}\" words=''\n"
      "  COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    COMPREPLY=($(compgen -W " +
      in_single_quotes(word_list(program.command_names()) + " " + word_list(program.self.flag_names())) +
      " -- \"$current\"))\n    return\n  fi\n  case \"${COMP_WORDS[1]} $before\" in\n";
  for (const CommandPage& command : program.commands)
    for (const FlagPage& flag : command.flags) {
      if (flag.alone || flag.value.empty()) continue;
      std::string patterns;
      for (const std::string& one : flag.names)
        patterns += (patterns.empty() ? "" : "|") + in_single_quotes(command.name + " " + one);
      if (!flag.choices().empty())
        out += "    " + patterns + ") COMPREPLY=($(compgen -W " + in_single_quotes(word_list(flag.choices())) +
               " -- \"$current\")); return ;;\n";
      else
        out += "    " + patterns + ") " + (flag.takes_path() ? "COMPREPLY=($(compgen -f -- \"$current\")); " : "") +
               "return ;;\n";
    }
  out += "  esac\n  case \"${COMP_WORDS[1]}\" in\n";
  for (const CommandPage& command : program.commands)
    out += "    " + command.name + ") words=" + in_single_quotes(word_list(command.flag_names())) + " ;;\n";
  out +=
      "  esac\n  case \"$current\" in\n"
      "    -*) COMPREPLY=($(compgen -W \"$words\" -- \"$current\")) ;;\n"
      "    *) COMPREPLY=($(compgen -f -- \"$current\")) ;;\n  esac\n}\n";
  return out + "complete -o filenames -F _" + name + " " + name + "\n";
}

std::string zsh_completion(const ProgramPage& program) {
  const std::string& name = program.self.name;
  std::string out = "#compdef " + name + "\n_" + name + "() {\n  local -a commands\n  commands=(\n";
  for (const CommandPage& command : program.commands)
    out += "    " + in_single_quotes(command.name + ":" + in_brackets(command.sentence)) + "\n";
  out +=
      "  )\n  if ((CURRENT == 2)); then\n    _describe command commands\n    return\n  fi\n"
      "  local command=\"$words[2]\"\n  shift words\n  ((CURRENT--))\n  case \"$command\" in\n";
  for (const CommandPage& command : program.commands) {
    out += "    " + command.name + ")\n      _arguments";
    for (const FlagPage& flag : command.flags) {
      if (flag.alone) {
        out += " \\\n        " + in_single_quotes("::" + in_brackets(flag.value) + ":_files");
        continue;
      }
      for (const std::string& one : flag.names)
        out += " \\\n        " + in_single_quotes(one + "[" + in_brackets(flag.sentence) + "]" + zsh_value(flag));
    }
    out += "\n      ;;\n";
  }
  return out + "  esac\n}\n_" + name + " \"$@\"\n";
}

}  // namespace sturm
