// SPDX-License-Identifier: BSD-3-Clause
// Gram matrices of columns of the design matrix: of listed ones, of all of them in double, and of the support of W as
// it changes.
#include <algorithm>
#include <array>
#include <vector>

#include "sturm/core/aligned.h"
#include "sturm/core/parallel.h"
#include "sturm/linalg/cpu/cpu.h"
#include "sturm/linalg/cpu/lanes/lanes.h"
#include "sturm/linalg/host.h"

namespace sturm::linalg {
namespace host {

template <class Real>
void add_gram(Index samples, const Real* x, std::span<const Index> voxels, const Real* scale, Real sign, Real* h,
              const SoonRead& soon) {
  constexpr std::size_t block = 512;  // columns that stay in the second-level cache
  const LaneKernel<Real>& kernel = kernel_for<Real>(lane_kernels());
  thread_local AlignedVector<Real> gathered;
  std::array<const Real*, block> columns;
  std::array<const void*, block> next;
  gathered.resize(block * samples);
  for (std::size_t first = 0; first < voxels.size(); first += block) {
    const auto here = voxels.subspan(first, std::min(block, voxels.size() - first));
    // Neighbours in rising order, as they are, need no gathering.
    const bool together =
        here.back() - here.front() == static_cast<Index>(here.size()) - 1 && std::ranges::is_sorted(here);
    for (std::size_t c = 0; c < here.size(); ++c) {
      const Real* from = x + here[c] * samples;
      Real* to = gathered.data() + c * samples;
      columns[c] = together && !scale ? from : to;
      if (scale)
        for (Index m = 0; m < samples; ++m) to[m] = scale[here[c]] * from[m];
      else if (!together)
        std::copy_n(from, samples, to);
    }
    const auto after = voxels.subspan(first + here.size(), std::min(block, voxels.size() - first - here.size()));
    const std::size_t ahead = after.empty() ? std::min(here.size(), soon.columns.size()) : after.size();
    for (std::size_t c = 0; c < ahead; ++c) next[c] = after.empty() ? soon.columns[c] : x + after[c] * samples;
    if (ahead > 0) std::fill(next.begin() + ahead, next.begin() + here.size(), next[0]);
    const std::size_t bytes = after.empty() ? soon.bytes : samples * sizeof(Real);
    kernel.outer(columns.data(), static_cast<int>(here.size()), static_cast<int>(samples), sign, h, next.data(),
                 ahead > 0 ? bytes : 0);
  }
}

/// Columns are cut into this many runs at most, whatever the threads; the sums of the runs are added in order.
constexpr Index gram_runs = 16;

template <class Real>
std::vector<double> gram(Index samples, Index columns, const Real* x, const Real* scale, const std::uint8_t* mask) {
  const Index m = samples, block = 512, runs = std::clamp<Index>(columns / (4 * block), 1, gram_runs);
  std::vector<std::vector<double>> parts(runs);
  std::vector<Index> neighbours(block);
  for (Index c = 0; c < block; ++c) neighbours[c] = c;
  parallel_for(
      runs,
      [&](Index r, int) {
        std::vector<double>& sum = parts[r];
        sum.assign(m * m, 0.0);
        AlignedVector<double> wide(block * m);
        const Index last = columns * (r + 1) / runs;
        for (Index v = columns * r / runs; v < last;) {
          Index kept = 0;
          for (; v < last && kept < block; ++v) {
            if (mask && !mask[v]) continue;
            const double s = scale ? static_cast<double>(scale[v]) : 1.0;
            for (Index i = 0; i < m; ++i) wide[kept * m + i] = s * static_cast<double>(x[v * m + i]);
            ++kept;
          }
          add_gram<double>(m, wide.data(), {neighbours.data(), static_cast<std::size_t>(kept)}, nullptr, 1, sum.data(),
                           {});
        }
      },
      static_cast<double>(columns * m) * static_cast<double>(m) / 8);
  std::vector<double>& out = parts[0];
  for (Index r = 1; r < runs; ++r)
    for (Index i = 0; i < m * m; ++i) out[i] += parts[r][i];
  for (Index j = 0; j < m; ++j)
    for (Index i = j + 1; i < m; ++i) out[j + i * m] = out[i + j * m];
  return std::move(out);
}

#define STURM_INSTANTIATE(Real)                                                                                  \
  template void add_gram(Index, const Real*, std::span<const Index>, const Real*, Real, Real*, const SoonRead&); \
  template std::vector<double> gram(Index, Index, const Real*, const Real*, const std::uint8_t*);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace host

namespace cpu {
namespace {

constexpr int most_updates = 50;  ///< of a Gram matrix, before rounding has piled up

/// 0, 1 or 2 for zero, positive, negative.
template <class Real>
std::uint8_t sign_of(Real w) {
  return static_cast<std::uint8_t>((w > 0 ? 1 : 0) | (w < 0 ? 2 : 0));
}

template <class Real>
void update(Index samples, Part<const Real> x, SupportJob<Real>& job) {
  const Index columns = job.w.size();
  const Real* const w = job.w.address();
  std::uint8_t* const signs = job.signs.address();
  // Most stretches of the support stay as they are: they are compared as a whole.
  constexpr Index stretch = 64;
  std::vector<Index> entering, leaving;
  Index size = 0;
  for (Index first = 0; first < columns; first += stretch) {
    const Index here = std::min(stretch, columns - first);
    std::uint8_t now[stretch];
    Index count = 0;
    for (Index i = 0; i < here; ++i) now[i] = sign_of(w[first + i]);
    for (Index i = 0; i < here; ++i) count += now[i] != 0;
    size += count;
    if (std::equal(now, now + here, signs + first)) continue;
    for (Index i = 0; i < here; ++i) {
      const bool was = signs[first + i] != 0, is = now[i] != 0;
      if (was != is) (is ? entering : leaving).push_back(first + i);
      signs[first + i] = now[i];
    }
  }
  const auto add = [&](const std::vector<Index>& list, Real sign) {
    host::add_gram<Real>(samples, x.address(), list, job.scale.address(), sign, job.h, {});
  };
  const Index changes = static_cast<Index>(entering.size() + leaving.size());
  if (changes <= std::min(size, job.columns - size) && *job.updates < most_updates) {
    ++*job.updates;
    add(entering, 1);
    add(leaving, -1);
    return;
  }
  const bool from_whole = size > job.columns - size;
  *job.updates = 0;
  if (from_whole)
    std::ranges::transform(job.whole, job.h, [](double v) { return static_cast<Real>(v); });
  else
    std::fill_n(job.h, samples * samples, Real{0});
  std::vector<Index> list;
  for (Index v = 0; v < columns; ++v)
    if ((signs[v] != 0) != from_whole && (!job.mask || job.mask.address()[v])) list.push_back(v);
  add(list, from_whole ? Real{-1} : Real{1});
}

template <class Real>
bool same_signs(const SignsJob<Real>& job) {
  constexpr Index stretch = 256;
  for (Index first = 0; first < job.w.size(); first += stretch) {
    const Index last = std::min(job.w.size(), first + stretch);
    unsigned other = 0;
    for (Index v = first; v < last; ++v)
      other |= static_cast<unsigned>(sign_of(job.w.address()[v]) != job.signs.address()[v]);
    if (other) return false;
  }
  return true;
}

}  // namespace

template <class Real>
void update_support(Index samples, Part<const Real> x, std::span<SupportJob<Real>> jobs) {
  parallel_for(
      static_cast<Index>(jobs.size()), [&](Index j, int) { update(samples, x, jobs[j]); },
      static_cast<double>(jobs.size()) * static_cast<double>(x.size()) / 4);
}

template <class Real>
void compare_signs(std::span<SignsJob<Real>> jobs) {
  double all = 0;
  for (const SignsJob<Real>& job : jobs) all += static_cast<double>(job.w.size());
  parallel_for(
      static_cast<Index>(jobs.size()), [&](Index j, int) { jobs[j].same = same_signs(jobs[j]); }, all);
}

#define STURM_INSTANTIATE(Real)                                                       \
  template void update_support(Index, Part<const Real>, std::span<SupportJob<Real>>); \
  template void compare_signs(std::span<SignsJob<Real>>);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace cpu
}  // namespace sturm::linalg
