// SPDX-License-Identifier: BSD-3-Clause
// sturm phantom: a synthetic study with a known answer, to try things on.
#include "sturm/imaging/phantom.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>

#include "sturm/cli/commands.h"
#include "sturm/cli/options.h"
#include "sturm/cli/run_options.h"
#include "sturm/core/files.h"
#include "sturm/core/memory.h"
#include "sturm/core/output_folder.h"
#include "sturm/core/parallel.h"
#include "sturm/imaging/nifti.h"
#include "sturm/results/json.h"
#include "sturm/terminal/signals.h"

namespace sturm::cli {
namespace {

using nlohmann::ordered_json;

struct PhantomCommand {
  CLI::App* app = nullptr;
  PhantomOptions phantom;
  RunOptions run;
};

const std::vector<std::string> phantom_files = {"volumes", "samples.tsv", "truth.nii.gz", "mask.nii.gz",
                                                "phantom.json"};

std::string file_of(const PhantomSubject& subject) { return "volumes/" + subject.id + ".nii.gz"; }

std::string samples_table(const Phantom& phantom) {
  std::string out = "participant_id\tpath\tgroup\tsite\tage\n";
  for (const PhantomSubject& s : phantom.subjects())
    out += fmt::format("{}\t{}\t{}\tsite-{}\t{:.1f}\n", s.id, file_of(s), s.patient ? "patient" : "control", s.site + 1,
                       s.age);
  return out;
}

ordered_json facts_of(const PhantomOptions& o) {
  return {{"subjects", o.subjects},       {"size", o.size}, {"effect", o.effect}, {"rank", o.rank}, {"sites", o.sites},
          {"site_effect", o.site_effect}, {"fwhm", o.fwhm}, {"seed", o.seed}};
}

void write_phantom(const std::filesystem::path& folder, const Phantom& phantom, const PhantomOptions& options,
                   Progress& progress) {
  std::filesystem::create_directory(folder / "volumes");
  const auto total = static_cast<Index>(phantom.subjects().size());
  std::mutex mutex;
  Index done = 0;
  parallel_for(total, [&](Index s, int) {
    if (stop_asked()) return;
    write_volume(folder / file_of(phantom.subjects()[s]), phantom.grid(), phantom.volume(s).flat());
    const std::lock_guard lock(mutex);
    progress.count(++done, total);
  });
  const std::vector<float> mask(phantom.mask().begin(), phantom.mask().end());
  write_volume(folder / "mask.nii.gz", phantom.grid(), mask, {.type = VoxelType::uint8});
  write_volume(folder / "truth.nii.gz", phantom.grid(), phantom.truth().flat());
  write_file(folder / "samples.tsv", samples_table(phantom));
  write_file(folder / "phantom.json", json_text(facts_of(options)) + "\n");
}

void phantom(PhantomCommand& command) {
  const RunOptions& run = command.run;
  OutputFolder output(run.output, run.force, phantom_files);
  command.phantom.seed = run.seed;
  const Shape shape = parse_shape(command.phantom.size, "size");
  const Index fields = std::clamp(command.phantom.sites, 1, 900) + 3 * (threads() + 1);
  if (const Index need = checked_product(fields, checked_product(shape.size(), sizeof(float)));
      need > memory_budget(run))
    throw Error("volumes of " + to_string(shape) + " take " + format_bytes(need) + ", and `memory` is " +
                format_bytes(memory_budget(run)) + "; make `size` smaller, or raise it.");
  const Phantom phantom(command.phantom);
  Progress progress(run.progress, {});
  progress.stage("writing volumes");
  on_signal(OnSignal::finish);
  write_phantom(output.draft(), phantom, command.phantom, progress);
  progress.close();
  if (stop_asked()) throw Interrupted();
  on_signal(OnSignal::ignore);
  output.publish();
  say(run, "{} volumes of {} written to {}; fit them with", phantom.subjects().size(), to_string(phantom.grid().shape),
      run.output);
  say(run, "  sturm fit --samples {}/samples.tsv --target group --positive patient -o OUT", run.output);
}

}  // namespace

void add_phantom(CLI::App& program) {
  const auto command = std::make_shared<PhantomCommand>();
  CLI::App* const app = program.add_subcommand("phantom", "write a synthetic study with a known answer");
  app->footer(
      "40 people, half of them patients\nsturm phantom -o phantom\n"
      "A study from three scanners\nsturm phantom --subjects 60 --sites 3 -o phantom");
  command->app = app;
  add_flags(*app, "Phantom", command->phantom);
  app->get_option("--size")->type_name("I1xI2xI3")->capture_default_str();
  add_run_flags(*app, command->run);
  app->callback([command] {
    const UseThreads threads = begin_run(*command->app, command->run);
    phantom(*command);
  });
}

}  // namespace sturm::cli
