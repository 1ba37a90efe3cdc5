// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/outliers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "sturm/core/parallel.h"

namespace sturm {
namespace {

constexpr std::size_t least_volumes = 5;
constexpr double deviations = 10, factor = 3, least_deviation = 0.05;
constexpr double extreme_share = 0.001, extreme_times = 10;

/// The value below which a share of the values lies.
double rank(std::vector<double> values, double share) {
  const auto at = values.begin() + std::llround(share * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, at);
  return *at;
}

/// The median and the standard deviation that the median absolute deviation would be of, were the values normal.
struct Usual {
  double middle = 0, deviation = 0;
};
Usual usual(const std::vector<double>& values) {
  Usual out{rank(values, 0.5)};
  std::vector<double> away;
  away.reserve(values.size());
  for (const double v : values) away.push_back(std::abs(v - out.middle));
  out.deviation = 1.4826 * rank(away, 0.5);
  return out;
}

std::string figure(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", value);
  return text.data();
}

}  // namespace

std::vector<std::string> what_stands_out(std::span<const VolumeLevel> levels) {
  std::vector<std::string> out(levels.size());
  std::vector<double> spreads, centres, shares;
  for (const VolumeLevel& level : levels) {
    if (!level.known || !(level.spread > 0)) continue;
    spreads.push_back(std::log(level.spread));
    centres.push_back(level.centre);
    shares.push_back(static_cast<double>(level.extreme) / static_cast<double>(std::max<Index>(1, level.voxels)));
  }
  if (spreads.size() < least_volumes) return out;
  const Usual spread = usual(spreads), centre = usual(centres);
  const double usual_spread = std::exp(spread.middle), many = rank(shares, 0.75);
  for (std::size_t m = 0; m < levels.size(); ++m) {
    const VolumeLevel& level = levels[m];
    if (!level.known || !(level.spread > 0)) continue;
    const double wider = std::log(level.spread) - spread.middle, away = level.centre - centre.middle;
    const double share = static_cast<double>(level.extreme) / static_cast<double>(std::max<Index>(1, level.voxels));
    std::vector<std::string> what;
    if (share > extreme_share && share > extreme_times * many)
      what.push_back(std::to_string(level.extreme) +
                     " of its voxels are far from the rest of it, where three quarters "
                     "of the volumes have at most " +
                     std::to_string(static_cast<Index>(std::ceil(many * static_cast<double>(level.voxels)))));
    if (std::abs(wider) > deviations * std::max(spread.deviation, least_deviation) &&
        std::abs(wider) > std::log(factor))
      what.push_back("its values spread over " + figure(std::exp(wider)) + " times the usual range");
    if (std::abs(away) > deviations * std::max(centre.deviation, least_deviation * usual_spread) &&
        std::abs(away) > usual_spread)
      what.push_back("its level is " + figure(level.centre) + " where " + figure(centre.middle) + " is usual");
    for (std::size_t i = 0; i < what.size(); ++i) out[m] += (i == 0 ? "" : "; ") + what[i];
  }
  return out;
}

template <class Real>
std::vector<VolumeLevel> levels_of(const Design<Real>& design) {
  const auto samples = static_cast<std::size_t>(design.samples());
  constexpr Index part = 8192;
  const Index parts = (design.voxels() + part - 1) / part;
  // Sums about the first value of each sample: a large level must not swallow a small spread.
  std::vector<std::vector<double>> sums(static_cast<std::size_t>(parts)), squares(sums.size());
  parallel_for(parts, [&](Index p, int) {
    std::vector<double>&s = sums[p], &q = squares[p];
    s.resize(samples);
    q.resize(samples);
    const Real* const first = design.column(0);
    for (Index v = p * part; v < std::min(design.voxels(), (p + 1) * part); ++v) {
      const Real* const x = design.column(v);
      for (std::size_t m = 0; m < samples; ++m) {
        const double away = static_cast<double>(x[m]) - static_cast<double>(first[m]);
        s[m] += away;
        q[m] += away * away;
      }
    }
  });
  std::vector<VolumeLevel> out(samples);
  const auto voxels = static_cast<double>(design.voxels());
  for (std::size_t m = 0; m < samples; ++m) {
    double sum = 0, square = 0;
    for (std::size_t p = 0; p < sums.size(); ++p) {
      sum += sums[p][m];
      square += squares[p][m];
    }
    const double mean = sum / voxels;
    out[m].centre = static_cast<double>(design.column(0)[m]) + mean;
    out[m].spread = std::sqrt(std::max(0.0, square / voxels - mean * mean));
    out[m].voxels = design.voxels();
    out[m].known = std::isfinite(out[m].centre) && std::isfinite(out[m].spread);
  }
  return out;
}

template std::vector<VolumeLevel> levels_of(const Design<float>&);
template std::vector<VolumeLevel> levels_of(const Design<double>&);

}  // namespace sturm
