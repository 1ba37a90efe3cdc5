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

  /// What the volumes cover, and their ranges where what is not finite counts as 0.
  void look(Coverage& coverage, SharedRanges& ranges) {
    coverage_ = &coverage;
    ranges_ = &ranges;
    read_all([](Index, Index, const auto&) {}, nullptr);
    ranges_ = nullptr;
    coverage_ = nullptr;
  }
  /// Fills the design with the columns of a region, and the rim with its voxels on the grid.
  void fill(AlignedVector<Real>& design, const Region& region, Coverage* coverage, AlignedVector<Real>* rim,
            const Region* rim_region) {
    coverage_ = coverage;
    rim_region_ = rim_region;
    rims_.resize(static_cast<std::size_t>(rim ? std::min<Index>(block, std::ssize(set_.files)) : 0));
    const auto samples = static_cast<Index>(set_.files.size());
    read_all(
        [&](Index first, Index count, const auto& volumes) {
          transpose_into(design, samples, volumes, first, count);
          if (rim) transpose_into(*rim, samples, rims_, first, count);
        },
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
          for (Index n = 0; n < runs[r].count && rim_region_; ++n)
            rims_[runs[r].first - first + n].assign(static_cast<std::size_t>(rim_region_->size()), Real{0});
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
    if (coverage_) coverage_->add(m, std::span<const Real>(values));
    not_finite[m] = in_mask[m] = 0;
    for (std::size_t v = 0; v < values.size(); ++v) {
      if (std::isfinite(values[v])) continue;
      ++not_finite[m];
      in_mask[m] += mask_.empty() || mask_[v];
      values[v] = 0;
    }
    if (not_finite[m] == static_cast<Index>(values.size()))
      throw Error({set_.files[m].file.string()},
                  "holds no finite number; leave it out of the table, or put the file right.");
    if (ranges_) {
      ranges_->add(std::span<const Real>(values));
      return values;
    }
    if (rim_region_) rims_[m % block] = rim_region_->template gather<Real>(values);
    for (std::size_t v = 0; v < mask_.size(); ++v)
      if (!mask_[v]) values[v] = 0;
    if (resizes_) values = resizer_.template shrink<Real>(values);
    return values;
  }

  const VolumeSet& set_;
  const VolumeLoad& load_;
  std::vector<std::uint8_t> mask_;
  Resizer resizer_;
  bool resizes_;
  SharedRanges* ranges_ = nullptr;
  Coverage* coverage_ = nullptr;
  const Region* rim_region_ = nullptr;
  std::vector<std::vector<Real>> rims_;  ///< of the volumes in memory, by their row in the block
  std::mutex mutex_;

 public:
  std::vector<Index> not_finite, in_mask;
};

std::vector<std::string> names_of_files(const VolumeSet& set) {
  std::vector<std::string> out;
  for (const SampleFile& file : set.files) out.push_back(file.written.empty() ? file.file.string() : file.written);
  return out;
}

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
Index load_bytes(const VolumeSet& set, const Region& region, Index rim) {
  const auto samples = static_cast<Index>(set.files.size());
  const bool in_runs = std::ranges::any_of(set.files, [](const SampleFile& f) { return f.volume.has_value(); });
  const Index at_once = in_runs ? std::min(samples, block) : std::min<Index>({samples, block, threads()});
  const Index design = checked_product(samples + std::min(block, samples), region.size() + rim);
  // A volume as read, as brought to the grid, and on its way to the coarser one; then the ranges, the mask, and a bit
  // per voxel and volume.
  return checked_product(design + 3 * at_once * set.grid.shape.size(), sizeof(Real)) + 10 * set.grid.shape.size() +
         Coverage::bytes(set.grid.shape, samples);
}

