// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/load.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "sturm/core/parallel.h"
#include "sturm/imaging/resize.h"

namespace sturm {
namespace {

constexpr Index block = 16;  ///< volumes in memory at a time: sixteen floats are a cache line of the design

/// Puts `count` volumes in a row, each voxel's values side by side, into rows first, first + 1, ... of the design.
template <class Real>
void transpose_into(AlignedVector<Real>& design, Index samples, const std::vector<std::vector<Real>>& volumes,
                    Index first, Index count) {
  const auto voxels = static_cast<Index>(volumes[0].size());
  constexpr Index part = 4096;
  parallel_for((voxels + part - 1) / part, [&](Index p, int) {
    for (Index v = p * part; v < std::min(voxels, (p + 1) * part); ++v)
      for (Index m = 0; m < count; ++m) design[first + m + samples * v] = volumes[m][v];
  });
}

/// Rows that are volumes of one file, one after the other: a gzip file is inflated once for all of them.
struct Run {
  Index first = 0, count = 1;
};

std::vector<Run> runs_of(const VolumeSet& set, Index begin, Index end) {
  std::vector<Run> runs;
  for (Index m = begin; m < end; ++m) {
    const bool goes_on = m > begin && set.files[m].file == set.files[m - 1].file && set.files[m].volume &&
                         set.files[m - 1].volume && *set.files[m].volume == *set.files[m - 1].volume + 1;
    if (goes_on)
      ++runs.back().count;
    else
      runs.push_back({m, 1});
  }
  return runs;
}

/// One pass over the files.
template <class Real>
class Loader {
 public:
  Loader(const VolumeSet& set, const VolumeLoad& load, std::vector<std::uint8_t> mask)
      : set_(set),
        load_(load),
        mask_(std::move(mask)),
        resizer_(set.grid.shape, load.shape),
        resizes_(load.shape != set.grid.shape),
        not_finite(set.files.size()),
        in_mask(set.files.size()) {}

  /// Fills the design; the ranges too, where there are some.
  void run(AlignedVector<Real>& design, VoxelRanges* ranges) {
    const auto samples = static_cast<Index>(set_.files.size());
    std::vector<std::vector<Real>> volumes(static_cast<std::size_t>(std::min(block, samples)));
    std::vector<std::string> failures(set_.files.size());
    Index done = 0;
    for (Index first = 0; first < samples; first += block) {
      const Index count = std::min(block, samples - first);
      const std::vector<Run> runs = runs_of(set_, first, first + count);
      parallel_for(static_cast<Index>(runs.size()), [&](Index r, int) {
        const auto out = std::span(volumes).subspan(runs[r].first - first, runs[r].count);
        try {
          read(runs[r], out, ranges);
        } catch (const Error& error) {
          failures[runs[r].first] = error.what();
          for (auto& volume : out) volume.assign(static_cast<std::size_t>(load_.shape.size()), Real{0});
        }
        const std::lock_guard lock(mutex_);
        done += runs[r].count;
        if (load_.progress) load_.progress(done, samples);
      });
      transpose_into(design, samples, volumes, first, count);
    }
    std::erase(failures, std::string());
    require_none(failures);
  }

 private:
  void read(const Run& run, std::span<std::vector<Real>> out, VoxelRanges* ranges) {
    const VolumeInfo& info = set_.infos[run.first];
    const auto voxels = static_cast<std::size_t>(info.grid.shape.size());
    const Index volume = set_.files[run.first].volume.value_or(0);
    if (run.count == 1) {
      out[0] = prepared(run.first, read_volume<Real>(info, volume), ranges);
      return;
    }
    std::vector<Real> all(voxels * static_cast<std::size_t>(run.count));
    read_volumes_into<Real>(info, volume, run.count, all);
    for (Index n = 0; n < run.count; ++n) {
      const auto begin = all.begin() + n * static_cast<Index>(voxels);
      out[n] = prepared(run.first + n, {begin, begin + static_cast<Index>(voxels)}, ranges);
    }
  }

