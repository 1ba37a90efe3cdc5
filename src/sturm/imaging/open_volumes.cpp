// SPDX-License-Identifier: BSD-3-Clause
// The part of load.h that reads headers and compares grids.
#include <algorithm>
#include <cstdio>
#include <map>

#include "sturm/core/parallel.h"
#include "sturm/imaging/load.h"

namespace sturm {
namespace {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.5g", value + 0.0);
  return text;
}

/// What is wrong with the volume that a row asks of a sound file; empty: nothing.
std::string wrong_volume(const SampleFile& sample, const VolumeInfo& info) {
  const std::string holds = sample.file.string() + ": holds " + std::to_string(info.volumes) + " volumes";
  if (!sample.volume && info.volumes > 1)
    return holds + " where a sample is one; say which, from 0, in a column 'volume' of the table, or reduce it first.";
  if (sample.volume && *sample.volume >= info.volumes)
    return holds + ", so it has no volume " + std::to_string(*sample.volume) + " (counted from 0).";
  return {};
}

/// Each file's header, read once however many rows name the file. There is one problem per file.
std::vector<VolumeInfo> read_headers(const std::vector<SampleFile>& files, std::vector<std::string>& problems) {
  std::map<std::filesystem::path, Index> known;
  std::vector<const SampleFile*> distinct;
  std::vector<Index> which;
  for (const SampleFile& sample : files) {
    const auto [at, is_new] = known.emplace(sample.file, static_cast<Index>(distinct.size()));
    if (is_new) distinct.push_back(&sample);
    which.push_back(at->second);
  }
  std::vector<VolumeInfo> headers(distinct.size());
  std::vector<std::string> failures(distinct.size());
  parallel_for(static_cast<Index>(distinct.size()), [&](Index f, int) {
    try {
      headers[f] = read_volume_info(distinct[f]->file);
    } catch (const Error& error) {
      failures[f] = error.what();
    }
  });
  std::erase(failures, std::string());
  problems.insert(problems.end(), failures.begin(), failures.end());
  if (!failures.empty()) return {};
  std::vector<VolumeInfo> infos;
  infos.reserve(which.size());
  for (const Index f : which) infos.push_back(headers[f]);
  return infos;
}

}  // namespace

Grid common_grid(std::span<const VolumeInfo> infos) {
  std::vector<std::pair<const Grid*, Index>> found;
  for (const VolumeInfo& info : infos) {
    const auto same =
        std::ranges::find_if(found, [&](const auto& f) { return reorder(info.grid, *f.first).has_value(); });
    if (same == found.end())
      found.emplace_back(&info.grid, 1);
    else
      ++same->second;
  }
  return *std::ranges::max_element(found, {}, [](const auto& f) { return f.second; })->first;
}

std::string describe_grid(const Grid& grid) {
  const Point size = voxel_size(grid.affine), start = grid.affine({0, 0, 0});
  return to_string(grid.shape) + " of " + number(size[0]) + " x " + number(size[1]) + " x " + number(size[2]) +
         " mm, " + orientation(grid.affine) + ", first voxel at (" + number(start[0]) + ", " + number(start[1]) + ", " +
         number(start[2]) + ")";
}

VolumeSet open_volumes(std::vector<SampleFile> files, OnMismatch mismatch, const Grid* required) {
  std::vector<std::string> problems;
  VolumeSet set{std::move(files)};
  set.infos = read_headers(set.files, problems);
  require_none(problems);
  for (std::size_t m = 0; m < set.files.size(); ++m)
    if (std::string wrong = wrong_volume(set.files[m], set.infos[m]); !wrong.empty())
      problems.push_back(std::move(wrong));
  require_none(problems);
  set.grid = required ? *required : common_grid(set.infos);
  if (mismatch == OnMismatch::resample) return set;
  std::vector<std::string> offenders;
  for (std::size_t m = 0; m < set.files.size(); ++m)
    if (!reorder(set.infos[m].grid, set.grid))
      offenders.push_back(set.files[m].file.string() + " (" + describe_grid(set.infos[m].grid) + ")");
  if (!offenders.empty())
    throw Error(std::to_string(offenders.size()) + " of " + std::to_string(set.files.size()) +
                " volumes are not on the grid of the " + (required ? "model" : "others") + " (" +
                describe_grid(set.grid) + "): " + join(offenders, offenders.size()) +
                "; bring them to one grid, or add `on-mismatch resample`.");
  return set;
}

template <class Real>
std::vector<Real> on_grid(std::vector<Real> values, const Grid& from, const Grid& to, Interpolation how) {
  const auto order = reorder(from, to);
  if (!order) return resampled<Real>(values, from, to, how);
  if (order->trivial()) return values;
  return reordered<Real>(values, from.shape, *order);
}

template std::vector<float> on_grid(std::vector<float>, const Grid&, const Grid&, Interpolation);
template std::vector<double> on_grid(std::vector<double>, const Grid&, const Grid&, Interpolation);

}  // namespace sturm
