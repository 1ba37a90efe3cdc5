// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/trained_on.h"

#include <algorithm>

#include "sturm/core/parallel.h"
#include "sturm/imaging/content_hash.h"

namespace sturm {

template <class Real>
std::vector<std::string> names_of_content(const SavedModel& saved, const Design<Real>& raw,
                                          std::span<const double> weights) {
  const std::vector<Index> columns = columns_of(raw, Region(saved.shape, voxels_read(saved)));
  const Index samples = raw.samples(), voxels = std::ssize(columns);
  std::vector<std::string> out(samples);
  // Samples that share cache lines, and so many voxels at a time that they stay near.
  constexpr Index block = 16, piece = 4096;
  parallel_for((samples + block - 1) / block, [&](Index at, int) {
    const Index first = at * block, count = std::min(block, samples - first);
    std::vector<ContentHash> hashes(count);
    std::vector<float> values(block * piece);
    for (Index begin = 0; begin < voxels; begin += piece) {
      const Index length = std::min(piece, voxels - begin);
      for (Index v = 0; v < length; ++v) {
        const Real* const column = raw.column(columns[begin + v]) + first;
        for (Index m = 0; m < count; ++m) values[m * piece + v] = static_cast<float>(column[m]);
      }
      for (Index m = 0; m < count; ++m) hashes[m].add(values.data() + m * piece, length * sizeof(float));
    }
    for (Index m = 0; m < count; ++m) out[first + m] = hashes[m].text();
  });
  if (weights.empty()) return out;
  std::vector<std::string> counted;
  for (std::size_t m = 0; m < out.size(); ++m)
    if (weights[m] > 0) counted.push_back(out[m]);
  return counted;
}

template std::vector<std::string> names_of_content(const SavedModel&, const Design<float>&, std::span<const double>);
template std::vector<std::string> names_of_content(const SavedModel&, const Design<double>&, std::span<const double>);

}  // namespace sturm
