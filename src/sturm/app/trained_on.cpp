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
  constexpr Index block = 8;  // samples, to read half a cache line at a time
  parallel_for((samples + block - 1) / block, [&](Index piece, int) {
    const Index first = piece * block, count = std::min(block, samples - first);
    std::vector<float> values(count * voxels);
    for (Index v = 0; v < voxels; ++v) {
      const Real* const column = raw.column(columns[v]) + first;
      for (Index m = 0; m < count; ++m) values[m * voxels + v] = static_cast<float>(column[m]);
    }
    for (Index m = 0; m < count; ++m) {
      ContentHash hash;
      hash.add(values.data() + m * voxels, voxels * sizeof(float));
      out[first + m] = hash.text();
    }
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
