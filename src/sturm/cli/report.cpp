// SPDX-License-Identifier: BSD-3-Clause
// sturm report: the results of a study as one HTML file, or as figures for a paper.
#include "sturm/report/report.h"

#include <fmt/core.h>

#include <memory>

#include "sturm/app/unfinished.h"
#include "sturm/cli/commands.h"
#include "sturm/cli/run_options.h"
#include "sturm/core/files.h"
#include "sturm/core/output_folder.h"
#include "sturm/report/figures.h"
#include "sturm/report/page.h"
#include "sturm/terminal/signals.h"
#include "sturm/terminal/voice.h"

namespace sturm::cli {
namespace {

namespace fs = std::filesystem;

struct ReportCommand {
  CLI::App* app = nullptr;
  std::string folder, output, title, figures, atlas, atlas_labels, background, truth;
  bool force = false, quiet = false, watch = false;
};

void write_page(const ReportCommand& command, const Report& report, const fs::path& file) {
  if (fs::exists(file) && !command.force)
    throw Error({file.string()}, "is there already; --force replaces it, -o names another file.");
  write_file(file, report_page(empty_page(), report));
}

/// The page of a study that runs, again and again.
void watch(const ReportCommand& command, const ReportRequest& request, const fs::path& work) {
  const fs::path page =
      command.output.empty() ? (work.empty() ? request.folder : work) / "report.html" : fs::path(command.output);
  say_when_stopped("stopped; the page shows what was done until now.");
  on_signal(OnSignal::finish);
  watch_study(request, page, command.force, stop_asked, [&](const StudyProgress& now) {
    if (!command.quiet) tell("note", fmt::format("{} of {} are done", now.done, plural(now.tasks, "task")));
  });
  if (!command.quiet) fmt::print("{}\n", page.string());
}

void report(const ReportCommand& command) {
  fs::path folder = command.folder;
  while (folder.has_relative_path() && !folder.has_filename()) folder = folder.parent_path();
  ReportRequest request{.folder = folder,
                        .title = command.title,
                        .atlas = command.atlas,
                        .atlas_labels = command.atlas_labels,
                        .background = command.background,
                        .truth = command.truth,
                        .missing = {},
                        .name = fs::absolute(folder).lexically_normal().filename().string(),
                        .progress = {}};
  std::unique_ptr<UnfinishedResults> unfinished;
  const fs::path work = work_folder(folder);
  if (command.watch) return watch(command, request, work);
  if (!work.empty()) {
    unfinished = std::make_unique<UnfinishedResults>(work);
    request = unfinished->request(request);
    for (const std::string& sentence : request.missing)
      if (!command.quiet) tell("note", sentence);
  }
  const Report made = make_report(request);
  std::vector<std::string> written;
  if (!command.figures.empty()) {
    const std::vector<Figure> figures = figures_of(made);
    std::vector<std::string> names;
    names.reserve(figures.size());
    for (const Figure& figure : figures) names.push_back(figure.name);
    OutputFolder output(command.figures, command.force, names);
    for (const Figure& figure : figures) write_file(output.draft() / figure.name, figure.bytes);
    output.publish();
    if (const std::string sentence = figures_left_out(); !sentence.empty() && !command.quiet) tell("note", sentence);
    written.push_back(command.figures);
  }
  if (command.figures.empty() || !command.output.empty()) {
    const fs::path file =
        command.output.empty() ? (work.empty() ? folder : work) / "report.html" : fs::path(command.output);
    write_page(command, made, file);
    written.push_back(file.string());
  }
  for (const std::string& name : written)
    if (!command.quiet) fmt::print("{}\n", name);
}

}  // namespace

void add_report(CLI::App& program) {
  const auto command = std::make_shared<ReportCommand>();
  CLI::App* const app = program.add_subcommand("report", "show the results of cv or fit as one HTML file");
  app->footer(
      "The page of a study, also of one that is not done yet\nsturm report results\n"
      "Figures for a paper\nsturm report results --figures figures --atlas atlas.nii.gz");
  command->app = app;
  const auto option = [app](const char* name, std::string& value, const char* help, const char* type) {
    return app->add_option(name, value, help)->type_name(type);
  };
  option("folder", command->folder, "what sturm cv or sturm fit wrote, or the work folder of a study under way", "DIR")
      ->required();
  option("-o,--output", command->output, "the page (default: DIR/report.html)", "FILE");
  option("--title", command->title, "what stands above the page (default: what was asked)", "TEXT");
  option("--atlas", command->atlas, "volume of region numbers: clusters are named after it", "FILE");
  option("--atlas-labels", command->atlas_labels, "table of their names: columns index and name", "FILE.tsv");
  option("--background,--template", command->background,
         "what to lay maps over: a volume, mean (of the samples), or mni (default: mni where the volumes are in MNI "
         "space, "
         "otherwise mean)",
         "FILE|mean|mni");
  option("--truth", command->truth, "map that was planted, to compare with (default: that of a phantom)", "FILE");
  option("--figures", command->figures,
         "write a figure for a paper with its caption, charts and slices here; no page unless -o is given", "DIR");
  app->add_flag("--watch", command->watch, "write the page again whenever a running study has got further");
  app->add_flag("--force", command->force, "replace what is there");
  app->add_flag("-q,--quiet", command->quiet, "say nothing but errors");
  app->callback([command] {
    if (!command->atlas_labels.empty() && command->atlas.empty())
      throw UsageError("--atlas-labels names the regions of an atlas: add --atlas, the volume of their numbers.");
    if (command->watch && !command->figures.empty())
      throw UsageError("--watch writes the page of a running study: leave --figures out until it is done.");
    report(*command);
  });
}

}  // namespace sturm::cli
