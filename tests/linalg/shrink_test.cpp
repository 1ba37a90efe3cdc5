// SPDX-License-Identifier: BSD-3-Clause
// Shrinking and norms as a backend does them, against LAPACK's SVD in double precision.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "backends.h"
#include "linalg/matrices.h"
#include "linalg/numbers.h"
#include "sturm/core/parallel.h"

namespace sturm::linalg {
namespace {

// The backend as a whole: thresholds from far below what a Gram matrix can do to beyond the largest value.
class Shrink : public test::OnBackend {
 protected:
  template <class Real>
  void shrink(const Shape& shape, Index count, std::vector<Real>& hat, std::span<const Slice> slices,
              std::span<const double> thresholds, std::span<Shrunk> results, double accuracy = 0) {
    Array<Real> device = backend.uploaded<Real>(hat);
    operations<Real>(backend).shrink(shape, count, device, slices, thresholds, results, accuracy);
    backend.download<Real>(device, hat);
  }
  template <class Real>
  void expect_agrees_at_every_threshold(double tolerance, double accuracy);
};

template <class Real>
void Shrink::expect_agrees_at_every_threshold(double tolerance, double accuracy) {
  const Shape shape{13, 10, 4};
  const std::vector<Slice> slices{{.re = 0}, {.re = 1, .im = 2, .weight = 2}, {.re = 3}};
  for (double share = 1e-6; share < 2.1; share *= 2) {
    const Tensor y = random_normal(shape, 12);
    std::vector<Real> hat(y.flat().begin(), y.flat().end());
    std::vector<Shrunk> results(slices.size());
    const double threshold = share * 8;  // the slices' largest values are about 7 to 9
    shrink<Real>(shape, 1, hat, slices, {&threshold, 1}, results, accuracy);
    for (std::size_t k = 0; k < slices.size(); ++k) {
      Matrix m{shape.n1, shape.n2, std::vector<Complex>(shape.slice())};
      for (Index i = 0; i < shape.slice(); ++i)
        m.a[i] = {static_cast<double>(static_cast<Real>(y.slice(slices[k].re)[i])),
                  slices[k].complex() ? static_cast<double>(static_cast<Real>(y.slice(slices[k].im)[i])) : 0.0};
      const Exact exact = shrink_exactly(m, threshold);
      double error = 0;
      for (Index i = 0; i < shape.slice(); ++i)
        error += std::norm(Complex(hat[slices[k].re * shape.slice() + i],
                                   slices[k].complex() ? hat[slices[k].im * shape.slice() + i] : 0) -
                           exact.shrunk.a[i]);
      EXPECT_LE(std::sqrt(error), tolerance * m.frobenius()) << share << " slice " << k;
    }
  }
}

TEST_P(Shrink, ErrorIsBoundedAtEveryThreshold) {
  expect_agrees_at_every_threshold<float>(1e-5, 0);
  expect_agrees_at_every_threshold<double>(1e-12, 0);
  expect_agrees_at_every_threshold<float>(5e-5, 1e-3);
  expect_agrees_at_every_threshold<double>(5e-12, 1e-3);
}

// Some slices are below the threshold as a whole and never reach the lanes; the others must not notice.
TEST_P(Shrink, SmallSlicesVanishAndLeaveTheOthersAsTheyAre) {
  constexpr Index pairs = 200;  // more than a few groups
  const Shape shape{9, 7, 2 * pairs};
  std::vector<Slice> slices;
  for (Index k = 0; k < pairs; ++k) slices.push_back({.re = 2 * k, .im = 2 * k + 1, .weight = 2});
  const Tensor y = random_normal(shape, 16);
  std::vector<float> hat(y.flat().begin(), y.flat().end());
  for (std::size_t k = 0; k < slices.size(); k += 3)
    std::fill_n(hat.begin() + slices[k].re * shape.slice(), 2 * shape.slice(), 0.01f);
  const double threshold = 2;
  std::vector<Shrunk> results(slices.size(), {9, 9, 9});
  std::vector<float> together = hat;
  shrink<float>(shape, 1, together, slices, {&threshold, 1}, results);
  for (std::size_t k = 0; k < slices.size(); ++k) {
    Shrunk alone;
    const Slice whole{.re = 0, .im = 1, .weight = 2};
    const auto first = slices[k].re * shape.slice();
    std::vector<float> one(hat.begin() + first, hat.begin() + first + 2 * shape.slice());
    shrink<float>({shape.n1, shape.n2, 2}, 1, one, {&whole, 1}, {&threshold, 1}, {&alone, 1});
    EXPECT_EQ(results[k].rank, alone.rank);
    EXPECT_EQ(results[k].rank == 0, k % 3 == 0) << k;
    EXPECT_EQ(results[k].nuclear, alone.nuclear);
    EXPECT_TRUE(std::equal(one.begin(), one.end(), together.begin() + first)) << k;
  }
}

// Two to 26 slices, one of them real: whole groups, or one to seven of them shared out in pieces.
TEST_P(Shrink, ThreadsDoNotChangeABit) {
  std::optional<UseThreads> team;
  for (const Index pairs : {1, 11, 21, 25}) {
    const Shape shape{27, 32, 2 * pairs + 1};
    std::vector<Slice> slices{{.re = 0}};
    for (Index k = 0; k < pairs; ++k) slices.push_back({.re = 2 * k + 1, .im = 2 * k + 2, .weight = 2});
    const Tensor y = random_normal(shape, 15);
    std::vector<float> first;
    for (const int count : {1, 2, 3, 5}) {
      team.emplace(count);
      std::vector<float> hat(y.flat().begin(), y.flat().end());
      const double threshold = 7;
      std::vector<Shrunk> results(slices.size());
      shrink<float>(shape, 1, hat, slices, {&threshold, 1}, results);
      if (count == 1) first = hat;
      EXPECT_TRUE(hat == first) << pairs << " pairs on " << count << " threads";
      EXPECT_GT(results.back().rank, 0);
    }
  }
  team.reset();
}

TEST_P(Shrink, ExtremeScalesAndNotNumbers) {
  const Shape shape{5, 6, 1};
  const std::vector<Slice> slices{{.re = 0}};
  const Tensor y = random_normal(shape, 13);
  for (const double scale : {1e-300, 1e-160, 1e160, 1e300}) {
    std::vector<double> hat;
    for (const double v : y.flat()) hat.push_back(v * scale);
    std::vector<double> plain(y.flat().begin(), y.flat().end());
    Shrunk result, reference;
    const double threshold = scale, one = 1;
    shrink<double>(shape, 1, hat, slices, {&threshold, 1}, {&result, 1});
    shrink<double>(shape, 1, plain, slices, {&one, 1}, {&reference, 1});
    EXPECT_EQ(result.rank, reference.rank);
    EXPECT_NEAR(result.largest / scale, reference.largest, 1e-12);
    for (std::size_t i = 0; i < hat.size(); ++i) EXPECT_NEAR(hat[i] / scale, plain[i], 1e-12);
  }
  std::vector<double> hat(y.flat().begin(), y.flat().end());
  hat[3] = std::numeric_limits<double>::infinity();
  Shrunk result;
  const double threshold = 1;
  shrink<double>(shape, 1, hat, slices, {&threshold, 1}, {&result, 1});
  for (const double v : hat) EXPECT_TRUE(std::isnan(v));
}

STURM_ON_EVERY_BACKEND(Shrink);

class Norms : public test::OnBackend {};

TEST_P(Norms, AgreeWithLapack) {
  const Shape shape{13, 10, 4};
  const std::vector<Slice> slices{{.re = 0}, {.re = 1, .im = 2, .weight = 2}, {.re = 3}};
  std::vector<float> hat = test::draw<float>(2 * shape.size(), 21, 3);
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
