// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/cli/run_options.h"

#include "sturm/cli/options.h"
#include "sturm/cli/signals.h"
#include "sturm/core/memory.h"

namespace sturm::cli {

void add_run_flags(CLI::App& app, RunOptions& options) {
  add_flags(app, "Running", options);
  app.get_option("--memory")->type_name("SIZE");
  app.get_option("--log-json")->type_name("FILE");
  app.add_option("-o,--output", options.output, "folder for the results; it must be new or empty")
      ->type_name("DIR")
      ->group("Running");
  app.add_flag("--force", options.force, "replace the results of an earlier run")->group("Running");
  app.add_flag("-v,--verbose", options.verbose, "say more")->group("Running");
  app.add_flag("-q,--quiet", options.quiet, "say nothing but errors")->group("Running");
  add_config(app);
}

UseThreads begin_run(CLI::App& app, RunOptions& options) {
  apply_config(app);
  if (options.output.empty()) throw UsageError("-o/--output is missing: the name of a folder for the results.");
  if (options.device == Device::cuda)
    throw UsageError("--device cuda is not in this build, which knows the processor alone; leave it out, or say cpu.");
  if (options.threads < 0) throw UsageError("--threads is a number from 1, or 0 for every processor.");
  if (options.quiet && options.verbose) throw UsageError("-q and -v do not go together.");
  if (options.quiet && options.progress == ProgressMode::automatic) options.progress = ProgressMode::none;
  memory_budget(options);
  on_signal(OnSignal::leave);
  return UseThreads(options.threads);
}

}  // namespace sturm::cli
