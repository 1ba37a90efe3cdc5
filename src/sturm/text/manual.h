// SPDX-License-Identifier: BSD-3-Clause
// What a program can be told on its command line, as plain values, and the texts that are made from them: help, a man
// page, completion for shells. The front door fills the values in from its own flags, so that none is forgotten.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sturm {

/// A flag, or a word that stands alone.
struct FlagPage {
  std::vector<std::string> names;  ///< with their dashes, the long one last; of a word that stands alone, what it is
  std::string value;               ///< what follows it, such as DIR, N or auto|none; empty: nothing
  std::string usual;               ///< the value where none is given; empty: there is none, or it is told in words
  std::string sentence;
  std::string group;
  bool alone = false;     ///< a word without a flag
  bool required = false;  ///< of a word that stands alone
  bool often = false;     ///< may be given more than once

  const std::string& name() const { return names.back(); }
  /// The words that it takes, where it takes no others: of "auto|none" both, of "FILE|none" none.
  std::vector<std::string> choices() const;
  /// Whether its value is the name of a file or folder.
  bool takes_path() const;
};

struct Example {
  std::string what, command;
};

struct CommandPage {
  std::string name;
  std::string sentence;
  std::vector<FlagPage> flags;
  std::vector<Example> examples;

  const FlagPage* flag(const std::string& name) const;  ///< by any of its names; null where there is none
  std::vector<std::string> flag_names() const;
};

struct ProgramPage {
  CommandPage self;  ///< the program without a command
  std::string version;
  std::vector<CommandPage> commands;
  std::vector<std::pair<int, std::string>> endings;  ///< exit codes

  const CommandPage* command(const std::string& name) const;
  std::vector<std::string> command_names() const;
};

/// What --help prints, no line longer than `columns` where words allow it.
std::string help_of(const ProgramPage& program, int columns);
std::string help_of(const ProgramPage& program, const CommandPage& command, int columns);

/// A page for man, section 1.
std::string man_page(const ProgramPage& program);

/// Scripts that bash and zsh read.
std::string bash_completion(const ProgramPage& program);
std::string zsh_completion(const ProgramPage& program);

/// A text in lines of at most `columns` characters where its words allow it, without the last line's end.
std::vector<std::string> wrapped(const std::string& text, int columns);

}  // namespace sturm
