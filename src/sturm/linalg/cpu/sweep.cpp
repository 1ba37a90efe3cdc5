// SPDX-License-Identifier: BSD-3-Clause
// Products with the design matrix for many problems at once, in one pass over it: problems fill the lanes of panels,
// voxels are cut into blocks of fixed size, and the partial sums of blocks are added in order. So neither threads nor
// the other problems of a batch change a problem's bits.
#include <algorithm>
#include <vector>

#include "sturm/core/aligned.h"
#include "sturm/core/parallel.h"
#include "sturm/linalg/cpu/cpu.h"
#include "sturm/linalg/cpu/fortran.h"
#include "sturm/linalg/cpu/lanes.h"

namespace sturm::linalg::cpu {
namespace {

template <class Real>
LaneSweep<Real> lane_job(const SweepJob<Real>& job) {
  return {.moved = job.u != nullptr,
          .shrinks = job.b != nullptr,
          .z = job.z,
          .z_next = job.z_next,
          .b = job.b,
          .q = job.q,
          .w = job.xw ? job.w : nullptr,
          .scale = job.scale,
          .mask = job.mask,
          .rho = static_cast<Real>(job.rho),
          .gamma = static_cast<Real>(job.gamma)};
}

}  // namespace

template <class Real>
void sweep(Index samples, Index voxels, const Real* x, std::span<SweepJob<Real>> jobs) {
  const LaneKernel<Real>& kernel = kernel_for<Real>(lane_kernels());
  const Index width = kernel.width, count = static_cast<Index>(jobs.size());
  const Index panels = (count + width - 1) / width, blocks = (voxels + sweep_block - 1) / sweep_block;
  const int rows = static_cast<int>(samples);
  // As many voxels at a time as leave their part of X in the second-level cache while all problems pass by.
  const Index fits = 256 * 1024 / static_cast<Index>(sizeof(Real)) / samples;
  const Index tile = std::clamp<Index>(fits / 64 * 64, 64, sweep_block);

  AlignedVector<Real> u(panels * samples * width);
  std::vector<LaneSweep<Real>> lanes;
  std::vector<bool> moves(panels), multiplies(panels);
  for (Index p = 0; p < count; ++p) {
    const SweepJob<Real>& job = jobs[p];
    lanes.push_back(lane_job(job));
    if (job.u)
      for (Index m = 0; m < samples; ++m) u[(p / width * samples + m) * width + p % width] = job.u[m];
    moves[p / width] = moves[p / width] || job.u;
    multiplies[p / width] = multiplies[p / width] || job.xw;
  }

  AlignedVector<Real> partial(blocks * panels * samples * width);
  std::vector<LaneSums> sums(blocks * count);
  const double operations = 2.0 * static_cast<double>(samples * voxels * panels * width) / 16;
  parallel_for(
      blocks,
      [&](Index block, int) {
        thread_local AlignedVector<Real> z, w, x_u, x_w;  // panels, and the same as columns
        for (auto* scratch : {&z, &w, &x_u, &x_w}) scratch->resize(tile * width);
        const Index end = std::min(voxels, (block + 1) * sweep_block);
        for (Index first = block * sweep_block; first < end; first += tile) {
          const int here = static_cast<int>(std::min(tile, end - first));
          const int padded = (here + kernel.width - 1) / kernel.width * kernel.width;
          const Real* part = x + first * samples;
          for (Index panel = 0; panel < panels; ++panel) {
            if (moves[panel]) {
              kernel.adjoint(part, rows, here, u.data() + panel * samples * width, z.data());
              kernel.to_columns(z.data(), padded, x_u.data(), tile);
            }
            const Index last = std::min(count, (panel + 1) * width);
            // Lanes without a problem are zero, so that voxels can be passed over.
            std::fill(x_w.begin() + (last - panel * width) * tile, x_w.end(), Real{0});
            for (Index p = panel * width; p < last; ++p) {
              const Index column = p % width * tile;
              const LaneSums more = kernel.between(lanes[p], first, here, x_u.data() + column, x_w.data() + column);
              sums[block * count + p].norm2 += more.norm2;
              sums[block * count + p].nonzeros += more.nonzeros;
            }
            if (multiplies[panel]) {
              kernel.to_panel(w.data(), padded, x_w.data(), tile);
              kernel.forward(part, rows, here, w.data(), partial.data() + (block * panels + panel) * samples * width);
            }
          }
        }
      },
      operations);
  parallel_for(
      count,
      [&](Index p, int) {
        SweepJob<Real>& job = jobs[p];
        job.norm2 = 0;
        job.nonzeros = 0;
        for (Index block = 0; block < blocks; ++block) {
          job.norm2 += sums[block * count + p].norm2;
          job.nonzeros += sums[block * count + p].nonzeros;
        }
        if (!job.xw) return;
        std::fill_n(job.xw, samples, 0.0);
        for (Index block = 0; block < blocks; ++block) {
          const Real* from = partial.data() + (block * panels + p / width) * samples * width + p % width;
          for (Index m = 0; m < samples; ++m) job.xw[m] += static_cast<double>(from[m * width]);
        }
      },
      static_cast<double>(samples * blocks * count));
}

template <class Real>
void add_gram(Index samples, const Real* x, std::span<const Index> voxels, const Real* scale, Real sign, Real* h) {
  const fortran::OneBlasThread guard;
  thread_local AlignedVector<Real> columns;
  constexpr Index block = 512;
  const int order = static_cast<int>(samples);
  const Real one = 1;
  columns.resize(block * samples);
  for (std::size_t first = 0; first < voxels.size(); first += block) {
    const int here = static_cast<int>(std::min<std::size_t>(block, voxels.size() - first));
    // Neighbours in rising order, as they are, need no gathering.
    if (!scale && std::ranges::adjacent_find(voxels.subspan(first, here), [](Index a, Index b) {
                    return b != a + 1;
                  }) == voxels.subspan(first, here).end()) {
      fortran::syrk(Real{})("L", "N", &order, &here, &sign, x + voxels[first] * samples, &order, &one, h, &order);
      continue;
    }
    for (int c = 0; c < here; ++c) {
      const Real* from = x + voxels[first + c] * samples;
      Real* to = columns.data() + c * samples;
      if (scale) {
        const Real s = scale[voxels[first + c]];
        for (Index m = 0; m < samples; ++m) to[m] = s * from[m];
      } else {
        std::copy_n(from, samples, to);
      }
    }
    fortran::syrk(Real{})("L", "N", &order, &here, &sign, columns.data(), &order, &one, h, &order);
  }
}

template void sweep(Index, Index, const float*, std::span<SweepJob<float>>);
template void sweep(Index, Index, const double*, std::span<SweepJob<double>>);
template void add_gram(Index, const float*, std::span<const Index>, const float*, float, float*);
template void add_gram(Index, const double*, std::span<const Index>, const double*, double, double*);

}  // namespace sturm::linalg::cpu
