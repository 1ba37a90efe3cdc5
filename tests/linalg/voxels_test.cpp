// SPDX-License-Identifier: BSD-3-Clause
// The loops over voxels of every instruction set, against plain loops in double, at lengths that fill the registers and
// at lengths that do not.
#include "sturm/linalg/voxels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sturm/core/rng.h"
#include "sturm/linalg/cpu/lanes/lanes.h"

namespace sturm::linalg {
namespace {

template <class Real>
std::vector<Real> draw(std::size_t n, std::uint64_t stream) {
  Rng rng(41, stream);
  std::vector<Real> out(n);
  for (Real& v : out) v = static_cast<Real>(rng.normal());
  return out;
}

double shrunk(double t, double threshold) { return std::max(std::abs(t) - threshold, 0.0); }

template <class Real>
void expect_agrees(const VoxelKernel<Real>& kernel, std::size_t n, bool masked) {
  const double eps = sizeof(Real) == 4 ? 1e-6 : 1e-14, sums = eps * static_cast<double>(n + 1);
  const std::vector<Real> w = draw<Real>(n, 1), b = draw<Real>(n, 2), q = draw<Real>(n, 3), z = draw<Real>(n, 4),
                          next = draw<Real>(n, 5);
  const std::vector<double> u = draw<double>(n, 6);
  std::vector<Real> a(n);
  for (std::size_t v = 0; v < n; ++v) a[v] = b[v] - q[v];
  std::vector<unsigned char> mask(n);
  for (std::size_t v = 0; v < n; ++v) mask[v] = v % 3 != 1;
  const unsigned char* const m = masked ? mask.data() : nullptr;
  const auto at = [](const auto& of, std::size_t v) { return static_cast<double>(of[v]); };
  const double nu = 1.7, rho = 1.5, gamma = 0.8, step = 0.25;
  std::vector<Real> out(n), b_new = b, q_new = q, rest(n), polished(n);
  double found[4] = {}, expected[4] = {}, trial = 0, from_zero = 0, most = 0, abs = 0, dot = 0;
  kernel.relax(w.data(), b.data(), q.data(), static_cast<Real>(nu), out.data(), n);
  kernel.accept(w.data(), b_new.data(), q_new.data(), next.data(), static_cast<Real>(nu), n, found);
  kernel.subtract_clipped(z.data(), q.data(), m, static_cast<Real>(rho), static_cast<Real>(gamma), rest.data(), n);
  kernel.polish(z.data(), a.data(), q.data(), m, static_cast<Real>(rho), static_cast<Real>(gamma), polished.data(), n);
  std::vector<double> added = u;
  kernel.add(w.data(), 0.3, added.data(), n);
  std::vector<double> added_less = u;
  kernel.add_less(w.data(), 0.7, 0.3, added_less.data(), n);
  std::vector<double> plain(n), standard(n);
  std::vector<Real> shifted(n);
  double total = 0, less = 0, standard_total = 0;
  const double plain_sum = kernel.standardise(w.data(), nullptr, nullptr, plain.data(), n);
  const double standard_sum = kernel.standardise(w.data(), u.data(), added.data(), standard.data(), n);
  kernel.shift(u.data(), 0.7, 1.3, shifted.data(), n);
  std::vector<Real> lessened(n);
  kernel.less(w.data(), Real{0.5}, Real{1.25}, lessened.data(), n);
  for (std::size_t v = 0; v < n; ++v) {
    const double whole = nu * at(w, v) + (1 - nu) * at(b, v) + at(q, v);
    EXPECT_NEAR(at(out, v), whole, 20 * eps);
    EXPECT_NEAR(at(q_new, v), whole - at(next, v), 20 * eps);
    EXPECT_EQ(b_new[v], next[v]);
    expected[0] += std::pow(at(w, v) - at(next, v), 2);
    expected[1] += std::pow(at(next, v) - at(b, v), 2);
    expected[2] += std::pow(at(next, v), 2);
    expected[3] += std::pow(whole - at(next, v), 2);
    const double g2 = rho * at(q, v), g1 = std::clamp(at(z, v) - g2, -gamma, gamma);
    EXPECT_NEAR(at(rest, v), m && !m[v] ? g2 : at(z, v) - g1, 20 * eps);
    EXPECT_NEAR(added[v], u[v] + 0.3 * at(w, v), 1e-14);
    EXPECT_EQ(plain[v], at(w, v));
    EXPECT_NEAR(standard[v], (at(w, v) - u[v]) * added[v], 1e-13);
    EXPECT_NEAR(at(shifted, v), 1.3 * (u[v] - 0.7), eps * std::abs(u[v] - 0.7));
    total += at(w, v);
    standard_total += standard[v];
    EXPECT_NEAR(at(lessened, v), 1.25 * (at(w, v) - 0.5), 2 * eps * std::abs(at(w, v) - 0.5));
    EXPECT_NEAR(added_less[v], u[v] + 0.3 * (at(w, v) - 0.7), 1e-14);
    less += (at(w, v) - 0.5) * u[v];
    abs += std::abs(at(w, v));
    dot += at(w, v) * u[v];
    if (m && !m[v]) {
      EXPECT_EQ(polished[v], Real{0});
      continue;
    }
    // As PolishJob: b = a + q, and rho (b - q) = rho a.
    const double point = at(a, v) + at(q, v) + std::clamp(at(z, v) + rho * at(a, v), -gamma, gamma) / (100 * rho);
    EXPECT_NEAR(at(polished, v), std::copysign(shrunk(point, gamma / (100 * rho)), point), 20 * eps);
    const double moved = (at(z, v) + step * (at(next, v) - at(z, v))) / rho;
    trial += std::pow(shrunk(at(a, v) + moved, gamma / rho), 2);
    from_zero += std::pow(shrunk(moved, gamma / rho), 2);
    most = std::max(most, std::abs(at(z, v) - 0.7 * at(q, v)));
  }
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(found[i], expected[i], 40 * sums);
  const auto tried = [&](const Real* from) {
    return kernel.trial_norm(from, z.data(), next.data(), m, static_cast<Real>(step), static_cast<Real>(rho),
                             static_cast<Real>(gamma), n);
  };
  EXPECT_NEAR(tried(a.data()), trial, 40 * sums);
  EXPECT_NEAR(tried(nullptr), from_zero, 40 * sums);
  EXPECT_NEAR(kernel.largest_excess(z.data(), q.data(), m, 0.7, n), most, 1e-14);
  EXPECT_NEAR(kernel.sum_abs(w.data(), n), abs, 1e-14 * static_cast<double>(n + 1));
  EXPECT_NEAR(kernel.dot(w.data(), u.data(), n), dot, 1e-13 * static_cast<double>(n + 1));
  EXPECT_NEAR(plain_sum, total, 1e-13 * static_cast<double>(n + 1));
  EXPECT_NEAR(standard_sum, standard_total, 1e-13 * static_cast<double>(n + 1));
  EXPECT_NEAR(kernel.dot_less(w.data(), 0.5, u.data(), n), less, 1e-13 * static_cast<double>(n + 1));
  if (n > 0) {
    EXPECT_NEAR(static_cast<double>(kernel.mean(w.data(), n)), total / static_cast<double>(n), 2 * eps);
  }
}

class Voxels : public testing::TestWithParam<const LaneKernels*> {};

TEST_P(Voxels, AgreeWithLoops) {
  for (const std::size_t n : {0, 1, 7, 8, 9, 64, 1003})
    for (const bool masked : {false, true}) {
      SCOPED_TRACE(std::to_string(n) + (masked ? " masked" : ""));
      expect_agrees(GetParam()->f32.voxels, n, masked);
      expect_agrees(GetParam()->f64.voxels, n, masked);
    }
}

// The largest of numbers with a NaN among them is a NaN, whatever comes before and after it.
TEST_P(Voxels, ANaNIsTheLargest) {
  for (std::size_t n = 1; n < 40; ++n)
    for (std::size_t at = 0; at < n; ++at) {
      std::vector<double> z = draw<double>(n, 7);
      const std::vector<double> g(n);
      z[at] = std::nan("");
      EXPECT_TRUE(std::isnan(GetParam()->f64.voxels.largest_excess(z.data(), g.data(), nullptr, 1, n)))
          << n << ", " << at;
      z[at] = HUGE_VAL;
      EXPECT_EQ(GetParam()->f64.voxels.largest_excess(z.data(), g.data(), nullptr, 1, n), HUGE_VAL) << n << ", " << at;
    }
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, Voxels, testing::ValuesIn(available_lane_kernels()),
                         [](const auto& set) { return std::string(set.param->name); });

}  // namespace
}  // namespace sturm::linalg
