// SPDX-License-Identifier: BSD-3-Clause
// Decompositions by LAPACK: that they are ones of the matrix they were asked about.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <limits>

#include "linalg/numbers.h"
#include "message.h"
#include "sturm/linalg/host.h"

namespace sturm::linalg {
namespace {

using test::draw;

TEST(Eigh, ValuesAndVectorsAreThoseOfTheMatrix) {
  for (const Index n : {1, 2, 30}) {
    const std::vector<double> a = draw<double>(n * n, 71, n);
    std::vector<double> symmetric(n * n), values(n);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) symmetric[i + n * j] = a[i + n * j] + a[j + n * i];
    std::vector<double> v = symmetric;
    host::eigh<double>(n, v.data(), values.data());
    EXPECT_TRUE(std::ranges::is_sorted(values));
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) {
        double product = 0, inner = 0;
        for (Index p = 0; p < n; ++p) {
          product += symmetric[i + n * p] * v[p + n * j];
          inner += v[p + n * i] * v[p + n * j];
        }
        EXPECT_NEAR(product, values[j] * v[i + n * j], 1e-12) << "rounding of sums of 30 products of size 1 to 10";
        EXPECT_NEAR(inner, i == j ? 1 : 0, 1e-13);
      }
  }
}

TEST(Svd, FactorsMultiplyToTheMatrixAndHaveOrthonormalColumns) {
  using Complex = std::complex<double>;
  for (const auto& [rows, cols] : {std::pair<Index, Index>{1, 1}, {4, 9}, {9, 4}})
    for (const SvdKind kind : {SvdKind::thin, SvdKind::full}) {
      const Index least = std::min(rows, cols);
      const Index left = kind == SvdKind::full ? rows : least, right = kind == SvdKind::full ? cols : least;
      const std::vector<double> re = draw<double>(rows * cols, 72, 1), im = draw<double>(rows * cols, 72, 2);
      std::vector<Complex> a(rows * cols), u(rows * left), vh(right * cols);
      for (Index i = 0; i < rows * cols; ++i) a[i] = {re[i], im[i]};
      std::vector<double> s(least), alone(least);
      host::svd<double>(kind, rows, cols, a.data(), s.data(), u.data(), vh.data());
      host::svd<double>(SvdKind::values, rows, cols, a.data(), alone.data(), nullptr, nullptr);
      EXPECT_TRUE(std::ranges::is_sorted(s, std::ranges::greater{}));
      for (Index p = 0; p < least; ++p) EXPECT_NEAR(alone[p], s[p], 1e-13 * s[0]);
      for (Index j = 0; j < cols; ++j)
        for (Index i = 0; i < rows; ++i) {
          Complex sum = 0;
          for (Index p = 0; p < least; ++p) sum += u[i + rows * p] * s[p] * vh[p + right * j];
          EXPECT_LE(std::abs(sum - a[i + rows * j]), 1e-13 * s[0]);
        }
      for (Index q = 0; q < left; ++q)
        for (Index p = 0; p < left; ++p) {
          Complex inner = 0;
          for (Index i = 0; i < rows; ++i) inner += std::conj(u[i + rows * p]) * u[i + rows * q];
          EXPECT_LE(std::abs(inner - (p == q ? 1.0 : 0.0)), 1e-13);
        }
    }
}

TEST(Svd, NumbersThatAreNoneAreRefused) {
  std::vector<std::complex<double>> a(6, {std::numeric_limits<double>::quiet_NaN(), 0});
  std::vector<double> s(2);
  EXPECT_SAYS(host::svd<double>(SvdKind::values, 2, 3, a.data(), s.data(), nullptr, nullptr), "2 x 3", "NaN");
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

}  // namespace
}  // namespace sturm::linalg