namespace {

using Mask = std::vector<std::uint8_t>;

/// Volumes that cover nothing would empty every mask.
void refuse_bare(const VolumeSet& set, const Coverage& coverage) {
  std::vector<std::string> bare;
  for (Index m = 0; m < coverage.samples(); ++m)
    if (coverage.lacking(m) == coverage.shape().size()) bare.push_back(set.files[m].file.string());
  if (bare.empty()) return;
  throw Error(join(bare, 10) + ": " + (bare.size() == 1 ? "holds" : "hold") +
              " nothing but 0 and NaN, so that no voxel is covered by every volume; leave " +
              (bare.size() == 1 ? "it out of the table, or put the file right."
                                : "them out of the table, or put the files right."));
}

/// Which voxels a design has, on the grid and on its own, and what stands beside it.
struct Columns {
  Mask grid;                    ///< outside, values count as 0; empty: every voxel
  Region region;                ///< of the design
  std::optional<Region> rim{};  ///< on the grid
  bool may_be_noise = false;    ///< outside the brain, which is to be cut by brightness on a coarser grid, too
};

/// The mask that is learnt from all volumes: those voxels that they cover, and of them those that vary. On a coarser
/// grid what varies is known only when the volumes are there.
Columns learnt_columns(const VolumeSet& set, const VolumeLoad& load, const Coverage& coverage,
                       const VoxelRanges& ranges) {
  const CoveredVoxels covered = covered_voxels(coverage, load.rule);
  const std::vector<std::string> names = names_of_files(set);
  if (covered.kept == 0) refuse_empty_mask(covered, names);
  if (load.shape == set.grid.shape) {
    bool any = false;
    const Mask varies = varying(ranges);
    for (std::size_t v = 0; v < varies.size(); ++v) any = any || (varies[v] && covered.mask[v]);
    if (!any) refuse_empty_mask(covered, names);
    Mask mask = auto_mask(ranges, covered.mask);
    Region region(load.shape, mask);
    return {std::move(mask), std::move(region)};
  }
  return {covered.mask,
          Region(load.shape, resize_mask(Resizer(set.grid.shape, load.shape), covered.mask)),
          {},
          may_be_noise(covered)};
}

/// All voxels that a mask learnt from some of the volumes may hold.
Columns possible_columns(const VolumeSet& set, const VolumeLoad& load, const Coverage& coverage,
                         const VoxelRanges& ranges) {
  Mask varies = varying(ranges);
  if (std::ranges::find(varies, 1) == varies.end()) return {{}, Region(load.shape)};
  if (load.shape == set.grid.shape) return {{}, Region(load.shape, varies)};
  const Region region(load.shape, touched(Resizer(set.grid.shape, load.shape), varies));
  Mask always(varies.size()), rim(varies.size());
  Coverage::Words lacked(static_cast<std::size_t>(coverage.words()));
  for (Index m = 0; m < coverage.samples(); ++m)
    for (std::size_t w = 0; w < lacked.size(); ++w) lacked[w] |= coverage.lacks(m)[w];
  for (std::size_t v = 0; v < rim.size(); ++v) {
    always[v] = (lacked[v / 64] >> (v % 64) & 1) == 0;
    rim[v] = varies[v] && !always[v];
  }
  if (std::ranges::find(rim, 1) == rim.end()) return {{}, region};
  return {std::move(always), region, Region(set.grid.shape, rim)};
}

}  // namespace

template <class Real>
LoadedVolumes<Real> load_volumes(const VolumeSet& set, const VolumeLoad& load) {
  const auto samples = static_cast<Index>(set.files.size());
  const bool resizes = load.shape != set.grid.shape, learns = load.learn_mask || load.masks_later;
  const auto coverage = std::make_shared<Coverage>(set.grid.shape, samples);
  Columns columns{load.mask, Region(load.shape)};
  if (learns) {
    SharedRanges ranges(set.grid.shape);
    Loader<Real>(set, load, {}).look(*coverage, ranges);
    refuse_bare(set, *coverage);
    columns = load.learn_mask ? learnt_columns(set, load, *coverage, ranges.ranges())
                              : possible_columns(set, load, *coverage, ranges.ranges());
  } else if (!load.mask.empty()) {
    columns.region =
        Region(load.shape, resizes ? resize_mask(Resizer(set.grid.shape, load.shape), load.mask) : load.mask);
  }
  if (load.region) columns.region = *load.region;
  const Index rim_voxels = columns.rim ? columns.rim->size() : 0;
  if (load.check) load.check(columns.region, rim_voxels);
  AlignedVector<Real> design(static_cast<std::size_t>(checked_product(samples, columns.region.size()))),
      rim(static_cast<std::size_t>(checked_product(samples, rim_voxels)));
  Loader<Real> loader(set, load, columns.grid);
  loader.fill(design, columns.region, learns ? nullptr : coverage.get(), columns.rim ? &rim : nullptr,
              columns.rim ? &*columns.rim : nullptr);
  if (!learns && load.options.nan == OnNan::error) refuse_not_finite(set, loader.in_mask, !columns.grid.empty());
  LoadedVolumes<Real> out{Design<Real>::owning(columns.region, samples, std::move(design)), std::move(columns.grid),
                          std::move(loader.not_finite), std::move(loader.in_mask), coverage};
  if (columns.rim) out.rim = Design<Real>::owning(*columns.rim, samples, std::move(rim));
  if (load.masks_later) out.grid_mask.clear();
  if (load.learn_mask && resizes)
    out.design = part_of(out.design, {}, Region(load.shape, auto_mask(out.design, {}, {}, columns.may_be_noise)));
  return out;
}

template Index load_bytes<float>(const VolumeSet&, const Region&, Index);
template Index load_bytes<double>(const VolumeSet&, const Region&, Index);
template LoadedVolumes<float> load_volumes(const VolumeSet&, const VolumeLoad&);
template LoadedVolumes<double> load_volumes(const VolumeSet&, const VolumeLoad&);

}  // namespace sturm
