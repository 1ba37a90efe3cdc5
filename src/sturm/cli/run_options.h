// SPDX-License-Identifier: BSD-3-Clause
// The flags that every working command has: where it runs, how much it may take, what it says, where it writes.
#pragma once

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "sturm/cli/progress.h"
#include "sturm/linalg/backend.h"

namespace sturm {

enum class Device { cpu, automatic, cuda };
template <>
inline std::vector<std::string> names_of<Device>() {
  return {"cpu", "auto", "cuda"};
}

enum class Precision { f32, f64 };
template <>
inline std::vector<std::string> names_of<Precision>() {
  return {"f32", "f64"};
}

namespace cli {

struct RunOptions {
  std::uint64_t seed = 0;
  int threads = 0;
  Device device = Device::automatic;
  Precision precision = Precision::f32;
  std::string memory;
  ProgressMode progress = ProgressMode::automatic;
  std::string log_json;

  std::string output;
  bool force = false;
  bool verbose = false, quiet = false;
};
template <class Field>
void describe(Field&& field, RunOptions& o) {
  field("seed", o.seed, "random numbers start here");
  field("threads", o.threads, "0: every processor, or OMP_NUM_THREADS");
  field("device", o.device, "where to compute");
  field("precision", o.precision, "of the volumes and of the solver; sums that matter are f64 anyway");
  field("memory", o.memory, "for volumes and solver together, such as 4G (default: 60 % of what is available)");
  field("progress", o.progress, "auto: a bar on a terminal, lines elsewhere");
  field("log-json", o.log_json, "append what happens to this file, one JSON object a line");
}

/// The flags above and -o, --force, -v, -q, --config.
void add_run_flags(CLI::App& app, RunOptions& options);

/// Reads --config, checks the flags above and puts them in force: threads, device, signals. `output` must be given.
void begin_run(CLI::App& app, RunOptions& options);

/// The device of --device: the one place where one is named.
linalg::Backend& backend_of(const RunOptions& options);

/// --memory in bytes.
Index memory_budget(const RunOptions& options);

/// A line on stderr, unless -q.
template <class... Args>
void say(const RunOptions& options, fmt::format_string<Args...> format, Args&&... args) {
  if (!options.quiet) fmt::print(stderr, "{}\n", fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace cli
}  // namespace sturm
