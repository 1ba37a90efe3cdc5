// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/load.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <mutex>

#include "sturm/core/parallel.h"
#include "sturm/imaging/resize.h"

namespace sturm {
namespace {

constexpr Index block = 16;  ///< volumes in memory at a time: sixteen floats are a cache line of the design

/// Puts `count` volumes, each as the columns of the design, into rows first, first + 1, ... of it.
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

/// Ranges that many threads add volumes to: each holds a part of the voxels at a time.
class SharedRanges {
 public:
  explicit SharedRanges(const Shape& shape) : ranges_(shape) {}

  template <class Real>
  void add(std::span<const Real> volume) {
    const std::size_t size = volume.size(), begin = turn_++;
    for (std::size_t i = 0; i < parts; ++i) {
      const std::size_t p = (begin + i) % parts;
      const std::lock_guard lock(mutex_[p]);
      ranges_.add(volume, size * p / parts, size * (p + 1) / parts);
    }
  }
  const VoxelRanges& ranges() const { return ranges_; }

 private:
  static constexpr std::size_t parts = 16;
  VoxelRanges ranges_;
  std::array<std::mutex, parts> mutex_;
  std::atomic<std::size_t> turn_{0};
};

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

  /// The ranges of the volumes as they are read, or after they are masked and resized.
  void find_ranges(SharedRanges& ranges, bool as_read) {
    as_read_ = as_read;
    ranges_ = &ranges;
    read_all([](Index, Index, const auto&) {}, nullptr);
  }
  /// Fills the design with the columns of a region.
  void fill(AlignedVector<Real>& design, const Region& region) {
    ranges_ = nullptr;
    const auto samples = static_cast<Index>(set_.files.size());
    read_all(
        [&](Index first, Index count, const auto& volumes) { transpose_into(design, samples, volumes, first, count); },
        &region);
  }

 private:
  template <class Use>
  void read_all(const Use& use, const Region* region) {
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
          read(runs[r], out, region);
        } catch (const Error& error) {
          failures[runs[r].first] = error.what();
          for (auto& volume : out) volume.assign(static_cast<std::size_t>(region ? region->size() : 0), Real{0});
        }
        const std::lock_guard lock(mutex_);
        done += runs[r].count;
        if (load_.progress) load_.progress(done, samples);
      });
      use(first, count, volumes);
    }
    std::erase(failures, std::string());
    require_none(failures);
  }

  void read(const Run& run, std::span<std::vector<Real>> out, const Region* region) {
    const VolumeInfo& info = set_.infos[run.first];
    const auto voxels = static_cast<std::size_t>(info.grid.shape.size());
    const Index volume = set_.files[run.first].volume.value_or(0);
    if (run.count == 1) {
      keep(prepared(run.first, read_volume<Real>(info, volume)), region, out[0]);
      return;
    }
    std::vector<Real> all(voxels * static_cast<std::size_t>(run.count));
    read_volumes_into<Real>(info, volume, run.count, all);
    for (Index n = 0; n < run.count; ++n) {
      const auto begin = all.begin() + n * static_cast<Index>(voxels);
      keep(prepared(run.first + n, {begin, begin + static_cast<Index>(voxels)}), region, out[n]);
    }
  }

  /// The columns of a volume; none where only its ranges are asked for.
  static void keep(std::vector<Real> volume, const Region* region, std::vector<Real>& out) {
    if (!region)
      out.clear();
    else if (region->whole())
      out = std::move(volume);
    else
      out = region->gather<Real>(volume);
  }

  std::vector<Real> prepared(Index m, std::vector<Real> read) {
    std::vector<Real> values =
        on_grid<Real>(std::move(read), set_.infos[m].grid, set_.grid, load_.options.interpolation);
    if (ranges_ && as_read_) {
      ranges_->add(std::span<const Real>(values));
      return values;
    }
    not_finite[m] = in_mask[m] = 0;
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
    if (resizes_) values = resizer_.template shrink<Real>(values);
    if (ranges_) ranges_->add(std::span<const Real>(values));
    return values;
  }

  const VolumeSet& set_;
  const VolumeLoad& load_;
  std::vector<std::uint8_t> mask_;
  Resizer resizer_;
  bool resizes_;
  SharedRanges* ranges_ = nullptr;
  bool as_read_ = false;
  std::mutex mutex_;

 public:
  std::vector<Index> not_finite, in_mask;
};

