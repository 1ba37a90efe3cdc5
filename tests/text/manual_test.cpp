// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/text/manual.h"

#include <gtest/gtest.h>

#include "message.h"
#include "sturm/core/table.h"
#include "sturm/text/width.h"
#include "text/a_program.h"

namespace sturm {
namespace {

TEST(Manual, KnowsChoicesAndFiles) {
  const ProgramPage program = test::a_program();
  const CommandPage& fit = *program.command("fit");
  EXPECT_EQ(fit.flag("--device")->choices(), (std::vector<std::string>{"cpu", "auto"}));
  EXPECT_TRUE(fit.flag("--mask")->choices().empty()) << "a file or a word: anything may follow";
  EXPECT_TRUE(fit.flag("--mask")->takes_path());
  EXPECT_TRUE(fit.flag("-o")->takes_path());
  EXPECT_FALSE(fit.flag("--tau")->takes_path());
  EXPECT_EQ(fit.flag("-o"), fit.flag("--output"));
  EXPECT_EQ(fit.flag("--none"), nullptr);
  EXPECT_EQ(program.command("none"), nullptr);
}

TEST(Manual, LinesAreAsLongAsTheTerminal) {
  EXPECT_EQ(wrapped("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrapped("one two three", 3), (std::vector<std::string>{"one", "two", "three"})) << "a word is never cut";
  EXPECT_EQ(wrapped("", 7), (std::vector<std::string>{""}));
  const ProgramPage program = test::a_program();
  for (const int columns : {40, 60, 80, 120})
    for (const CommandPage& command : program.commands)
      for (const std::string& line : split(help_of(program, command, columns), '\n'))
        EXPECT_LE(width_of(line), columns);
}

TEST(Manual, HelpHasEverything) {
  const ProgramPage program = test::a_program();
  const std::string help = help_of(program, *program.command("fit"), 80);
  EXPECT_TRUE(test::has(help, "Usage: prog fit [FLAGS]", "\nModel:\n", "\nRunning:\n", "\nInput:\n", "\nOther:\n",
                        "-o, --output DIR", "weight of the penalty (default: 0.5)", "cpu|auto",
                        "Examples:", "prog fit --tau 1 -o out"))
      << help;
  EXPECT_LT(help.find("Model:"), help.find("Other:"));
  EXPECT_TRUE(test::has(help_of(program, *program.command("report"), 80), "Usage: prog report DIR [FLAGS]"));
  EXPECT_TRUE(test::has(help_of(program, 80), "prog COMMAND", "report", "show results", "Exit codes", "wrong usage"));
}

TEST(Manual, TheManPageCanBeCopiedFrom) {
  ProgramPage program = test::a_program();
  program.commands[0].sentence = ".begins with a point, has a back\\slash";
  const std::string page = man_page(program);
  EXPECT_TRUE(page.starts_with(".TH PROG 1"));
  EXPECT_TRUE(test::has(page, ".SH NAME", "\\fB\\-o\\fR, \\fB\\-\\-output\\fR \\fIDIR\\fR", "\\&.begins",
                        "back\\eslash", ".SH EXIT STATUS", "(default: 0.5)"));
  for (const std::string& line : split(page, '\n'))
    if (line[0] == '.') {
      EXPECT_TRUE(line.starts_with(".TP") || line.starts_with(".SH") || line.starts_with(".TH") ||
                  line.starts_with(".PP") || line.starts_with(".nf") || line.starts_with(".fi") ||
                  line.starts_with(".R"))
          << line;
    }
}

TEST(Manual, CompletionHasEveryCommandFlagAndChoice) {
  ProgramPage program = test::a_program();
  program.commands[0].flags[1].sentence = "it's [in brackets]: 50 %";
  for (const std::string& script : {bash_completion(program), zsh_completion(program)}) {
    for (const CommandPage& command : program.commands) {
      EXPECT_TRUE(test::has(script, command.name));
      for (const std::string& name : command.flag_names()) EXPECT_TRUE(test::has(script, name)) << name;
    }
    EXPECT_TRUE(test::has(script, "cpu auto"));
  }
  EXPECT_TRUE(test::has(zsh_completion(program), "--tau[it'\\''s \\[in brackets\\]\\: 50 %]:NUMBER: "));
}

}  // namespace
}  // namespace sturm
