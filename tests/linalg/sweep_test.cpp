// SPDX-License-Identifier: BSD-3-Clause
// Products with the design matrix against plain loops.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "backends.h"
#include "sturm/core/parallel.h"
#include "sturm/core/rng.h"

namespace sturm::linalg {
namespace {

template <class Real>
std::vector<Real> random_vector(Index n, std::uint64_t stream) {
  Rng rng(21, stream);
  std::vector<Real> out(n);
  for (Real& v : out) v = static_cast<Real>(rng.normal());
  return out;
}

/// What one problem of a sweep reads and writes, on the host.
template <class Real>
struct Work {
  std::vector<Real> u, z, z_next, a, w, scale;
  std::vector<std::uint8_t> mask;
  std::vector<double> xw;
  double gamma = 0, norm2 = 0;
  Index nonzeros = 0;
  bool has_u = false, has_z = true, shrinks = true, has_a = true, scaled = false, masked = false;
};

constexpr double rho = 1.5;

template <class Real>
std::vector<Work<Real>> make_work(Index samples, Index voxels, Index count) {
  std::vector<Work<Real>> out(count);
  for (Index p = 0; p < count; ++p) {
    Work<Real>& work = out[p];
    const auto draw = [&](Index n, std::uint64_t what) { return random_vector<Real>(n, 10 * p + what); };
    work = {draw(samples, 0),
            draw(voxels, 1),
            std::vector<Real>(voxels),
            draw(voxels, 2),
            draw(voxels, 4),
            draw(voxels, 5),
            {},
            std::vector<double>(samples)};
    work.mask.resize(voxels);
    for (Index v = 0; v < voxels; ++v) work.mask[v] = v % 5 != p % 5;
    work.gamma = p % 4 == 0 ? 6.0 : 0.7;
    work.has_u = p % 3 != 0;
    work.has_z = p % 3 != 2;
    work.shrinks = p % 5 != 4;
    work.has_a = p % 6 != 1;
    work.scaled = p % 2 != 0;
    work.masked = p % 7 == 3;
  }
  return out;
}

class Sweep : public test::OnBackend {
 protected:
  /// The problems of `order` in one call; what is found takes the place of what was there.
  template <class Real>
  void run(Index samples, const std::vector<Real>& x, std::vector<Work<Real>>& all, const std::vector<Index>& order,
           Index expected = -1) {
    struct Device {
      Array<Real> z, z_next, a, w, scale;
      Array<std::uint8_t> mask;
    };
    std::vector<Device> devices;
    std::vector<SweepJob<Real>> jobs;
    for (const Index p : order) {
      Work<Real>& work = all[p];
      const auto up = [&](const auto& v) { return backend.uploaded(std::span(std::as_const(v))); };
      devices.push_back({up(work.z), up(work.z_next), up(work.a), up(work.w), up(work.scale), up(work.mask)});
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      Work<Real>& work = all[order[i]];
      Device& device = devices[i];
      SweepJob<Real> job{.shrinks = work.shrinks, .xw = work.xw.data(), .rho = rho, .gamma = work.gamma};
      if (work.has_u) job.u = work.u.data();
      if (work.has_u) job.z_next = device.z_next;
      if (work.has_z) job.z = device.z;
      if (work.has_a) job.a = device.a;
      if (work.scaled) job.scale = device.scale;
      if (work.masked) job.mask = device.mask;
      if (work.shrinks)
        job.w = device.w;
      else
        job.point = device.w;
      job.expected = expected;
      jobs.push_back(job);
    }
    const Array<Real> design = backend.uploaded(std::span(x));
    operations<Real>(backend).sweep(samples, design, jobs);
    for (std::size_t i = 0; i < order.size(); ++i) {
      Work<Real>& work = all[order[i]];
      work.z_next = test::host_copy<Real>(backend, devices[i].z_next);
      work.w = test::host_copy<Real>(backend, devices[i].w);
      work.norm2 = jobs[i].norm2;
      work.nonzeros = jobs[i].nonzeros;
    }
  }
  template <class Real>
  void expect_agrees_with_loops(Index samples, Index voxels, Index count, double tolerance);
  template <class Real>
  void expect_same_bits(Index samples);
};

std::vector<Index> in_order(Index count) {
  std::vector<Index> out(count);
  std::iota(out.begin(), out.end(), Index{0});
  return out;
}

template <class Real>
void Sweep::expect_agrees_with_loops(Index samples, Index voxels, Index count, double tolerance) {
  const std::vector<Real> x = random_vector<Real>(samples * voxels, 999);
  std::vector<Work<Real>> work = make_work<Real>(samples, voxels, count);
  const std::vector<Work<Real>> before = work;
  run(samples, x, work, in_order(count));
  for (Index p = 0; p < count; ++p) {
    const Work<Real>& old = before[p];
    double norm2 = 0;
    Index nonzeros = 0;
    std::vector<double> xw(samples);
    for (Index v = 0; v < voxels; ++v) {
      const double s = old.scaled ? static_cast<double>(old.scale[v]) : 1.0;
      double z = old.has_z ? static_cast<double>(old.z[v]) : 0.0;
      if (old.has_u) {
        double sum = 0;
        for (Index m = 0; m < samples; ++m)
          sum += static_cast<double>(old.u[m]) * static_cast<double>(x[m + samples * v]);
        z += s * sum;
        EXPECT_NEAR(static_cast<double>(work[p].z_next[v]), z, tolerance) << p << ' ' << v;
      } else {
        EXPECT_EQ(work[p].z_next[v], old.z_next[v]);
      }
      double w = static_cast<double>(old.w[v]);
      if (old.shrinks) {
        const double t = (old.has_a ? static_cast<double>(old.a[v]) : 0.0) + z / rho;
        w = std::copysign(std::max(std::abs(t) - old.gamma / rho, 0.0), t);
        if (old.masked && !old.mask[v]) w = 0;
        EXPECT_NEAR(static_cast<double>(work[p].w[v]), w, tolerance);
        nonzeros += work[p].w[v] != 0;
      } else {
        EXPECT_EQ(work[p].w[v], old.w[v]);
      }
      norm2 += w * w;
      for (Index m = 0; m < samples; ++m) xw[m] += s * w * static_cast<double>(x[m + samples * v]);
    }
    for (Index m = 0; m < samples; ++m)
      EXPECT_NEAR(work[p].xw[m], xw[m], tolerance * std::sqrt(static_cast<double>(voxels))) << p;
    if (old.shrinks) {
      EXPECT_NEAR(work[p].norm2, norm2, tolerance * (1 + norm2));
      EXPECT_EQ(work[p].nonzeros, nonzeros);
    }
  }
}

TEST_P(Sweep, AgreesWithLoops) {
  // Rounding: sums of up to 37 products of size 1 in float, then of 2100.
  for (const auto& [samples, voxels, count] : {std::tuple<Index, Index, Index>{1, 1, 1}, {5, 40, 3}, {37, 2100, 35}}) {
    expect_agrees_with_loops<float>(samples, voxels, count, 2e-4);
    expect_agrees_with_loops<double>(samples, voxels, count, 1e-12);
  }
}

// A problem's bits depend neither on its place nor on its company nor on the threads.
template <class Real>
void Sweep::expect_same_bits(Index samples) {
  const Index voxels = 3000, count = 21;
  const std::vector<Real> x = random_vector<Real>(samples * voxels, 999);
  const auto found = [&](const std::vector<Index>& order, int workers, Index expected = -1) {
    std::vector<Work<Real>> work = make_work<Real>(samples, voxels, count);
    const UseThreads team(workers);
    run(samples, x, work, order, expected);
    return work;
  };
  const std::vector<Index> all = in_order(count), backwards(all.rbegin(), all.rend());
  const auto reference = found(all, 1);
  const auto other = found(backwards, 3);
  for (Index p = 0; p < count; ++p) {
    EXPECT_EQ(reference[p].xw, other[p].xw);
    EXPECT_EQ(reference[p].w, other[p].w);
    EXPECT_EQ(reference[p].z_next, other[p].z_next);
    EXPECT_EQ(found({p}, 1)[p].xw, reference[p].xw);
  }
  // So many that every number of problems has voxels in its lanes for X'u, and shares X for X w.
  for (Index company = 2; company <= 12; ++company) {
    const std::vector<Index> some(backwards.begin() + 1, backwards.begin() + 1 + company);
    const auto few = found(some, 1);
    for (const Index p : some) {
      EXPECT_EQ(few[p].xw, reference[p].xw) << company << ' ' << p;
      EXPECT_EQ(few[p].z_next, reference[p].z_next) << company << ' ' << p;
    }
  }
  // Samples in the lanes, of one problem or of several, or problems: what is expected of W decides, here wrongly.
  for (const Index expected : {Index{0}, Index{1}, voxels / 3, voxels}) {
    const auto another = found(all, 2, expected);
    for (Index p = 0; p < count; ++p) EXPECT_EQ(another[p].xw, reference[p].xw) << expected << ' ' << p;
  }
}

TEST_P(Sweep, BitsDependOnTheProblemAlone) {
  for (const Index samples : {3, 16, 29, 300}) {  // below a register, one, with an overlap, in groups of registers
    expect_same_bits<float>(samples);
    expect_same_bits<double>(samples);
  }
}

STURM_ON_EVERY_BACKEND(Sweep);

}  // namespace
}  // namespace sturm::linalg