void refuse_not_finite(const VolumeSet& set, const std::vector<Index>& counts, bool masked) {
  std::vector<std::string> offenders;
  for (std::size_t m = 0; m < counts.size(); ++m)
    if (counts[m] > 0)
      offenders.push_back(set.files[m].file.string() + " (" + std::to_string(counts[m]) +
                          (counts[m] == 1 ? " voxel)" : " voxels)"));
  if (offenders.empty()) return;
  throw Error("NaN or infinite values" + std::string(masked ? " inside the mask" : "") + " in " +
              join(offenders, offenders.size()) + "; repair them, take them as 0 with `nan zero`, or use a `mask` " +
              "that leaves them out" + (masked ? "." : ", such as auto."));
}

}  // namespace

template <class Real>
Index load_bytes(const VolumeSet& set, const Region& region) {
  const auto samples = static_cast<Index>(set.files.size());
  const bool in_runs = std::ranges::any_of(set.files, [](const SampleFile& f) { return f.volume.has_value(); });
  const Index at_once = in_runs ? std::min(samples, block) : std::min<Index>({samples, block, threads()});
  const Index design = checked_product(samples + std::min(block, samples), region.size());
  // A volume as read, as brought to the grid, and on its way to the coarser one; then the ranges and the mask.
  return checked_product(design + 3 * at_once * set.grid.shape.size(), sizeof(Real)) + 10 * set.grid.shape.size();
}

template <class Real>
LoadedVolumes<Real> load_volumes(const VolumeSet& set, const VolumeLoad& load) {
  const auto samples = static_cast<Index>(set.files.size());
  const bool resizes = load.shape != set.grid.shape;
  std::vector<std::uint8_t> mask = load.learn_mask ? std::vector<std::uint8_t>() : load.mask;
  std::vector<std::uint8_t> small;
  if (load.learn_mask) {
    SharedRanges found(set.grid.shape);
    Loader<Real>(set, load, {}).find_ranges(found, true);
    mask = auto_mask(found.ranges());
  }
  if (load.only_varying) {
    SharedRanges found(load.shape);
    Loader<Real>(set, load, mask).find_ranges(found, false);
    small = varying(found.ranges());
    if (std::ranges::find(small, 1) == small.end()) small.clear();
  } else {
    small = resizes && !mask.empty() ? resize_mask(Resizer(set.grid.shape, load.shape), mask) : mask;
  }
  const Region region = load.region ? *load.region : Region(load.shape, small);
  if (load.check) load.check(region);
  AlignedVector<Real> design(static_cast<std::size_t>(checked_product(samples, region.size())));
  Loader<Real> loader(set, load, mask);
  loader.fill(design, region);
  if (load.learn_mask)
    std::ranges::fill(loader.in_mask, 0);
  else if (load.options.nan == OnNan::error)
    refuse_not_finite(set, loader.in_mask, !mask.empty());
  return {Design<Real>::owning(region, samples, std::move(design)), std::move(mask), std::move(loader.not_finite),
          std::move(loader.in_mask)};
}

template Index load_bytes<float>(const VolumeSet&, const Region&);
template Index load_bytes<double>(const VolumeSet&, const Region&);
template LoadedVolumes<float> load_volumes(const VolumeSet&, const VolumeLoad&);
template LoadedVolumes<double> load_volumes(const VolumeSet&, const VolumeLoad&);

}  // namespace sturm
