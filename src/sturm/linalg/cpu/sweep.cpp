// SPDX-License-Identifier: BSD-3-Clause
// Products with the design matrix for many problems at once, in one pass over it: problems fill the lanes of panels,
// voxels are cut into blocks of fixed size, and the partial sums of blocks are added in order. So neither threads nor
// the other problems of a batch change a problem's bits.
#include <algorithm>
#include <vector>

#include "sturm/core/aligned.h"
#include "sturm/core/parallel.h"
#include "sturm/linalg/cpu/cpu.h"
#include "sturm/linalg/cpu/lanes.h"

namespace sturm::linalg::cpu {
namespace {

template <class Real>
LaneSweep<Real> lane_job(const SweepJob<Real>& job) {
  return {.moved = job.u != nullptr,
          .shrinks = job.shrinks,
          .z = job.z.address(),
          .z_next = job.z_next.address(),
          .a = job.a.address(),
          .w = job.xw && job.shrinks ? job.w.address() : nullptr,
          .point = job.xw && !job.shrinks ? job.point.address() : nullptr,
          .scale = job.scale.address(),
          .mask = job.mask.address(),
          .rho = static_cast<Real>(job.rho),
          .gamma = static_cast<Real>(job.gamma)};
}

/// Problems that fill the lanes of a kernel.
template <class Real>
struct Panel {
  Index first = 0, last = 0;
  const LaneKernel<Real>* kernel = nullptr;
  bool moves = false, multiplies = false;  ///< any of them
  bool alone = false;                      ///< X w is formed problem by problem
  bool few = false;                        ///< X'u is formed with voxels in the lanes

