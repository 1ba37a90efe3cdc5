// SPDX-License-Identifier: BSD-3-Clause
// Steps on the columns of many problems: loops of voxels.h over chunks.
#include <cmath>

#include "sturm/linalg/cpu/chunks.h"
#include "sturm/linalg/cpu/cpu.h"
#include "sturm/linalg/voxels.h"

namespace sturm::linalg::cpu {
namespace {

double wide(double v) { return v; }
double wide(float v) { return static_cast<double>(v); }

}  // namespace

template <class Real>
void try_steps(std::span<StepsJob<Real>> jobs, std::span<const double> steps) {
  const VoxelKernel<Real>& kernel = voxel_kernel<Real>();
  for (StepsJob<Real>& job : jobs) job.norms2.assign(steps.size(), 0.0);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto found = for_chunks(
        jobs, [](const auto& job) { return job.z.size(); },
        [&](const StepsJob<Real>& job, Index first, Index last, Sums& sums) {
          sums.sum[0] = kernel.trial_norm(from(job.a, first), from(job.z, first), from(job.z_next, first),
                                          from(job.mask, first), static_cast<Real>(steps[i]),
                                          static_cast<Real>(job.rho), static_cast<Real>(job.gamma), last - first);
        });
    for (std::size_t j = 0; j < jobs.size(); ++j) jobs[j].norms2[i] = found[j].sum[0];
  }
}

template <class Real>
void scale(std::span<ScaleJob<Real>> jobs) {
  for_chunks(
      jobs, [](const auto& job) { return job.to.size(); },
      [](const ScaleJob<Real>& job, Index first, Index last, Sums&) {
        const Real *in = from(job.from, first), times = static_cast<Real>(job.times);
        Real* const out = from(job.to, first);
        const Index n = last - first;
        if (!in)
          std::fill_n(out, n, Real{0});
        else if (job.add)
          for (Index v = 0; v < n; ++v) out[v] += times * in[v];
        else if (times == 1)
          std::copy_n(in, n, out);
        else
          for (Index v = 0; v < n; ++v) out[v] = times * in[v];
      });
}

template <class Real>
void mix(std::span<MixJob<Real>> jobs) {
  for_chunks(
      jobs, [](const auto& job) { return job.to.size(); },
      [](const MixJob<Real>& job, Index first, Index last, Sums&) {
        const Real *a = from(job.a, first), *b = from(job.b, first), t = static_cast<Real>(job.t);
        Real* const out = from(job.to, first);
        for (Index v = 0; v < last - first; ++v) out[v] = a[v] + t * (b[v] - a[v]);
      });
}

template <class Real>
void measure_excess(std::span<ExcessJob<Real>> jobs) {
  const VoxelKernel<Real>& kernel = voxel_kernel<Real>();
  const auto found = for_chunks(
      jobs, [](const auto& job) { return job.z.size(); },
      [&](const ExcessJob<Real>& job, Index first, Index last, Sums& sums) {
        sums.most = kernel.largest_excess(from(job.z, first), from(job.g, first), from(job.mask, first), job.times,
                                          last - first);
      });
  for (std::size_t j = 0; j < jobs.size(); ++j) jobs[j].most = found[j].most;
}

template <class Real>
void polish(std::span<PolishJob<Real>> jobs) {
  const VoxelKernel<Real>& kernel = voxel_kernel<Real>();
  for_chunks(
      jobs, [](const auto& job) { return job.z.size(); },
      [&](const PolishJob<Real>& job, Index first, Index last, Sums&) {
        kernel.polish(from(job.z, first), from(job.a, first), from(job.q, first), from(job.mask, first),
                      static_cast<Real>(job.rho), static_cast<Real>(job.gamma), from(job.out, first), last - first);
      });
}

template <class Real>
void compare(std::span<CompareJob<Real>> jobs) {
  const auto found = for_chunks(
      jobs, [](const auto& job) { return job.v.size(); },
      [](const CompareJob<Real>& job, Index first, Index last, Sums& sums) {
        const Real *v = from(job.v, first), *b = from(job.b, first);
        for (Index i = 0; i < last - first; ++i) {
          const double a = job.times * wide(v[i]), other = b ? wide(b[i]) : 0;
          sums.sum[0] += (a - other) * (a - other);
          sums.sum[1] += a * other;
          sums.sum[2] += std::abs(other);
        }
      });
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    jobs[j].away = found[j].sum[0];
    jobs[j].inner = found[j].sum[1];
    jobs[j].l1 = found[j].sum[2];
  }
}

template <class Real>
void measure_sizes(std::span<SizeJob<Real>> jobs) {
  const auto found = for_chunks(
      jobs, [](const auto& job) { return job.a.size(); },
      [](const SizeJob<Real>& job, Index first, Index last, Sums& sums) {
        const Real* a = from(job.a, first);
        // Four chains of sums, which do not wait for each other.
        double l1[4] = {}, square[4] = {}, most = 0;
        for (Index i = 0; i < last - first; ++i) {
          const double v = std::abs(wide(a[i]));
          l1[i % 4] += v;
          square[i % 4] += v * v;
          most = larger(most, v);
        }
        sums.sum[0] = (l1[0] + l1[1]) + (l1[2] + l1[3]);
        sums.sum[1] = (square[0] + square[1]) + (square[2] + square[3]);
        sums.most = most;
      });
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    jobs[j].l1 = found[j].sum[0];
    jobs[j].square = found[j].sum[1];
    jobs[j].most = found[j].most;
  }
}

template <class Real>
void shrink_on_ray(std::span<RayJob<Real>> jobs) {
  const auto found = for_chunks(
      jobs, [](const auto& job) { return job.v.size(); },
      [](const RayJob<Real>& job, Index first, Index last, Sums& sums) {
        const Real *a = from(job.a, first), *v = from(job.v, first);
        const std::uint8_t* mask = from(job.mask, first);
        Real* const w = from(job.w, first);
        const Real step = static_cast<Real>(job.theta / job.rho), cut = static_cast<Real>(job.gamma / job.rho);
        for (Index i = 0; i < last - first; ++i) {
          const Real t = a[i] + step * v[i], size = std::abs(t) - cut;
          w[i] = size > 0 && (!mask || mask[i]) ? std::copysign(size, t) : Real{0};
          if (w[i] == 0) continue;
          sums.sum[0] += wide(v[i]) * wide(w[i]);
          sums.sum[1] += wide(v[i]) * wide(v[i]);
        }
      });
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    jobs[j].inner = found[j].sum[0];
    jobs[j].square = found[j].sum[1];
  }
}

#define STURM_INSTANTIATE(Real)                                                \
  template void try_steps(std::span<StepsJob<Real>>, std::span<const double>); \
  template void scale(std::span<ScaleJob<Real>>);                              \
  template void mix(std::span<MixJob<Real>>);                                  \
  template void measure_excess(std::span<ExcessJob<Real>>);                    \
  template void polish(std::span<PolishJob<Real>>);                            \
  template void compare(std::span<CompareJob<Real>>);                          \
  template void measure_sizes(std::span<SizeJob<Real>>);                       \
  template void shrink_on_ray(std::span<RayJob<Real>>);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm::linalg::cpu