  std::vector<Real> prepared(Index m, std::vector<Real> read, VoxelRanges* ranges) {
    std::vector<Real> values =
        on_grid<Real>(std::move(read), set_.infos[m].grid, set_.grid, load_.options.interpolation);
    if (ranges) {
      const std::lock_guard lock(mutex_);
      ranges->add(std::span<const Real>(values));
    }
    for (std::size_t v = 0; v < values.size(); ++v) {
      const bool inside = mask_.empty() || mask_[v];
      if (!std::isfinite(values[v])) {
        ++not_finite[m];
        in_mask[m] += inside;
        values[v] = 0;
      } else if (!inside) {
        values[v] = 0;
      }
    }
    return resizes_ ? resizer_.template shrink<Real>(values) : values;
  }

  const VolumeSet& set_;
  const VolumeLoad& load_;
  std::vector<std::uint8_t> mask_;
  Resizer resizer_;
  bool resizes_;
  std::mutex mutex_;

 public:
  std::vector<Index> not_finite, in_mask;
};

/// Whether volumes hold anything but zeros outside a mask.
bool anything_outside(const VoxelRanges& ranges, const std::vector<std::uint8_t>& mask) {
  for (std::size_t v = 0; v < mask.size(); ++v)
    if (!mask[v] && (ranges.low[v] < 0 || ranges.high[v] > 0)) return true;
  return false;
}

void refuse_not_finite(const VolumeSet& set, const std::vector<Index>& counts, bool masked) {
  std::vector<std::string> offenders;
  for (std::size_t m = 0; m < counts.size(); ++m)
    if (counts[m] > 0)
      offenders.push_back(set.files[m].file.string() + " (" + std::to_string(counts[m]) +
                          (counts[m] == 1 ? " voxel)" : " voxels)"));
  if (offenders.empty()) return;
  throw Error("NaN or infinite values" + std::string(masked ? " inside the mask" : "") + " in " +
              join(offenders, offenders.size()) + "; repair them, take them as 0 with --nan zero, or use a --mask " +
              "that leaves them out" + (masked ? "." : ", such as auto."));
}

}  // namespace

template <class Real>
Index load_bytes(const VolumeSet& set, const Shape& shape) {
  const auto samples = static_cast<Index>(set.files.size());
  const bool in_runs = std::ranges::any_of(set.files, [](const SampleFile& f) { return f.volume.has_value(); });
  const Index at_once = in_runs ? std::min(samples, block) : std::min<Index>({samples, block, threads()});
  const Index design = checked_product(samples + std::min(block, samples), shape.size());
  // A volume as read, as brought to the grid, and on its way to the coarser one; then the ranges and the mask.
  return checked_product(design + 3 * at_once * set.grid.shape.size(), sizeof(Real)) + 10 * set.grid.shape.size();
}

template <class Real>
LoadedVolumes<Real> load_volumes(const VolumeSet& set, const VolumeLoad& load) {
  const auto samples = static_cast<Index>(set.files.size());
  const bool resizes = load.shape != set.grid.shape;
  AlignedVector<Real> design(static_cast<std::size_t>(checked_product(samples, load.shape.size())));
  std::vector<std::uint8_t> mask = load.learn_mask ? std::vector<std::uint8_t>() : load.mask;
  Loader<Real> first(set, load, mask);
  std::vector<Index> not_finite, in_mask;
  if (load.learn_mask) {
    VoxelRanges ranges(set.grid.shape);
    first.run(design, &ranges);
    mask = auto_mask(ranges);
    not_finite = std::move(first.not_finite);
    in_mask.assign(not_finite.size(), 0);
    // What lies outside must not be smoothed into the mask. Most volumes hold zeros there, and one pass is enough.
    if (resizes && anything_outside(ranges, mask)) Loader<Real>(set, load, mask).run(design, nullptr);
  } else {
    first.run(design, nullptr);
    not_finite = std::move(first.not_finite);
    in_mask = std::move(first.in_mask);
    if (load.options.nan == OnNan::error) refuse_not_finite(set, in_mask, !mask.empty());
  }
  std::vector<std::uint8_t> small = mask;
  if (resizes && !mask.empty()) small = resize_mask(Resizer(set.grid.shape, load.shape), mask);
  return {Design<Real>::owning(load.shape, samples, std::move(design)), std::move(mask), std::move(small),
          std::move(not_finite), std::move(in_mask)};
}

template Index load_bytes<float>(const VolumeSet&, const Shape&);
template Index load_bytes<double>(const VolumeSet&, const Shape&);
template LoadedVolumes<float> load_volumes(const VolumeSet&, const VolumeLoad&);
template LoadedVolumes<double> load_volumes(const VolumeSet&, const VolumeLoad&);

}  // namespace sturm
