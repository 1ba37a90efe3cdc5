// SPDX-License-Identifier: BSD-3-Clause
// Samples as kernel methods see them, by the formula, and the ways to normalise them with a mask and without.
#pragma once

#include <cmath>

#include "models/classes.h"

namespace sturm::test {

/// z as kernel_samples.h has it, by the formula, sample by sample.
inline std::vector<std::vector<double>> seen(const TwoClasses& data, Normalize normalize,
                                             std::span<const std::uint8_t> mask, std::span<const double> weights) {
  const Design<double>& x = data.design;
  std::vector<std::vector<double>> out(x.samples());
  for (Index v = 0; v < x.voxels(); ++v)
    if (mask.empty() || mask[v])
      for (Index i = 0; i < x.samples(); ++i) out[i].push_back(x.column(v)[i]);
  const std::size_t voxels = out.front().size();
  if (normalize == Normalize::sample)
    for (auto& row : out) {
      double mean = 0, norm = 0;
      for (const double v : row) mean += v / static_cast<double>(voxels);
      for (const double v : row) norm += (v - mean) * (v - mean);
      for (double& v : row) v = (v - mean) / std::sqrt(norm);
    }
  if (normalize == Normalize::voxel)
    for (std::size_t v = 0; v < voxels; ++v) {
      double mean = 0, variance = 0, total = 0;
      for (std::size_t i = 0; i < out.size(); ++i) total += weights[i];
      for (std::size_t i = 0; i < out.size(); ++i) mean += weights[i] * out[i][v] / total;
      for (std::size_t i = 0; i < out.size(); ++i) variance += weights[i] * std::pow(out[i][v] - mean, 2) / total;
      for (auto& row : out) row[v] /= std::sqrt(variance);
    }
  return out;
}

struct Normalisation {
  Normalize normalize;
  bool masked;
};
inline const std::vector<Normalisation> every_case = {{Normalize::none, false},
                                                      {Normalize::none, true},
                                                      {Normalize::sample, true},
                                                      {Normalize::voxel, false},
                                                      {Normalize::voxel, true}};

}  // namespace sturm::test
