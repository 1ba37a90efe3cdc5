// SPDX-License-Identifier: BSD-3-Clause
// Products with the design matrix for many problems at once, in one pass over it: problems fill the lanes of panels,
// voxels are cut into blocks of fixed size, and the partial sums of blocks are added in order. So neither threads nor
// the other problems of a batch change a problem's bits.
#include <algorithm>
#include <vector>

#include "sturm/core/aligned.h"
#include "sturm/core/parallel.h"
#include "sturm/linalg/cpu/cpu.h"
#include "sturm/linalg/cpu/lanes/lanes.h"

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

/// How X w is formed: with problems in the lanes, or with samples in the lanes, one problem after the other or a few
/// that share what is read of X. With samples in the lanes the zeros of W are passed over.
enum class Forward { panel, alone, shared };
constexpr Index shared_at_once = 4;

/// Up to so many problems have voxels in the lanes for X'u: more would leave few lanes empty. Blocks of X are turned in
/// registers for that, which costs twice as much where a processor cuts wide registers in halves.
Index most_few(Index width) { return wide_lane_cost() > 1.5 ? 4 : std::min<Index>(8, width / 2); }

/// Problems that fill the lanes of a kernel.
template <class Real>
struct Panel {
  Index first = 0, last = 0;
  const LaneKernel<Real>* kernel = nullptr;
  bool moves = false, multiplies = false;  ///< any of them
  bool few = false;                        ///< X'u is formed with voxels in the lanes
  Forward forward = Forward::panel;

  Index lanes() const { return kernel->width; }
};

/// The way that costs least, in units of a pass with problems in the lanes. With samples in the lanes a register counts
/// as four of those: with 1.5 194 samples were slower, with five 58 samples were. What problems share is most of it.
template <class Real>
Forward cheapest(const Panel<Real>& panel, std::span<const SweepJob<Real>> jobs, Index samples, Index voxels,
                 Index width) {
  double filled = 0, shared = 0;
  for (Index first = panel.first; first < panel.last; first += shared_at_once) {
    const Index last = std::min(panel.last, first + shared_at_once);
    double empty = 1;  // voxels that are zero in all of them, if they have nothing to do with each other
    for (Index p = first; p < last; ++p) {
      const Index nonzeros = jobs[p].expected < 0 ? voxels : jobs[p].expected;
      const double part = std::min(1.0, static_cast<double>(nonzeros) / static_cast<double>(voxels));
      filled += part;
      empty *= 1 - part;
    }
    shared += (1 - empty) * (3.2 + 0.4 * static_cast<double>(last - first));
  }
  const double of_panel = std::min(1.0, filled) * (panel.lanes() == width ? wide_lane_cost() : 1);
  const double register_cost = wide_lane_cost() / static_cast<double>(width);
  const double alone = 4 * filled * register_cost;
  shared *= register_cost;
  if (samples >= width && shared < alone && shared < of_panel) return Forward::shared;
  return alone < of_panel ? Forward::alone : Forward::panel;
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
    panel.few = panel.last - first <= most_few(wide.width) && samples >= wide.width;
    panel.forward = cheapest<Real>(panel, jobs, samples, voxels, wide.width);
    out.push_back(panel);
  }
  return out;
}

/// X w of a tile for the problems of a panel, added to `sums`, `samples` numbers for each.
template <class Real>
void forward_apart(const Panel<Real>& panel, std::span<const SweepJob<Real>> jobs, const Real* x, int samples, int here,
                   const Real* w, Index tile, Real* sums) {
  const LaneKernel<Real>& kernel = kernel_for<Real>(lane_kernels());
  const bool far = !panel.moves;
  const Index most = panel.forward == Forward::shared ? shared_at_once : 1;
  for (Index p = panel.first; p < panel.last;) {
    if (!jobs[p].xw) {
      ++p;
      continue;
    }
    Real* y[shared_at_once];
    const Real* own = w + (p - panel.first) * tile;
    int count = 0;
    for (; p < panel.last && count < most && jobs[p].xw; ++p) y[count++] = sums + (p - panel.first) * samples;
    if (count == 1)
      kernel.forward_one(x, samples, here, own, y[0], far);
    else
      kernel.forward_few(x, samples, here, count, own, tile, y, far);
  }
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
                const Real* own[8] = {};
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
            if (panel.multiplies && panel.forward == Forward::panel)
              std::fill(x_w.begin() + (panel.last - panel.first) * tile, x_w.begin() + panel.lanes() * tile, Real{0});
            for (Index p = panel.first; p < panel.last; ++p) {
              const Index column = (p - panel.first) * tile;
              const LaneSums more = kernel.between(lanes[p], first, here, x_u.data() + column, x_w.data() + column);
              sums[block * count + p].norm2 += more.norm2;
              sums[block * count + p].nonzeros += more.nonzeros;
            }
            if (panel.multiplies && panel.forward != Forward::panel) {
              forward_apart<Real>(panel, jobs, part, rows, here, x_w.data(), tile,
                                  partial.data() + block * all + offset);
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
          const bool apart = panel.forward != Forward::panel;
          from += apart ? lane % width * samples : lane % width;
          const Index stride = apart ? 1 : panel.lanes();
          for (Index m = 0; m < samples; ++m) job.xw[m] += static_cast<double>(from[m * stride]);
        }
      },
      static_cast<double>(samples * blocks * count));
}

template void sweep(Index, Part<const float>, std::span<SweepJob<float>>);
template void sweep(Index, Part<const double>, std::span<SweepJob<double>>);

}  // namespace sturm::linalg::cpu
