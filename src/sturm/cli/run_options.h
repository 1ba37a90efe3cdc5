// SPDX-License-Identifier: BSD-3-Clause
// The flags that every working command has: where it runs, how much it may take, what it says, where it writes.
#pragma once

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <string>

#include "sturm/app/run_settings.h"
#include "sturm/core/parallel.h"
#include "sturm/terminal/progress.h"
#include "sturm/terminal/voice.h"

namespace sturm::cli {

struct RunOptions : RunSettings {
  ProgressMode progress = ProgressMode::automatic;
  std::string log_json;

  std::string output;
  bool force = false;
  bool verbose = false, quiet = false;

  const RunSettings& settings() const { return *this; }  ///< what the work itself has to know
};
template <class Field>
void describe(Field&& field, RunOptions& o) {
  describe(field, static_cast<RunSettings&>(o));
  field("progress", o.progress, "auto: a bar on a terminal, lines elsewhere");
  field("log-json", o.log_json, "append what happens to this file, new or an earlier log: one JSON object per line");
}

/// The flags above and -o, --force, -v, -q, --config.
void add_run_flags(CLI::App& app, RunOptions& options);

/// Reads --config, checks the flags above and puts them in force: device, signals, and threads for as long as what is
/// returned lives. `output` must be given, unless nothing will be written.
[[nodiscard]] UseThreads begin_run(CLI::App& app, RunOptions& options, bool writes = true);

/// A line on stderr, unless -q.
template <class... Args>
void say(const RunOptions&, fmt::format_string<Args...> format, Args&&... args) {
  tell("say", fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace sturm::cli
