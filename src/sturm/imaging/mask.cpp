// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/mask.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sturm/core/parallel.h"
#include "sturm/imaging/nifti.h"

namespace sturm {
namespace {

using Mask = std::vector<std::uint8_t>;

constexpr double usual_share = 0.5;  ///< of its box that a brain fills at the most

Index count(const Mask& mask) { return std::ranges::count(mask, std::uint8_t{1}); }

/// Calls body for the six neighbours of a voxel.
template <class Body>
void for_neighbours(const Shape& s, Index voxel, const Body& body) {
  const Index i = voxel % s.n1, j = voxel / s.n1 % s.n2, k = voxel / s.slice();
  if (i > 0) body(voxel - 1);
  if (i + 1 < s.n1) body(voxel + 1);
  if (j > 0) body(voxel - s.n1);
  if (j + 1 < s.n2) body(voxel + s.n1);
  if (k > 0) body(voxel - s.slice());
  if (k + 1 < s.n3) body(voxel + s.slice());
}

/// Marks with `mark` all voxels of value `value` that hang together with `start`; how many they are.
Index flood(Mask& mask, const Shape& s, Index start, std::uint8_t value, std::uint8_t mark) {
  std::vector<Index> open = {start};
  mask[start] = mark;
  Index found = 0;
  while (!open.empty()) {
    const Index voxel = open.back();
    open.pop_back();
    ++found;
    for_neighbours(s, voxel, [&](Index next) {
      if (mask[next] != value) return;
      mask[next] = mark;
      open.push_back(next);
    });
  }
  return found;
}

/// The largest connected part, with the holes inside it that vary as well.
Mask largest_part(Mask mask, const Shape& s, const Mask& may_be_inside) {
  Index largest = 0, seed = 0;
  for (Index v = 0; v < s.size(); ++v)
    if (mask[v] == 1) {
      const Index size = flood(mask, s, v, 1, 2);
      if (size > largest) {
        largest = size;
        seed = v;
      }
    }
  flood(mask, s, seed, 2, 1);
  for (auto& m : mask) m = m == 1;
  for (Index v = 0; v < s.size(); ++v) {
    const Index i = v % s.n1, j = v / s.n1 % s.n2, k = v / s.slice();
    const bool border = i == 0 || j == 0 || k == 0 || i + 1 == s.n1 || j + 1 == s.n2 || k + 1 == s.n3;
    if (border && mask[v] == 0) flood(mask, s, v, 0, 3);
  }
  for (Index v = 0; v < s.size(); ++v) mask[v] = mask[v] != 3 && may_be_inside[v];
  return mask;
}

/// The threshold between dark and bright that leaves the least variance within the two (Otsu's), of logarithms; none
/// (minus infinity) where the bright are not clearly brighter, as in a volume that is all brain.
double brightness_threshold(const std::vector<double>& logarithms) {
  constexpr double none = -std::numeric_limits<double>::infinity(), clearly = 1.6;  // five times as bright
  constexpr Index bins = 256;
  const auto [low, high] = std::ranges::minmax(logarithms);
  if (high - low < clearly) return none;
  std::vector<double> number(bins), sum(bins);
  for (const double x : logarithms) {
    const auto bin = std::min<Index>(bins - 1, static_cast<Index>((x - low) / (high - low) * bins));
    number[bin] += 1;
    sum[bin] += x;
  }
  const auto total = static_cast<double>(logarithms.size());
  double all = 0, below = 0, below_sum = 0, best = 0, threshold = none;
  for (const double s : sum) all += s;
  for (Index b = 0; b + 1 < bins; ++b) {
    below += number[b];
    below_sum += sum[b];
    if (below == 0 || below == total) continue;
    const double step = (all - below_sum) / (total - below) - below_sum / below;
    const double between = below * (total - below) * step * step;
    if (between <= best) continue;
    best = between;
    threshold = step > clearly ? low + (high - low) * static_cast<double>(b + 1) / bins : none;
  }
  return threshold;
}

}  // namespace

VoxelRanges::VoxelRanges(const Shape& s)
    : shape(s.check()),
      low(static_cast<std::size_t>(s.size()), std::numeric_limits<float>::infinity()),
      high(low.size(), -std::numeric_limits<float>::infinity()),
      all_finite(low.size(), 1) {}

template <class Real>
void VoxelRanges::add(std::span<const Real> volume, std::size_t first, std::size_t last) {
  for (std::size_t v = first; v < last; ++v) {
    const auto x = static_cast<float>(volume[v]);
    if (std::isfinite(x)) {
      low[v] = std::min(low[v], x);
      high[v] = std::max(high[v], x);
    } else {
      all_finite[v] = 0;
    }
  }
}

std::vector<std::uint8_t> varying(const VoxelRanges& ranges) {
  Mask out(ranges.low.size());
  for (std::size_t v = 0; v < out.size(); ++v) out[v] = ranges.all_finite[v] && ranges.low[v] < ranges.high[v];
  return out;
}

std::vector<std::uint8_t> auto_mask(const VoxelRanges& ranges) {
  const Shape& s = ranges.shape;
  Mask varies = varying(ranges);
  const Index found = count(varies);
  if (found == 0)
    throw Error(
        "`mask auto` finds no voxel that is finite in every volume and differs between them; are the volumes all the "
        "same, or on different places? Look at them with sturm check.");
  if (static_cast<double>(found) <= usual_share * static_cast<double>(s.size())) return varies;

  std::vector<double> logarithms;
  const auto magnitude = [&](Index v) {
    return std::log(static_cast<double>(std::max(std::abs(ranges.low[v]), std::abs(ranges.high[v]))));
  };
  for (Index v = 0; v < s.size(); ++v)
    if (varies[v]) logarithms.push_back(magnitude(v));
  const double threshold = brightness_threshold(logarithms);
  if (!std::isfinite(threshold)) return varies;
  Mask bright(varies.size());
  for (Index v = 0; v < s.size(); ++v) bright[v] = varies[v] && magnitude(v) >= threshold;
  return largest_part(std::move(bright), s, varies);
}

template <class Real>
std::vector<std::uint8_t> auto_mask(const Design<Real>& design, std::span<const Index> rows) {
  VoxelRanges ranges(design.shape());
  constexpr Index part = 4096;
  parallel_for((design.voxels() + part - 1) / part, [&](Index p, int) {
    for (Index c = p * part; c < std::min(design.voxels(), (p + 1) * part); ++c) {
      const Index v = design.region().voxel(c);
      const auto take = [&](Real value) {
        const auto x = static_cast<float>(value);
        if (!std::isfinite(x)) ranges.all_finite[v] = 0;
        if (x < ranges.low[v]) ranges.low[v] = x;
        if (x > ranges.high[v]) ranges.high[v] = x;
      };
      const Real* const x = design.column(c);
      if (rows.empty())
        for (Index m = 0; m < design.samples(); ++m) take(x[m]);
      for (const Index m : rows) take(x[m]);
    }
  });
  return auto_mask(ranges);
}

std::vector<std::uint8_t> load_mask_volume(const std::filesystem::path& file, const Grid& grid, OnMismatch mismatch) {
  const VolumeInfo info = read_volume_info(file);
  if (info.volumes != 1)
    throw Error({file.string()}, "holds " + std::to_string(info.volumes) + " volumes, and a mask is one.");
  std::vector<float> values = read_volume<float>(info);
  for (float& v : values) v = v != 0 && !std::isnan(v) ? 1.0F : 0.0F;
  if (const auto order = reorder(info.grid, grid))
    values = reordered<float>(values, info.grid.shape, *order);
  else if (mismatch == OnMismatch::resample)
    values = resampled<float>(values, info.grid, grid, Interpolation::linear);
  else
    throw Error({file.string()}, "is a mask of " + to_string(info.grid.shape) + " on another grid than the volumes (" +
                                     to_string(grid.shape) + "); bring it to theirs, or add `on-mismatch resample`.");
  Mask mask;
  mask.reserve(values.size());
  for (const float v : values) mask.push_back(v >= 0.5F);
  if (count(mask) == 0)
    throw Error({file.string()}, "is an empty mask: no voxel of the volumes is inside, where inside means not 0.");
  return mask;
}

template void VoxelRanges::add(std::span<const float>, std::size_t, std::size_t);
template void VoxelRanges::add(std::span<const double>, std::size_t, std::size_t);
template std::vector<std::uint8_t> auto_mask(const Design<float>&, std::span<const Index>);
template std::vector<std::uint8_t> auto_mask(const Design<double>&, std::span<const Index>);

}  // namespace sturm
