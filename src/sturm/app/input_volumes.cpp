// SPDX-License-Identifier: BSD-3-Clause
// --samples, --participants and --bids.
#include <algorithm>

#include "sturm/app/input_parts.h"
#include "sturm/core/npy_design.h"
#include "sturm/imaging/cache.h"
#include "sturm/imaging/resize.h"

namespace sturm {
namespace {

/// The files of the rows that are used; throws what is wrong with them, all at once.
std::vector<SampleFile> files_of(const SampleList& list, const std::vector<Index>& rows) {
  std::vector<std::string> problems;
  std::vector<SampleFile> files;
  std::size_t problem = 0;
  for (const Index row : rows) {
    while (problem < list.problems.size() && list.problems[problem].row < row) ++problem;
    if (problem < list.problems.size() && list.problems[problem].row == row)
      problems.push_back(list.problems[problem].sentence);
    files.push_back(list.files[row]);
  }
  require_none(problems);
  return files;
}

std::vector<std::uint8_t> mask_file(const InputOptions& options, const Grid& grid, std::vector<std::string>& notes) {
  if (options.mask.ends_with(".npy")) return load_mask(options.mask, grid.shape);
  return load_mask_volume(options.mask, grid, options.volumes.on_mismatch, &notes);
}

template <class Real>
LoadedVolumes<Real> load_through_cache(const std::string& cache, const VolumeSet& set, const VolumeLoad& load,
                                       const LoadPlan& plan, std::vector<std::string>& notes) {
  if (cache.empty()) return load_volumes<Real>(set, load);
  const std::string key = cache_key(set, load, sizeof(Real));
  std::string why;
  if (auto kept = read_cache<Real>(cache, key, set, load, &why)) {
    if (load.check) load.check(kept->design.region(), kept->rim ? kept->rim->voxels() : 0);
    notes.push_back("volumes taken from " + (std::filesystem::path(cache) / (key + ".npy")).string());
    return std::move(*kept);
  }
  if (!why.empty()) notes.push_back(why);
  LoadedVolumes<Real> loaded = load_volumes<Real>(set, load);
  const auto write = [&] { write_cache(cache, key, set, loaded); };  // half a file in the cache would stay there
  plan.whole ? plan.whole(write) : write();
  return loaded;
}

/// Where masks are learnt later it is not known yet what is in them.
void note_not_finite(const VolumeSet& set, const std::vector<Index>& all, const std::vector<Index>& in_mask, bool later,
                     std::vector<std::string>& notes) {
  std::vector<std::string> files;
  for (std::size_t m = 0; m < all.size(); ++m)
    if (all[m] > 0)
      files.push_back(set.files[m].written + " " + std::to_string(all[m]) +
                      (later ? "" : " (" + std::to_string(in_mask[m]) + " in the mask)"));
  if (!files.empty())
    notes.push_back("voxels that are NaN or infinite are taken as 0 in " + std::to_string(files.size()) +
                    (files.size() == 1 ? " file: " : " files: ") + join(files));
}

}  // namespace

template <class Real>
Input<Real> load_samples(const InputOptions& options, const LoadPlan& plan) {
  SampleList list = find_samples(options.source);
  Rows rows = read_rows(list.table, options, plan);
  const VolumeSet set =
      open_volumes(files_of(list, rows.kept), options.volumes.on_mismatch, plan.space ? &plan.space->grid : nullptr);
  const bool fits = plan.purpose == Purpose::fit;
  VolumeLoad load{.options = options.volumes, .progress = plan.progress};
  load.shape = plan.space ? plan.shape : resized_shape(set.grid.shape, options.resize);
  load.check = [&](const Region& region, Index rim) {
    const Index on_top = plan.on_top ? plan.on_top(region, static_cast<Index>(set.files.size())) : 0;
    check_memory(options, plan, load_bytes<Real>(set, region, rim), on_top);
  };
  const std::optional<MaskRule> rule = fits ? options.learnt_mask() : std::nullopt;
  load.learn_mask = rule && !plan.masks_later;
  load.masks_later = rule && plan.masks_later;
  if (rule) load.rule = *rule;
  load.region = plan.region;
  std::vector<std::string> notes = std::move(list.notes);
  if (!fits)
    load.mask = plan.needed;
  else if (!rule && options.mask != "none")
    load.mask = mask_file(options, set.grid, notes);

  const auto odd = std::ranges::count_if(set.infos, [](const VolumeInfo& info) { return !info.warnings.empty(); });
  if (odd > 0)
    notes.push_back(std::to_string(odd) + (odd == 1 ? " volume has an odd header" : " volumes have odd headers") +
                    ", which sturm check describes");
  if (plan.outline) {
    const bool learns = rule.has_value();
    const bool resizes = load.shape != set.grid.shape;
    const Region region(load.shape, learns || load.mask.empty() ? std::vector<std::uint8_t>()
                                    : resizes ? resize_mask(Resizer(set.grid.shape, load.shape), load.mask)
                                              : load.mask);
    if (!learns) load.check(region, 0);
    const auto samples = static_cast<Index>(set.files.size());
    Input<Real> input{with_rows(stand_in<Real>(samples, load.shape), std::move(rows)),
                      Space{set.grid, options.resize, {}, declared_space(set)},
                      std::move(notes),
                      {},
                      {},
                      Outline{load.shape, region.size(), !learns},
                      std::move(list.skipped)};
    for (const SampleFile& sample : set.files) input.data.paths.push_back(sample.written);
    return input;
  }
  LoadedVolumes<Real> loaded = load_through_cache<Real>(options.cache, set, load, plan, notes);
  note_not_finite(set, loaded.not_finite, loaded.not_finite_in_mask, load.masks_later, notes);
  Input<Real> input{with_rows(std::move(loaded.design), std::move(rows)),
                    Space{set.grid, options.resize, std::move(loaded.grid_mask), declared_space(set)},
                    std::move(notes),
                    std::move(loaded.coverage),
                    std::move(loaded.rim),
                    {},
                    std::move(list.skipped)};
  for (const SampleFile& sample : set.files) input.data.paths.push_back(sample.written);
  if (load.learn_mask) {
    const Region& region = input.data.design.region();
    input.notes.insert(input.notes.begin(), describe_mask(covered_voxels(*input.coverage, load.rule), load.rule,
                                                          region.size(), region.box(), input.data.paths));
  }
  return input;
}

template Input<float> load_samples(const InputOptions&, const LoadPlan&);
template Input<double> load_samples(const InputOptions&, const LoadPlan&);

}  // namespace sturm
