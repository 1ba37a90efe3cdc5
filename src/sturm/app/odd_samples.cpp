// SPDX-License-Identifier: BSD-3-Clause
// The part of data_facts.h that looks at the volumes while they are in memory, so that nothing is read twice.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <mutex>

#include "sturm/app/data_facts.h"
#include "sturm/core/parallel.h"
#include "sturm/core/problems.h"

namespace sturm {
namespace {

/// Spreads the bits of a number over all of another (the finaliser of splitmix64).
std::uint64_t spread(std::uint64_t value) {
  value += 0x9E3779B97F4A7C15ULL;
  value = (value ^ value >> 30U) * 0xBF58476D1CE4E5B9ULL;
  value = (value ^ value >> 27U) * 0x94D049BB133111EBULL;
  return value ^ value >> 31U;
}

/// What tells a sample from another: a sum over its voxels, in whatever order, of its values with their places.
struct Marks {
  explicit Marks(Index samples) : sum(samples, 0), varies(samples, 0) {}
  std::vector<std::uint64_t> sum;
  std::vector<std::uint8_t> varies;
};

template <class Real>
Marks marks_of(const Design<Real>& design) {
  const Index samples = design.samples();
  Marks out(samples);
  std::mutex mutex;
  constexpr Index part = 4096;
  const Real* const first = design.column(0);
  parallel_for((design.voxels() + part - 1) / part, [&](Index p, int) {
    Marks mine(samples);
    for (Index v = p * part; v < std::min(design.voxels(), (p + 1) * part); ++v) {
      const Real* const x = design.column(v);
      const std::uint64_t place = spread(static_cast<std::uint64_t>(v));
      for (Index m = 0; m < samples; ++m) {
        mine.sum[m] += spread(place ^ std::bit_cast<std::uint64_t>(static_cast<double>(x[m]) + 0.0));
        mine.varies[m] |= x[m] != first[m];
      }
    }
    const std::lock_guard lock(mutex);
    for (Index m = 0; m < samples; ++m) {
      out.sum[m] += mine.sum[m];
      out.varies[m] |= mine.varies[m];
    }
  });
  return out;
}

}  // namespace

template <class Real>
std::vector<std::string> odd_samples(const Dataset<Real>& data, const std::vector<Index>& lines) {
  const Index samples = data.design.samples();
  std::vector<std::string> constant, same;
  if (data.design.voxels() == 0 || data.design.voxels() == 1) return {};
  const Marks marks = marks_of(data.design);
  const auto name = [&](Index m) {
    const std::string line = "line " + std::to_string(lines[m]);
    return data.paths.empty() ? line : data.paths[m] + " (" + line + ")";
  };
  std::map<std::uint64_t, Index> first;
  for (Index m = 0; m < samples; ++m) {
    if (!marks.varies[m]) {
      constant.push_back(name(m) + ": is the same everywhere, so it says nothing of its sample.");
      continue;
    }
    const auto [at, is_new] = first.emplace(marks.sum[m], m);
    if (is_new) continue;
    const bool differ = data.target.actual[m] != data.target.actual[at->second];
    same.push_back(
        name(m) + ": is the same volume as " + name(at->second) +
        (differ ? ", with another " + data.target.column + "." : "; in two folds it would be trained and tested on."));
  }
  std::vector<std::string> out = counted(constant);
  const std::vector<std::string> pairs = counted(same);
  constexpr std::size_t most = 10;
  out.insert(out.end(), pairs.begin(), pairs.begin() + static_cast<Index>(std::min(most, pairs.size())));
  if (pairs.size() > most)
    out.push_back(std::to_string(pairs.size() - most) +
                  " more volumes are the same as another one; sturm check names " + "them.");
  return out;
}

template std::vector<std::string> odd_samples(const Dataset<float>&, const std::vector<Index>&);
template std::vector<std::string> odd_samples(const Dataset<double>&, const std::vector<Index>&);

}  // namespace sturm