  Index lanes() const { return kernel->width; }
};

/// Whether X w costs less problem by problem, with samples in the lanes and every problem's zeros passed over, than
/// with problems in the lanes. A register of the first kind counts as four of the second: with 1.5 194
/// samples were slower, with five 58 samples were.
template <class Real>
bool cheaper_alone(const Panel<Real>& panel, std::span<const SweepJob<Real>> jobs, Index voxels, Index width) {
  double filled = 0;
  for (Index p = panel.first; p < panel.last; ++p) {
    const Index nonzeros = jobs[p].expected < 0 ? voxels : jobs[p].expected;
    filled += static_cast<double>(nonzeros) / static_cast<double>(voxels);
  }
  const double register_cost = panel.lanes() == width ? wide_lane_cost() : 1;
  return 4 * filled * wide_lane_cost() / static_cast<double>(width) < std::min(1.0, filled) * register_cost;
}

/// Wide panels, and a narrow one for a rest that fits: the bits are the same, and where a processor cuts wide registers
/// in halves it takes half the time.
template <class Real>
std::vector<Panel<Real>> cut(std::span<const SweepJob<Real>> jobs, Index samples, Index voxels) {
  const LaneKernel<Real>& wide = kernel_for<Real>(lane_kernels());
  const LaneKernel<Real>& narrow = narrow_lane_kernels() ? kernel_for<Real>(*narrow_lane_kernels()) : wide;
  const auto count = static_cast<Index>(jobs.size());
  std::vector<Panel<Real>> out;
  for (Index first = 0; first < count; first = out.back().last) {
    const LaneKernel<Real>& kernel = count - first <= narrow.width ? narrow : wide;
    Panel<Real> panel{first, std::min<Index>(count, first + kernel.width), &kernel};
    for (Index p = first; p < panel.last; ++p) {
      panel.moves = panel.moves || jobs[p].u;
      panel.multiplies = panel.multiplies || jobs[p].xw;
    }
    // Up to four problems would leave most lanes empty.
    panel.few = panel.last - first <= 4 && samples >= wide.width;
    panel.alone = cheaper_alone<Real>(panel, jobs, voxels, wide.width);
    out.push_back(panel);
  }
  return out;
}

}  // namespace

template <class Real>
void sweep(Index samples, Part<const Real> design, std::span<SweepJob<Real>> jobs) {
  if (jobs.empty()) return;
  const Real* const x = design.address();
  const Index voxels = design.size() / samples;
  const std::vector<Panel<Real>> panels = cut<Real>(jobs, samples, voxels);
  // Many blocks where there are few voxels, so that all threads have some.
  const Index block_size = std::clamp<Index>(voxels / 64 / 64 * 64, 128, sweep_block);
  const Index count = static_cast<Index>(jobs.size()), blocks = (voxels + block_size - 1) / block_size;
  const Index width = kernel_for<Real>(lane_kernels()).width;
  const int rows = static_cast<int>(samples);
  // As many voxels at a time as leave their part of X in the second-level cache while all problems pass by.
  const Index fits = 256 * 1024 / static_cast<Index>(sizeof(Real)) / samples;
  const Index tile = std::clamp<Index>(fits / 64 * 64, 64, block_size);

  const auto per_panel = samples * width, all = static_cast<Index>(panels.size()) * per_panel;
  AlignedVector<Real> u(all);
  std::vector<LaneSweep<Real>> lanes;
  for (std::size_t i = 0; i < panels.size(); ++i)
    for (Index p = panels[i].first; p < panels[i].last; ++p) {
      lanes.push_back(lane_job(jobs[p]));
      Real* to = u.data() + static_cast<Index>(i) * per_panel + p - panels[i].first;
      for (Index m = 0; jobs[p].u && m < samples; ++m) to[m * panels[i].lanes()] = jobs[p].u[m];
    }

  const std::vector<Real> zeros(samples);  // of those that do not move
  AlignedVector<Real> partial(blocks * all);
  std::vector<LaneSums> sums(blocks * count);
  const double operations = 2.0 * static_cast<double>(voxels * all) / 16;
  parallel_for(
      blocks,
      [&](Index block, int) {
        thread_local AlignedVector<Real> z, w, x_u, x_w;  // panels, and the same as columns
        for (auto* scratch : {&z, &w, &x_u, &x_w}) scratch->resize(tile * width);
        const Index end = std::min(voxels, (block + 1) * block_size);
        for (Index first = block * block_size; first < end; first += tile) {
          const int here = static_cast<int>(std::min(tile, end - first));
          const Real* part = x + first * samples;
          for (std::size_t i = 0; i < panels.size(); ++i) {
            const Panel<Real>& panel = panels[i];
            const LaneKernel<Real>& kernel = *panel.kernel;
            const int padded = (here + kernel.width - 1) / kernel.width * kernel.width;
            const Index offset = static_cast<Index>(i) * per_panel;
            if (panel.moves) {
              const bool last = i > 0 || first + here + tile > voxels;  // one panel asks for all
              const Real* soon = last ? nullptr : part + here * samples;
              if (panel.few) {
                const Real* own[4] = {};
                for (Index p = panel.first; p < panel.last; ++p)
                  own[p - panel.first] = jobs[p].u ? jobs[p].u : zeros.data();
                const int problems = static_cast<int>(panel.last - panel.first);
                kernel_for<Real>(lane_kernels()).adjoint_few(part, rows, here, problems, own, x_u.data(), tile, soon);
              } else {
                kernel.adjoint(part, rows, here, u.data() + offset, z.data(), soon);
                kernel.to_columns(z.data(), padded, x_u.data(), tile);
              }
            }
            // Lanes without a problem are zero, so that voxels can be passed over.
            if (panel.multiplies && !panel.alone)
              std::fill(x_w.begin() + (panel.last - panel.first) * tile, x_w.begin() + panel.lanes() * tile, Real{0});
            for (Index p = panel.first; p < panel.last; ++p) {
              const Index column = (p - panel.first) * tile;
              const LaneSums more = kernel.between(lanes[p], first, here, x_u.data() + column, x_w.data() + column);
              sums[block * count + p].norm2 += more.norm2;
              sums[block * count + p].nonzeros += more.nonzeros;
            }
            if (panel.multiplies && panel.alone) {
              const LaneKernel<Real>& wide = kernel_for<Real>(lane_kernels());
              for (Index p = panel.first; p < panel.last; ++p) {
                Real* y = partial.data() + block * all + offset + (p - panel.first) * samples;
                if (jobs[p].xw)
                  wide.forward_one(part, rows, here, x_w.data() + (p - panel.first) * tile, y, !panel.moves);
              }
            } else if (panel.multiplies) {
              kernel.to_panel(w.data(), padded, x_w.data(), tile);
              kernel.forward(part, rows, here, w.data(), partial.data() + block * all + offset);
            }
          }
        }
      },
      operations);
  parallel_for(
      static_cast<Index>(panels.size()) * width,
      [&](Index lane, int) {
        const Panel<Real>& panel = panels[lane / width];
        const Index p = panel.first + lane % width;
        if (p >= panel.last) return;
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
          const Real* from = partial.data() + block * all + lane / width * per_panel;
          from += panel.alone ? lane % width * samples : lane % width;
          const Index stride = panel.alone ? 1 : panel.lanes();
          for (Index m = 0; m < samples; ++m) job.xw[m] += static_cast<double>(from[m * stride]);
        }
      },
      static_cast<double>(samples * blocks * count));
}

template void sweep(Index, Part<const float>, std::span<SweepJob<float>>);
template void sweep(Index, Part<const double>, std::span<SweepJob<double>>);

}  // namespace sturm::linalg::cpu
