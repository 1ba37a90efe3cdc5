// SPDX-License-Identifier: BSD-3-Clause
// sturm check: all that is wrong or odd with a study, before anything is fitted to it.
#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "sturm/app/check_study.h"
#include "sturm/app/run_settings.h"
#include "sturm/cli/commands.h"
#include "sturm/cli/input_flags.h"
#include "sturm/cli/options.h"
#include "sturm/core/memory.h"
#include "sturm/core/parallel.h"
#include "sturm/results/json.h"
#include "sturm/terminal/progress.h"
#include "sturm/terminal/voice.h"
#include "sturm/terminal/words.h"

namespace sturm::cli {
namespace {

using nlohmann::ordered_json;

struct CheckCommand {
  CLI::App* app = nullptr;
  CheckOptions options;
  int threads = 0;
  ProgressMode progress = ProgressMode::automatic;
  bool json = false, quiet = false;
};

const char* verdict(const VolumeFacts& facts) {
  if (!facts.error.empty()) return "error";
  return !facts.stands_out.empty() ? "outlier" : facts.warnings.empty() ? "ok" : "warning";
}

std::string size_of(const VolumeInfo& info) {
  const Point size = voxel_size(info.grid.affine);
  return fmt::format("{:.4g}x{:.4g}x{:.4g}", size[0], size[1], size[2]);
}

void print_table(const StudyCheck& study) {
  fmt::print(
      "line\tpath\tvolume\tshape\tvoxel_mm\torientation\tnot_finite\tconstant\textreme\tminimum\tmaximum\tsame_as"
      "\tverdict\n");
  for (std::size_t row = 0; row < study.files.size(); ++row) {
    const VolumeFacts& facts = study.volumes[row];
    const SampleFile& sample = study.files[row];
    const std::string name = sample.written.empty() ? "n/a" : sample.written;
    fmt::print("{}\t{}\t{}\t", study.table.line(static_cast<Index>(row)), name, sample.volume.value_or(0));
    if (facts.info)
      fmt::print("{}\t{}\t{}", to_string(facts.info->grid.shape), size_of(*facts.info),
                 orientation(facts.info->grid.affine));
    else
      fmt::print("n/a\tn/a\tn/a");
    if (facts.error.empty())
      fmt::print("\t{}\t{}\t{}\t{:.6g}\t{:.6g}", facts.not_finite, facts.constant ? "yes" : "no", facts.extreme,
                 facts.low, facts.high);
    else
      fmt::print("\tn/a\tn/a\tn/a\tn/a\tn/a");
    const Index same = study.same_as.empty() ? -1 : study.same_as[row];
    fmt::print("\t{}\t{}\n", same < 0 ? "n/a" : study.files[same].written, verdict(facts));
  }
}

ordered_json to_json(const StudyCheck& study) {
  ordered_json files = ordered_json::array(), findings = ordered_json::array();
  for (std::size_t row = 0; row < study.files.size(); ++row) {
    const VolumeFacts& facts = study.volumes[row];
    ordered_json file = {{"line", study.table.line(static_cast<Index>(row))},
                         {"path", study.files[row].written},
                         {"volume", study.files[row].volume.value_or(0)},
                         {"verdict", verdict(facts)}};
    if (facts.info) {
      const Shape& s = facts.info->grid.shape;
      file["shape"] = {s.n1, s.n2, s.n3};
      file["voxel_mm"] = voxel_size(facts.info->grid.affine);
      file["orientation"] = orientation(facts.info->grid.affine);
    }
    if (facts.error.empty())
      file.update({{"not_finite", facts.not_finite},
                   {"constant", facts.constant},
                   {"extreme", facts.extreme},
                   {"minimum", facts.low},
                   {"maximum", facts.high}});
    else
      file["error"] = facts.error;
    if (!study.same_as.empty() && study.same_as[row] >= 0) file["same_as"] = study.files[study.same_as[row]].written;
    if (!facts.stands_out.empty()) file["stands_out"] = facts.stands_out;
    file["warnings"] = facts.warnings;
    files.push_back(std::move(file));
  }
  const char* const words[] = {"note", "warning", "error"};
  for (const Finding& finding : study.findings)
    findings.push_back({{"severity", words[static_cast<int>(finding.severity)]}, {"what", finding.sentence}});
  return {{"files", files},
          {"labels", study.labels},
          {"groups", study.groups},
          {"confounds", study.confounds},
          {"resources", study.resources},
          {"coverage", study.coverage ? sturm::to_json(*study.coverage) : ordered_json()},
          {"findings", findings}};
}

/// -q leaves out what is not an error.
void say_findings(const StudyCheck& study, bool quiet) {
  const char* const words[] = {"note", "warning", "error"};
  for (const Finding& finding : study.findings)
    if (!quiet || finding.severity == Severity::error)
      tell(words[static_cast<int>(finding.severity)], finding.sentence);
}

/// What the table holds, in a few lines.
void say_summary(const StudyCheck& study) {
  std::string rows = plural(study.table.rows(), "row");
  if (!study.groups.is_null() && study.groups.contains("column"))
    rows += fmt::format(" in {} of {} (at most {} each)", plural(study.groups["groups"].get<Index>(), "group"),
                        study.groups["column"].get<std::string>(), plural(study.groups["largest"].get<Index>(), "row"));
  tell("say", rows);
  if (!study.labels.is_null()) {
    std::vector<std::string> counts;
    if (study.labels.contains("counts"))
      for (const auto& [value, count] : study.labels["counts"].items())
        counts.push_back(fmt::format("{} {}", value, count.get<Index>()));
    tell("say", study.labels["column"].get<std::string>() + ": " +
                    (counts.empty() ? fmt::format("{} different numbers", study.labels["values"].get<Index>())
                                    : join(counts)));
  }
  if (study.resources.is_null()) return;
  const auto bytes = [&](const char* key) { return format_bytes(study.resources[key].get<Index>()); };
  tell("say", fmt::format("memory: {} for the volumes and {} for a fit; {} are available", bytes("volumes_bytes"),
                          bytes("fit_bytes"), bytes("available_bytes")));
  tell("say", fmt::format("a nested cross-validation of one method (10 x 9 folds, 13 x 13 penalties) would take about "
                          "{} and {} on {}: a rough estimate",
                          format_seconds(study.resources["cv_seconds_estimate"].get<double>()),
                          bytes("cv_bytes_estimate"), plural(threads(), "thread")));
}

void check(const CheckCommand& command) {
  Progress progress(command.progress, {});
  progress.stage("reading " + command.options.input.name());
  const StudyCheck study = check_study(command.options, [&](Index done, Index total) { progress.count(done, total); });
  progress.close();
  if (command.json)
    fmt::print("{}\n", json_text(json_in_flags(to_json(study))));
  else if (!study.files.empty())
    print_table(study);
  say_findings(study, command.quiet);
  if (!command.quiet) say_summary(study);
  const auto count = [&](Severity s) { return std::ranges::count(study.findings, s, &Finding::severity); };
  const auto errors = count(Severity::error), warnings = count(Severity::warning);
  if (errors > 0)
    throw Error(fmt::format("{}: {} and {} found; {}.", command.options.input.name(), plural(errors, "error"),
                            plural(warnings, "warning"), command.quiet ? "errors are listed above" : "listed above"));
}

}  // namespace

void add_check(CLI::App& program) {
  const auto command = std::make_shared<CheckCommand>();
  CLI::App* const app =
      program.add_subcommand("check", "all that is wrong or odd with a study, before anything is fitted to it");
  app->footer(
      "The volumes of a table, and what their labels would lead to\n"
      "sturm check --samples samples.tsv --target group --positive patient --confounds age,sex\n"
      "The same for a program to read\nsturm check --samples samples.tsv --target group --json");
  command->app = app;
  CheckOptions& options = command->options;
  add_input_flags(*app, options.input, Purpose::check);
  app->add_option("--groups", options.groups, "column whose rows stay together (default: participant_id), or none")
      ->type_name("COL|none")
      ->group("Input");
  app->add_option("--confounds", options.confounds, "columns to be regressed out")->type_name("A,B")->group("Input");
  const Flags flags{*app, "Input"};
  flags("on-mismatch", options.input.volumes.on_mismatch, "whether volumes on other grids are an error");
  const Flags running{*app, "Running"};
  running("threads", command->threads, "0: every processor, or OMP_NUM_THREADS");
  running("progress", command->progress, "auto: a bar on a terminal, lines elsewhere");
  app->add_flag("-q,--quiet", command->quiet, "the table alone")->group("Running");
  app->add_flag("--json", command->json, "print JSON");
  add_config(*app);
  app->callback([command] {
    apply_config(*command->app);
    check_threads(command->threads);
    const UseThreads threads(command->threads);
    if (command->quiet && command->progress == ProgressMode::automatic) command->progress = ProgressMode::none;
    check(*command);
  });
}

}  // namespace sturm::cli
