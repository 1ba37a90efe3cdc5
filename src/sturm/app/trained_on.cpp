// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/trained_on.h"

#include "sturm/core/parallel.h"
#include "sturm/imaging/content_hash.h"

namespace sturm {

template <class Real>
std::vector<std::string> names_of_content(const SavedModel& saved, const Design<Real>& raw,
                                          std::span<const double> weights) {
  const Design<Real> read = part_of(raw, {}, Region(saved.shape, voxels_read(saved)));
  std::vector<std::string> out(read.samples());
  parallel_for(read.samples(), [&](Index m, int) {
    std::vector<float> values(read.voxels());
    for (Index v = 0; v < read.voxels(); ++v) values[v] = static_cast<float>(read.column(v)[m]);
    ContentHash hash;
    hash.add(values.data(), values.size() * sizeof(float));
    out[m] = hash.text();
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
