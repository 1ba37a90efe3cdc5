// SPDX-License-Identifier: BSD-3-Clause
// Steps between the columns of a design and the copies of W that the low-rank part works on. Neighbouring voxels of a
// brain stand side by side in both, so that a placement is a list of runs.
#include "sturm/core/aligned.h"
#include "sturm/linalg/cpu/chunks.h"
#include "sturm/linalg/cpu/cpu.h"
#include "sturm/linalg/voxels.h"

namespace sturm::linalg::cpu {
namespace {

struct Run {
  Index column, position, length;
};

class Runs final : public Placement {
 public:
  Runs(std::span<const Index> positions, Index size) : Placement(static_cast<Index>(positions.size()), size) {
    for (Index c = 0; c < columns(); ++c) {
      const bool goes_on = c > 0 && positions[c] == positions[c - 1] + 1 && positions[c] % chunk != 0;
      if (goes_on)
        ++runs_.back().length;
      else
        runs_.push_back({c, positions[c], 1});
    }
    identity_ = columns() == size && std::ranges::all_of(runs_, [](const Run& r) { return r.column == r.position; });
    std::ranges::sort(runs_, {}, &Run::position);
    for (Index first = 0, r = 0; first <= size + chunk; first += chunk) {
      while (r < static_cast<Index>(runs_.size()) && runs_[r].position < first) ++r;
      starts_.push_back(r);
    }
  }

  bool identity() const { return identity_; }
  /// Those of the chunk that begins at `first`; no run goes over the end of one.
  std::span<const Run> in_chunk(Index first) const {
    const Index c = first / chunk;
    return std::span(runs_).subspan(starts_[c], starts_[c + 1] - starts_[c]);
  }

 private:
  std::vector<Run> runs_;      ///< in the order of their positions
  std::vector<Index> starts_;  ///< the first run of each chunk
  bool identity_ = false;
};

const Runs& runs_of(const Placement* place) { return static_cast<const Runs&>(*place); }

/// The columns of a chunk at their places, 0 elsewhere: in w itself where they all are, or in a buffer of the thread.
template <class Real>
const Real* placed(const Real* w, const Runs& runs, Index first, Index last) {
  if (runs.identity()) return w + first;
  thread_local AlignedVector<Real> buffer(chunk);
  std::fill_n(buffer.data(), last - first, Real{0});
  for (const Run& run : runs.in_chunk(first))
    std::copy_n(w + run.column, run.length, buffer.data() + run.position - first);
  return buffer.data();
}

}  // namespace

PlacementPointer place(std::span<const Index> positions, Index size) {
  return std::make_shared<const Runs>(positions, size);
}

template <class Real>
void relax(std::span<RelaxJob<Real>> jobs, double nu) {
  const VoxelKernel<Real>& kernel = voxel_kernel<Real>();
  for_chunks(
      jobs, [](const auto& job) { return job.out.size(); },
      [&](const RelaxJob<Real>& job, Index first, Index last, Sums&) {
        const Real* w = placed(job.w.address(), runs_of(job.place), first, last);
        kernel.relax(w, from(job.b, first), from(job.q, first), static_cast<Real>(nu), from(job.out, first),
                     last - first);
      });
}

template <class Real>
void accept(std::span<AcceptJob<Real>> jobs, double nu) {
  const VoxelKernel<Real>& kernel = voxel_kernel<Real>();
  const auto found = for_chunks(
      jobs, [](const auto& job) { return job.b.size(); },
      [&](const AcceptJob<Real>& job, Index first, Index last, Sums& sums) {
        const Runs& runs = runs_of(job.place);
        const Real* w = placed(job.w.address(), runs, first, last);
        kernel.accept(w, from(job.b, first), from(job.q, first), from(job.next, first), static_cast<Real>(nu),
                      last - first, sums.sum);
        const Real share = static_cast<Real>(job.share);
        const Real *b = job.b.address(), *q = job.q.address();
        for (const Run& run : runs.in_chunk(first)) {
          Real* const a = job.a.address() + run.column;
          const Real *of_b = b + run.position, *of_q = q + run.position;
          if (job.add)
            for (Index i = 0; i < run.length; ++i) a[i] += share * (of_b[i] - of_q[i]);
          else
            for (Index i = 0; i < run.length; ++i) a[i] = share * (of_b[i] - of_q[i]);
        }
      });
  for (std::size_t j = 0; j < jobs.size(); ++j) std::copy_n(found[j].sum, 4, jobs[j].sums);
}

template <class Real>
void gather(std::span<GatherJob<Real>> jobs) {
  for_chunks(
      jobs, [](const auto& job) { return job.from.size(); },
      [](const GatherJob<Real>& job, Index first, Index, Sums&) {
        const Real times = static_cast<Real>(job.times);
        for (const Run& run : runs_of(job.place).in_chunk(first)) {
          const Real* in = job.from.address() + run.position;
          Real* const out = job.to.address() + run.column;
          for (Index i = 0; i < run.length; ++i) out[i] = job.add ? out[i] + times * in[i] : times * in[i];
        }
      });
}

template <class Real>
void spread(std::span<SpreadJob<Real>> jobs) {
  for_chunks(
      jobs, [](const auto& job) { return job.to.size(); },
      [](const SpreadJob<Real>& job, Index first, Index last, Sums&) {
        const Real times = static_cast<Real>(job.times);
        Real* const to = job.to.address();
        std::fill(to + first, to + last, Real{0});
        for (const Run& run : runs_of(job.place).in_chunk(first))
          for (Index i = 0; i < run.length; ++i) to[run.position + i] = times * job.from.address()[run.column + i];
      });
}

template <class Real>
void split(std::span<SplitJob<Real>> jobs) {
  const VoxelKernel<Real>& kernel = voxel_kernel<Real>();
  for_chunks(
      jobs, [](const auto& job) { return job.out.size(); },
      [&](const SplitJob<Real>& job, Index first, Index last, Sums&) {
        const Real rho = static_cast<Real>(job.rho), share = static_cast<Real>(1.0 / job.terms);
        const Real *z = job.z.address(), *q = job.q.address(), *q_term = job.q_term.address();
        const std::uint8_t* mask = job.mask ? job.mask.address() : nullptr;
        Real* const out = job.out.address();
        const Real times = static_cast<Real>(job.rho / job.terms);
        for (Index v = first; v < last; ++v) out[v] = times * q_term[v];
        thread_local AlignedVector<Real> total(chunk);
        for (const Run& run : runs_of(job.place).in_chunk(first)) {
          const std::uint8_t* inside = mask ? mask + run.column : nullptr;
          if (job.gamma > 0)
            kernel.subtract_clipped(z + run.column, q + run.column, inside, rho, static_cast<Real>(job.gamma),
                                    total.data(), run.length);
          else
            for (Index i = 0; i < run.length; ++i)
              total[i] = !inside || inside[i] ? z[run.column + i] : rho * q[run.column + i];
          for (Index i = 0; i < run.length; ++i) {
            Real& to = out[run.position + i];
            to = job.terms == 1 ? total[i] : to + share * (total[i] - rho * q[run.column + i]);
          }
        }
      });
}

#define STURM_INSTANTIATE(Real)                             \
  template void relax(std::span<RelaxJob<Real>>, double);   \
  template void accept(std::span<AcceptJob<Real>>, double); \
  template void gather(std::span<GatherJob<Real>>);         \
  template void spread(std::span<SpreadJob<Real>>);         \
  template void split(std::span<SplitJob<Real>>);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm::linalg::cpu
