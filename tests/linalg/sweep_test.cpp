// SPDX-License-Identifier: BSD-3-Clause
// Products with the design matrix, Gram matrices of columns, and norms: against plain loops.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "backends.h"
#include "sturm/core/parallel.h"
#include "sturm/core/rng.h"
#include "sturm/linalg/cpu/lanes/lanes.h"
#include "sturm/linalg/host.h"

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

// Sizes below a register and a tile, at their edges and beyond, on every instruction set; the upper triangle is
// nobody's.
template <class Real>
void expect_outer_products(const LaneKernel<Real>& kernel, double tolerance) {
  for (const int n : {1, 3, 6, 7, 8, 11, 12, 13, 15, 16, 17, 24, 31, 32, 33, 40, 41, 48, 56, 57, 58, 64, 72, 73, 100}) {
    const int count = 70;
    const std::vector<Real> x = random_vector<Real>(n * count, n);
    std::vector<const Real*> columns;
    for (int v = count; v-- > 0;) columns.push_back(x.data() + v * n);
    const std::vector<const void*> soon(columns.begin(), columns.end());
    std::vector<Real> h(n * n, Real{1});
    kernel.outer(columns.data(), count, n, Real{-1}, h.data(), soon.data(), n % 2 ? n * sizeof(Real) : 0);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        double sum = 0;
        for (int v = 0; v < count; ++v) sum += static_cast<double>(x[i + v * n]) * static_cast<double>(x[j + v * n]);
        EXPECT_NEAR(h[i + j * n], i < j ? 1 : 1 - sum, tolerance) << n << ": " << i << ", " << j;
      }
  }
}

TEST(AddGram, TilesCoverTheLowerTriangleOnce) {
  for (const LaneKernels* set : available_lane_kernels()) {
    SCOPED_TRACE(set->name);
    expect_outer_products(set->f32, 1e-4);
    expect_outer_products(set->f64, 1e-12);
  }
}

TEST(AddGram, AddsAndTakesAwayColumns) {
  const Index samples = 9, voxels = 1300;
  const std::vector<double> x = random_vector<double>(samples * voxels, 1), scale = random_vector<double>(voxels, 2);
  std::vector<Index> list, part;
  for (Index v = 0; v < voxels; ++v) {
    list.push_back(v);
    if (v % 3 == 0) part.push_back(v);
  }
  std::vector<double> h(samples * samples);
  host::add_gram<double>(samples, x.data(), list, scale.data(), 1, h.data(), {});
  host::add_gram<double>(samples, x.data(), part, scale.data(), -1, h.data(), {});
  for (Index j = 0; j < samples; ++j)
    for (Index i = j; i < samples; ++i) {
      double sum = 0;
      for (Index v = 0; v < voxels; ++v)
        if (v % 3 != 0) sum += scale[v] * scale[v] * x[i + samples * v] * x[j + samples * v];
      EXPECT_NEAR(h[i + samples * j], sum, 1e-10);
    }
}

TEST(Cholesky, SolvesAndRefuses) {
  std::vector<double> a{4, 2, 2, 3}, b{2, 5};
  ASSERT_TRUE(host::cholesky<double>(2, a.data()));
  host::cholesky_solve<double>(2, a.data(), b.data());
  EXPECT_NEAR(4 * b[0] + 2 * b[1], 2, 1e-14);
  EXPECT_NEAR(2 * b[0] + 3 * b[1], 5, 1e-14);
  std::vector<double> indefinite{1, 2, 2, 1};
  EXPECT_FALSE(host::cholesky<double>(2, indefinite.data()));
}

class Norms : public test::OnBackend {};

TEST_P(Norms, AgreeWithLapack) {
  const Shape shape{13, 10, 4};
  const std::vector<Slice> slices{{.re = 0}, {.re = 1, .im = 2, .weight = 2}, {.re = 3}};
  std::vector<float> hat = random_vector<float>(2 * shape.size(), 3);
  std::fill_n(hat.begin(), shape.slice(), 0.0F);                             // a slice of zeros
  for (Index i = 0; i < shape.slice(); ++i) hat[3 * shape.slice() + i] = 1;  // and one of rank 1
  std::vector<Shrunk> found(2 * slices.size());
  const Array<float> device = backend.uploaded(std::span(std::as_const(hat)));
  operations<float>(backend).norms(shape, 2, device, slices, found);
  const std::vector<double> wide(hat.begin(), hat.end());
  const Array<double> wide_device = backend.uploaded(std::span(wide));
  std::vector<Shrunk> exact(found.size());
  operations<double>(backend).norms(shape, 2, wide_device, slices, exact);
  for (int t = 0; t < 2; ++t)
    for (std::size_t k = 0; k < slices.size(); ++k) {
      std::vector<std::complex<double>> a(shape.slice());
      for (Index i = 0; i < shape.slice(); ++i)
        a[i] = {
            static_cast<double>(hat[t * shape.size() + slices[k].re * shape.slice() + i]),
            slices[k].complex() ? static_cast<double>(hat[t * shape.size() + slices[k].im * shape.slice() + i]) : 0};
      std::vector<double> s(10);
      host::svd<double>(SvdKind::values, shape.n1, shape.n2, a.data(), s.data(), nullptr, nullptr);
      double sum = 0;
      for (const double v : s) sum += v;
      EXPECT_NEAR(found[t * slices.size() + k].nuclear, sum, 10 * 2e-8 * s[0]);
      EXPECT_NEAR(found[t * slices.size() + k].largest, s[0], 1e-13 * s[0]);
      EXPECT_NEAR(exact[t * slices.size() + k].nuclear, sum, 1e-13 * sum);
      EXPECT_NEAR(exact[t * slices.size() + k].largest, s[0], 1e-13 * s[0]);
    }
}

STURM_ON_EVERY_BACKEND(Norms);

}  // namespace
}  // namespace sturm::linalg
