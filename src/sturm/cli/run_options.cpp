// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/cli/run_options.h"

#include <nlohmann/json.hpp>

#include "sturm/cli/command_line.h"
#include "sturm/cli/options.h"
#include "sturm/core/build_info.h"
#include "sturm/core/memory.h"
#include "sturm/core/output_folder.h"
#include "sturm/terminal/signals.h"

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

UseThreads begin_run(CLI::App& app, RunOptions& options, bool writes) {
  apply_config(app);
  if (writes && options.output.empty())
    throw UsageError("-o/--output is missing: the name of a folder for the results.");
  if (options.device == Device::cuda)
    throw UsageError("--device cuda is not in this build, which knows the processor alone; leave it out, or say cpu.");
  check_threads(options.threads);
  if (options.quiet && options.verbose) throw UsageError("-q and -v do not go together.");
  if (options.quiet && options.progress == ProgressMode::automatic) options.progress = ProgressMode::none;
  memory_budget(options);
  if (options.progress == ProgressMode::json) speak_json();
  if (options.quiet) speak_of_errors_alone();
  if (writes && options.output != "-") refuse_inside(options.output, {{"log-json", options.log_json}});
  open_log(options.log_json);
  tell_event({{"event", "start"},
              {"command", app.get_name()},
              {"version", build_info().version},
              {"output", options.output},
              {"given", command_line(app)}});
  on_signal(OnSignal::leave);
  return UseThreads(options.threads);
}

}  // namespace sturm::cli
