// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/thresholds.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>

namespace sturm {
namespace {

constexpr Index dense = 20, kept = 50;  // one over a twentieth, one over 2 %
constexpr double apart = 1.02;

/// |w| of the voxels that are not 0, the largest first.
std::vector<double> sizes_of(const BrainMap& map) {
  std::vector<double> sizes;
  for (const float v : map.values.flat())
    if (v != 0) sizes.push_back(static_cast<double>(std::abs(v)));
  std::ranges::sort(sizes, std::greater<>());
  return sizes;
}

Index count_from(const std::vector<double>& sizes, double least) {
  return std::ranges::upper_bound(sizes, least, std::greater<>()) - sizes.begin();
}

/// The largest number of so many decimal digits that is not above `value`.
double cut_to(double value, int digits) {
  const std::string text = fmt::format("{:.{}e}", value, digits - 1);
  const double nearest = std::stod(text);
  if (nearest <= value) return nearest;
  const std::size_t e = text.find('e');
  std::string mantissa = text.substr(0, e);
  std::erase(mantissa, '.');
  return std::stod(fmt::format("{}e{}", std::stoll(mantissa) - 1, std::stoi(text.substr(e + 1)) - (digits - 1)));
}

/// The shortest decimal that keeps the `count` largest and at most 2 % more, or those of one size together.
double threshold_for(const std::vector<double>& sizes, Index count) {
  constexpr int every_float = 9;  // digits that tell any two floats apart
  const double least = sizes[count - 1];
  const Index most = std::max(count_from(sizes, least), count + count / kept);
  for (int digits = 2; digits < every_float; ++digits)
    if (const double cut = cut_to(least, digits); count_from(sizes, cut) <= most) return cut;
  return cut_to(least, every_float);
}

double first_of(const std::vector<double>& sizes, Index box) {
  if (std::ssize(sizes) * dense <= box) return 0;
  return threshold_for(sizes, std::clamp<Index>(box / kept, 1, std::ssize(sizes)));
}

}  // namespace

Thresholds thresholds_of(const BrainMap& map) {
  constexpr int steps = 120;  // from all voxels to the strongest, each step by the same factor
  const std::vector<double> sizes = sizes_of(map);
  const auto all = static_cast<double>(sizes.size());
  const double first = first_of(sizes, map.values.shape().size());
  std::vector<double> wanted;
  for (int step = 1; step <= steps && !sizes.empty(); ++step)
    wanted.push_back(threshold_for(sizes, std::lround(std::pow(all, 1 - static_cast<double>(step) / steps))));
  if (first > 0) wanted.push_back(first);
  std::ranges::sort(wanted);
  Thresholds out{{0.0}, {std::ssize(sizes)}, 0};
  for (const double t : wanted) {
    const bool near_first = t != first && t < apart * first && first < apart * t;
    if (t < apart * out.least.back() || near_first) continue;
    if (t == first) out.opens = std::ssize(out.least);
    out.least.emplace_back(t);
    out.voxels.push_back(count_from(sizes, t));
  }
  return out;
}

double first_threshold(const BrainMap& map, std::string& rule) {
  const std::vector<double> sizes = sizes_of(map);
  const auto box = static_cast<Index>(map.values.flat().size());
  const double first = first_of(sizes, box);
  rule = "connected voxels whose coefficient is not 0";
  if (first > 0)
    rule = fmt::format(
        "connected voxels whose |w| is at least {}: the 2 % of the volume with the largest, of which {:.0f} % is not 0",
        first, 100 * static_cast<double>(sizes.size()) / static_cast<double>(box));
  return first;
}

BrainMap rounded_between(const BrainMap& map, const Thresholds& thresholds) {
  constexpr std::uint32_t step = 1U << 16U, half = step / 2, sign = 1U << 31U;
  const auto passed = [&](float size) {
    return std::ranges::upper_bound(thresholds.least, static_cast<double>(size), {}, &Number::value) -
           thresholds.least.begin();
  };
  BrainMap out = map;
  for (float& value : out.values.flat()) {
    if (value == 0) continue;
    const float size = std::abs(value);
    const auto bits = std::bit_cast<std::uint32_t>(size);
    const std::uint32_t nearest = (bits + half) / step * step;
    float chosen = size;  // where none of them does: a number too large or too small to round
    for (const std::uint32_t candidate : {nearest, nearest + step, nearest - step}) {
      const auto rounded = std::bit_cast<float>(candidate & ~sign);
      if (!std::isnormal(rounded) || passed(rounded) != passed(size)) continue;
      chosen = rounded;
      break;
    }
    value = std::copysign(chosen, value);
  }
  return out;
}

}  // namespace sturm
