// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/mask.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "sturm/core/parallel.h"
#include "sturm/core/sentence.h"
#include "sturm/core/table.h"
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

bool may_be_noise(const CoveredVoxels& covered) {
  return static_cast<double>(covered.kept) > usual_share * static_cast<double>(covered.mask.size());
}

std::vector<std::uint8_t> auto_mask(const VoxelRanges& ranges, std::span<const std::uint8_t> covered,
                                    bool by_brightness) {
  const Shape& s = ranges.shape;
  Mask varies = varying(ranges);
  for (std::size_t v = 0; v < covered.size(); ++v) varies[v] = varies[v] && covered[v];
  const Index found = count(varies);
  if (found == 0)
    throw Error(
        "`mask auto` finds no voxel that is finite in every volume and differs between them; are the volumes all the "
        "same, or on different places? Look at them with sturm check.");
  if (!by_brightness || static_cast<double>(found) <= usual_share * static_cast<double>(s.size())) return varies;

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
std::vector<std::uint8_t> auto_mask(const Design<Real>& design, std::span<const Index> rows,
                                    std::span<const std::uint8_t> covered, bool by_brightness) {
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
  return auto_mask(ranges, covered, by_brightness);
}

std::optional<MaskRule> mask_rule(const std::string& mask) {
  if (mask == "auto") return MaskRule::automatic;
  if (mask == "union") return MaskRule::any;
  return {};
}

std::string describe_mask(const CoveredVoxels& c, MaskRule rule, Index columns, const Shape& shape,
                          std::span<const std::string> names) {
  const auto number = [](Index n) { return std::to_string(n); };
  const bool coarser = shape.size() != static_cast<Index>(c.mask.size());
  const std::string all = c.samples == 1 ? "the one volume" : "all " + number(c.samples) + " volumes";
  std::string out = option_name("mask", rule == MaskRule::any ? "union" : "auto") + " takes " +
                    number(coarser ? c.kept : columns) + " of " + plural(std::ssize(c.mask), "voxel") + ", those that ";
  if (rule == MaskRule::any)
    out += c.samples == 1 ? "the one volume covers" : "at least one of " + number(c.samples) + " volumes covers";
  else if (c.zero_is_value)
    out += "are finite in " + all;
  else
    out += (c.allowed == 0 ? all : "all but " + number(c.allowed) + " of " + number(c.samples) + " volumes") + " cover";
  const std::string some = c.allowed == 0 ? "in some volume" : "in more volumes than that";
  std::vector<std::string> left;
  if (c.background > 0) left.push_back(number(c.background) + " that are 0 or NaN in every volume");
  if (c.not_finite > 0) left.push_back(number(c.not_finite) + " that are NaN or infinite " + some);
  if (c.zero > 0) left.push_back(number(c.zero) + " that are 0 " + some + ", which is a background here");
  if (!coarser && columns < c.kept)
    left.push_back(number(c.kept - columns) + " that are the same in all volumes or as dark as a background");
  for (std::size_t i = 0; i < left.size(); ++i)
    out += (i == 0 ? "; left out are " : i + 1 == left.size() ? " and " : ", ") + left[i];
  if (c.zero_is_value) out += "; 0 counts as a value, because few voxels are different from 0 in most volumes";
  if (coarser) out += "; of the coarser grid they make " + number(columns) + " of " + plural(shape.size(), "voxel");
  if (c.worst >= 0 && 20 * c.worst_takes > c.kept)
    out += "; " + (names.empty() ? "sample " + number(c.worst) : std::string(names[c.worst])) + " alone takes away " +
           number(c.worst_takes) + ": look at it";
  return out + ".";
}

void refuse_empty_mask(const CoveredVoxels& c, std::span<const std::string> names) {
  std::string worst;
  if (c.worst >= 0 && c.worst_takes > 0)
    worst = "; " + (names.empty() ? "sample " + std::to_string(c.worst) : std::string(names[c.worst])) +
            " alone takes away " + std::to_string(c.worst_takes);
  throw Error("`mask auto` leaves no voxel: of " + plural(std::ssize(c.mask), "voxel") + ", " +
              std::to_string(c.background) + " are 0 or NaN in every volume, " + std::to_string(c.not_finite) +
              " are NaN or infinite in some, " + std::to_string(c.zero) + " are 0 in some and " +
              std::to_string(c.kept) + " do not vary" + worst +
              "; look at the volumes with sturm check, leave out those that cover little, or take `mask union` or a "
              "mask file.");
}

namespace {

/// Of a mask that holds other values than 0 and 1: what they are, and what they were taken for.
void note_values(const std::string& file, const std::vector<float>& values, std::vector<std::string>& notes) {
  Index not_a_number = 0, below_half = 0, negative = 0;
  std::set<float> others;
  bool fractions = false;
  for (const float v : values) {
    if (std::isnan(v)) {
      ++not_a_number;
      continue;
    }
    if (v == 0 || v == 1) continue;
    fractions |= v != std::floor(v);
    negative += v < 0;
    below_half += v > 0 && v < 0.5F;
    if (others.size() < 1000) others.insert(v);
  }
  if (not_a_number > 0)
    notes.push_back(file + ": holds NaN in " + plural(not_a_number, "voxel") + ", which counts as outside the mask.");
  if (others.empty()) return;
  std::string what;
  if (fractions && negative == 0 && *others.rbegin() <= 1)
    what = "looks like probabilities: every voxel above 0 is inside, " + std::to_string(below_half) +
           " of them below 0.5; cut it where you want it if that is not what you mean.";
  else if (!fractions && others.size() > 1)
    what = "holds " + (others.size() < 1000 ? std::to_string(others.size()) : "many") +
           " whole numbers other than 0 and 1, such as an atlas: every voxel that is not 0 is inside.";
  else if (fractions || negative > 0)
    what = "holds values other than 0 and 1: every voxel that is not 0 is inside" +
           (negative > 0 ? ", " + std::to_string(negative) + " negative ones among them." : std::string("."));
  if (!what.empty()) notes.push_back(file + ": " + what);
}

}  // namespace

std::vector<std::uint8_t> load_mask_volume(const std::filesystem::path& file, const Grid& grid, OnMismatch mismatch,
                                           std::vector<std::string>* notes) {
  const VolumeInfo info = read_volume_info(file);
  if (info.volumes != 1)
    throw Error({file.string()}, "holds " + std::to_string(info.volumes) + " volumes, and a mask is one.");
  std::vector<float> values = read_volume<float>(info);
  if (notes) note_values(file.string(), values, *notes);
  for (float& v : values) v = v != 0 && !std::isnan(v) ? 1.0F : 0.0F;
  if (std::ranges::find(values, 1.0F) == values.end())
    throw Error({file.string()}, "is an empty mask: every voxel is 0 or NaN, where inside means not 0.");
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
    throw Error({file.string()}, "is an empty mask on the grid of the volumes: no voxel of theirs is inside it.");
  return mask;
}

template void VoxelRanges::add(std::span<const float>, std::size_t, std::size_t);
template void VoxelRanges::add(std::span<const double>, std::size_t, std::size_t);
template std::vector<std::uint8_t> auto_mask(const Design<float>&, std::span<const Index>,
                                             std::span<const std::uint8_t>, bool);
template std::vector<std::uint8_t> auto_mask(const Design<double>&, std::span<const Index>,
                                             std::span<const std::uint8_t>, bool);

}  // namespace sturm
