// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/solver/problem.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "message.h"
#include "solver/small_problem.h"

namespace sturm {
namespace {

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

const std::vector<double> weights = {1, 0, 2.5, 0.5, 1, 3};

class Rows : public testing::TestWithParam<bool> {
 protected:
  RowMap rows{weights, GetParam()};
};

// <R'a, theta> = <a, R theta> for any two vectors.
TEST_P(Rows, AdjointIsTheAdjoint) {
  const auto a = test::random_labels(6, 1), theta = test::random_labels(6, 2);
  EXPECT_NEAR(dot(rows.apply(a), theta), dot(a, rows.adjoint(theta)), 1e-13);
}

// G <- R'G R column by column: R' of what R makes of the unit vectors.
TEST_P(Rows, ConjugateIsAppliedFromBothSides) {
  const std::size_t n = weights.size();
  const auto x = test::random_labels(static_cast<Index>(4 * n), 3);
  std::vector<double> gram(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t v = 0; v < 4; ++v) gram[i + j * n] += x[i + v * n] * x[j + v * n];
  std::vector<double> expected(n * n);
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<double> unit(n), product(n);
    unit[j] = 1;
    const std::vector<double> r = rows.adjoint(unit);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k) product[i] += gram[i + k * n] * r[k];
    std::ranges::copy(rows.apply(product), expected.begin() + static_cast<std::ptrdiff_t>(j * n));
  }
  rows.conjugate(gram);
  for (std::size_t i = 0; i < n * n; ++i) EXPECT_NEAR(gram[i], expected[i], 1e-13);
}

TEST_P(Rows, ASampleOfWeightZeroIsNotSeen) {
  auto a = test::random_labels(6, 4);
  const std::vector<double> before = rows.apply(a);
  a[1] = 1e9;
  EXPECT_EQ(rows.apply(a), before);
  EXPECT_EQ(before[1], 0);
  EXPECT_EQ(rows.adjoint(test::random_labels(6, 5))[1], 0);
}

INSTANTIATE_TEST_SUITE_P(Centred, Rows, testing::Bool());

TEST(RowMap, CentringTakesTheWeightedMeanAway) {
  const RowMap rows(weights, true);
  const auto a = test::random_labels(6, 6);
  EXPECT_NEAR(rows.mean(a), dot(weights, a) / 8, 1e-15);
  const std::vector<double> constant(6, 7.0);
  for (const double v : rows.apply(constant)) EXPECT_NEAR(v, 0, 1e-14);
}

// For losses that weight their samples themselves: rows as they are, but for those of weight 0.
TEST(RowMap, SelectingLeavesRowsAsTheyAre) {
  const RowMap rows = RowMap::selecting(weights);
  EXPECT_FALSE(rows.folds_weights());
  EXPECT_TRUE(RowMap(weights, false).folds_weights());
  auto a = test::random_labels(6, 8);
  a[1] = 1e9;
  std::vector<double> expected = a, gram(36), mapped(36);
  expected[1] = 0;
  EXPECT_EQ(rows.apply(a), expected);
  EXPECT_EQ(rows.adjoint(a), expected);
  for (std::size_t i = 0; i < 36; ++i) mapped[i] = gram[i] = a[i % 6] * a[i / 6];
  rows.conjugate(mapped);
  for (std::size_t i = 0; i < 36; ++i) EXPECT_EQ(mapped[i], i % 6 == 1 || i / 6 == 1 ? 0 : gram[i]);
  EXPECT_EQ(std::vector<double>(rows.weights().begin(), rows.weights().end()), weights) << "the loss needs them";
}

TEST(RowMap, RefusesWeightsThatAreNone) {
  EXPECT_SAYS(RowMap({1, -1}, true), "sample 2", "not negative");
  EXPECT_SAYS(RowMap({1, std::nan("")}, true), "sample 2", "finite");
  EXPECT_SAYS(RowMap({0, 0}, true), "weight of 0");
}

// The eigenvectors and eigenvalues of a view make X~ X~' again, whatever is masked and scaled.
TEST(View, EigenvaluesAreThoseOfTheMappedGram) {
  const Index samples = 6;
  const auto x = test::random_design<double>({3, 2, 2}, samples, 7);
  std::vector<double> scale(12, 1.0);
  scale[3] = 0.5;
  std::vector<std::uint8_t> mask(12, 1);
  mask[0] = mask[5] = 0;
  const View<double> view(x, RowMap(weights, true), scale, mask);
  EXPECT_EQ(view.voxels, 10);
  std::vector<double> gram(samples * samples);
  for (Index v = 0; v < 12; ++v)
    for (Index i = 0; i < samples; ++i)
      for (Index j = 0; j < samples; ++j)
        gram[i + j * samples] += mask[v] * scale[v] * scale[v] * x.column(v)[i] * x.column(v)[j];
  view.rows.conjugate(gram);
  for (Index i = 0; i < samples; ++i)
    for (Index j = 0; j < samples; ++j) {
      double sum = 0;
      for (Index k = 0; k < samples; ++k)
        sum += view.eigenvalues[k] * view.eigenvectors[i + k * samples] * view.eigenvectors[j + k * samples];
      EXPECT_NEAR(sum, gram[i + j * samples], 1e-12);
    }
}

}  // namespace
}  // namespace sturm
