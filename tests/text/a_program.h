// SPDX-License-Identifier: BSD-3-Clause
// A small program as a manual describes it.
#pragma once

#include "sturm/text/manual.h"

namespace sturm::test {

inline ProgramPage a_program() {
  const FlagPage help{.names = {"-h", "--help"}, .sentence = "this help"};
  ProgramPage out;
  out.self = {"prog", "shows how", {help, {.names = {"--version"}, .sentence = "the version"}}, {}};
  out.version = "1.2.3";
  out.commands.push_back(
      {"fit",
       "fit a model",
       {help,
        {.names = {"--tau"}, .value = "NUMBER", .usual = "0.5", .sentence = "weight of the penalty", .group = "Model"},
        {.names = {"--device"}, .value = "cpu|auto", .sentence = "where to compute", .group = "Running"},
        {.names = {"--mask"}, .value = "FILE|none", .sentence = "voxels to use", .group = "Input"},
        {.names = {"-o", "--output"}, .value = "DIR", .sentence = "folder for the results", .group = "Running"},
        {.names = {"-q", "--quiet"}, .sentence = "say nothing", .group = "Running"},
        {.names = {"-v", "--verbose"}, .sentence = "say more", .group = "Running"}},
       {{"An example", "prog fit --tau 1 -o out"}}});
  out.commands.push_back(
      {"report",
       "show results",
       {help, {.names = {"folder"}, .value = "DIR", .sentence = "of results", .alone = true, .required = true}},
       {}});
  out.endings = {{0, "done"}, {2, "wrong usage"}};
  return out;
}

}  // namespace sturm::test
