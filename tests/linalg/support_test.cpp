// SPDX-License-Identifier: BSD-3-Clause
// Gram matrices of columns of the design, and of the support of W as it changes, against plain loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "backends.h"
#include "linalg/numbers.h"
#include "sturm/linalg/host.h"

namespace sturm::linalg {
namespace {

using test::draw;

TEST(AddGram, AddsAndTakesAwayColumns) {
  const Index samples = 9, voxels = 1300;
  const std::vector<double> x = draw<double>(samples * voxels, 21, 1), scale = draw<double>(voxels, 21, 2);
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

// More columns than one run of a sum, so that runs are cut and added: by how many threads must not change a bit.
TEST(Gram, IsThatOfTheColumnsInsideTheMask) {
  const Index samples = 6, columns = 5000;
  const std::vector<float> x = draw<float>(samples * columns, 22, 1), scale = draw<float>(columns, 22, 2);
  const std::vector<std::uint8_t> mask = test::some_columns(columns, 3);
  const auto gram = [&] { return host::gram<float>(samples, columns, x.data(), scale.data(), mask.data()); };
  const std::vector<double> found = test::with_threads(1, gram);
  EXPECT_EQ(found, test::with_threads(3, gram));
  for (Index j = 0; j < samples; ++j)
    for (Index i = 0; i < samples; ++i) {
      double sum = 0;
      for (Index v = 0; v < columns; ++v) {
        const double s = mask[v] ? static_cast<double>(scale[v]) : 0.0;
        sum += s * s * static_cast<double>(x[i + samples * v]) * static_cast<double>(x[j + samples * v]);
      }
      EXPECT_NEAR(found[i + samples * j], sum, 1e-10) << "5000 products of size 1 to 10 in double";
    }
}

class Support : public test::OnBackend {
 protected:
  template <class Real>
  void expect_support(double tolerance);
};

TEST_P(Support, SignsAreCompared) {
  for (const Index n : {1, 255, 256, 257, 1000}) {
    std::vector<float> w = draw<float>(n, 54, 1);
    for (Index v = 0; v < n; v += 3) w[v] = 0;
    // 0, 1 or 2: none, positive, negative, as update_support() leaves them.
    std::vector<float> x(n, 1.0F), h(1);
    std::vector<double> whole{static_cast<double>(n)};
    Array<float> design = backend.uploaded(std::span(std::as_const(x)));
    Array<std::uint8_t> signs = backend.make<std::uint8_t>(n);
    int updates = 1 << 20;
    const Array<float> start = backend.uploaded(std::span(std::as_const(w)));
    SupportJob<float> job{.w = start,
                          .scale = {},
                          .mask = {},
                          .columns = n,
                          .whole = whole,
                          .signs = signs,
                          .h = h.data(),
                          .updates = &updates};
    operations<float>(backend).update_support(1, design, {&job, 1});
    for (const Index changed : {Index{-1}, Index{0}, n / 2, n - 1})
      for (const float to : {0.0F, 3.0F, -3.0F}) {
        std::vector<float> other = w;
        if (changed >= 0) other[changed] = to;
        bool same = true;
        for (Index v = 0; v < n; ++v) same = same && (other[v] > 0) == (w[v] > 0) && (other[v] < 0) == (w[v] < 0);
        const Array<float> now = backend.uploaded(std::span(std::as_const(other)));
        SignsJob<float> compare{.w = now, .signs = signs};
        operations<float>(backend).compare_signs({&compare, 1});
        EXPECT_EQ(compare.same, same) << n << ", " << changed << " to " << to;
      }
  }
}

// Voxels come and go, a few or most of them, some with the other sign: the matrix is changed, made from the support or
// from its complement, and always that of the support. Rounding: at most 50 changes of a sum of 600 products.
template <class Real>
void Support::expect_support(double tolerance) {
  const Index samples = 13, n = 600;
  const std::vector<Real> x = draw<Real>(samples * n, 55, 1), scale = draw<Real>(n, 55, 2);
  const std::vector<std::uint8_t> mask = test::some_columns(n, 0);
  const Array<Real> design = backend.uploaded(std::span(x)), scales = backend.uploaded(std::span(scale));
  const Array<std::uint8_t> masks = backend.uploaded(std::span(mask));
  struct Kept {
    bool scaled, masked;
    std::vector<double> whole;
    std::vector<Real> h;
    Array<std::uint8_t> signs;
    int updates = 1 << 20;
    Index columns = 0;
  };
  std::vector<Kept> kept;
  for (const bool scaled : {false, true})
    for (const bool masked : {false, true})
      kept.push_back(
          {scaled, masked,
           host::gram<Real>(samples, n, x.data(), scaled ? scale.data() : nullptr, masked ? mask.data() : nullptr),
           std::vector<Real>(samples * samples), backend.make<std::uint8_t>(n), 1 << 20,
           masked ? std::ranges::count(mask, 1) : n});
  Rng rng(56);
  std::vector<Real> w(n);
  for (int round = 0; round < 70; ++round) {
    // Sparse, then nearly all, then small changes either way.
    const double share = round == 0 ? 0.1 : round == 1 ? 0.95 : round % 20 == 19 ? 0.5 : 0.02;
    for (Real& v : w)
      if (rng.uniform() < share) v = rng.uniform() < 0.4 ? Real{0} : static_cast<Real>(rng.normal());
    std::vector<Array<Real>> points;
    std::vector<SupportJob<Real>> jobs;
    for (Kept& k : kept) {
      std::vector<Real> inside = w;
      for (Index v = 0; v < n && k.masked; ++v)
        if (!mask[v]) inside[v] = 0;
      points.push_back(backend.uploaded(std::span(std::as_const(inside))));
      jobs.push_back({.w = points.back(),
                      .scale = {},
                      .mask = {},
                      .columns = k.columns,
                      .whole = k.whole,
                      .signs = k.signs,
                      .h = k.h.data(),
                      .updates = &k.updates});
      if (k.scaled) jobs.back().scale = scales;
      if (k.masked) jobs.back().mask = masks;
    }
    operations<Real>(backend).update_support(samples, design, jobs);
    for (const Kept& k : kept)
      for (Index j = 0; j < samples; ++j)
        for (Index i = j; i < samples; ++i) {
          double sum = 0;
          for (Index v = 0; v < n; ++v) {
            if (w[v] == 0 || (k.masked && !mask[v])) continue;
            const double s = k.scaled ? static_cast<double>(scale[v]) : 1;
            sum += s * s * static_cast<double>(x[i + samples * v]) * static_cast<double>(x[j + samples * v]);
          }
          ASSERT_NEAR(static_cast<double>(k.h[i + samples * j]), sum, tolerance)
              << round << (k.scaled ? " scaled" : "") << (k.masked ? " masked" : "");
        }
  }
}

TEST_P(Support, FollowsVoxelsThatComeAndGo) {
  expect_support<float>(2e-2);
  expect_support<double>(1e-10);
}

STURM_ON_EVERY_BACKEND(Support);

}  // namespace
}  // namespace sturm::linalg
