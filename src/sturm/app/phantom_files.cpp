// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/phantom_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <mutex>
#include <nlohmann/json.hpp>

#include "sturm/core/files.h"
#include "sturm/core/memory.h"
#include "sturm/core/output_folder.h"
#include "sturm/core/parallel.h"
#include "sturm/imaging/nifti.h"
#include "sturm/results/json.h"

namespace sturm {
namespace {

using nlohmann::ordered_json;

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

void write_files(const std::filesystem::path& folder, const Phantom& phantom, const PhantomOptions& options,
                 Events& events) {
  std::filesystem::create_directory(folder / "volumes");
  const auto total = static_cast<Index>(phantom.subjects().size());
  std::mutex mutex;
  Index done = 0;
  parallel_for(total, [&](Index s, int) {
    if (events.stop_asked()) return;
    write_volume(folder / file_of(phantom.subjects()[s]), phantom.grid(), phantom.volume(s).flat());
    const std::lock_guard lock(mutex);
    events.count(++done, total);
  });
  const std::vector<float> mask(phantom.mask().begin(), phantom.mask().end());
  write_volume(folder / "mask.nii.gz", phantom.grid(), mask, {.type = VoxelType::uint8});
  write_volume(folder / "truth.nii.gz", phantom.grid(), phantom.truth().flat());
  write_file(folder / "samples.tsv", samples_table(phantom));
  write_file(folder / "phantom.json", json_text(facts_of(options)) + "\n");
}

/// Throws where the volumes that are held at a time take more than there is.
void check_size(const PhantomOptions& options, Index memory) {
  const Shape shape = parse_shape(options.size, "size");
  const Index fields = std::clamp(options.sites, 1, 900) + 3 * (threads() + 1);
  const Index need = checked_product(fields, checked_product(shape.size(), sizeof(float)));
  if (need > memory)
    throw Error("volumes of " + to_string(shape) + " take " + format_bytes(need) + ", and `memory` is " +
                format_bytes(memory) + "; make `size` smaller, or raise it.");
}

}  // namespace

std::string write_phantom(const std::filesystem::path& folder, bool replace, const PhantomOptions& options,
                          Index memory, Events& events) {
  OutputFolder output(folder, replace, phantom_files);
  check_size(options, memory);
  const Phantom phantom(options);
  events.stage("writing volumes");
  events.enter(Phase::writing);
  write_files(output.draft(), phantom, options, events);
  events.close();
  stop_if_asked(events);
  events.enter(Phase::written);
  output.publish();
  return to_string(phantom.grid().shape);
}

}  // namespace sturm
