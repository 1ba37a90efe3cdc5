// SPDX-License-Identifier: BSD-3-Clause
// Products with the design matrix in double, against loops in the order of the voxels.
#include <gtest/gtest.h>

#include "linalg/numbers.h"
#include "sturm/linalg/host.h"

namespace sturm::linalg {
namespace {

using test::draw;

/// Rounding of sums of `n` products of size 1 to 10, in double whatever the type of X.
double tolerance(Index n) { return 1e-14 * static_cast<double>(n + 10); }

template <class Real>
void expect_products(Index samples, Index columns) {
  SCOPED_TRACE(std::to_string(samples) + " x " + std::to_string(columns));
  const std::vector<Real> x = draw<Real>(samples * columns, 81, 1);
  std::vector<double> w = draw<double>(columns, 81, 2);
  const std::vector<double> u = draw<double>(samples, 81, 3);
  for (Index v = 0; v < columns; v += 3) w[v] = 0;  // columns that are passed over
  const auto product = [&] { return host::product<Real>(samples, x.data(), w); };
  const auto adjoint = [&] {
    std::vector<double> out(columns, -1.0);
    host::adjoint<Real>(samples, x.data(), u, out);
    return out;
  };
  const std::vector<double> xw = test::with_threads(1, product), xu = test::with_threads(1, adjoint);
  EXPECT_EQ(xw, test::with_threads(3, product));
  EXPECT_EQ(xu, test::with_threads(3, adjoint));
  double left = 0, right = 0;
  for (Index m = 0; m < samples; ++m) {
    double sum = 0;
    for (Index v = 0; v < columns; ++v) sum += static_cast<double>(x[m + samples * v]) * w[v];
    EXPECT_NEAR(xw[m], sum, tolerance(columns));
    left += xw[m] * u[m];
  }
  for (Index v = 0; v < columns; ++v) {
    double sum = 0;
    for (Index m = 0; m < samples; ++m) sum += static_cast<double>(x[m + samples * v]) * u[m];
    EXPECT_NEAR(xu[v], sum, tolerance(samples));
    right += xu[v] * w[v];
  }
  EXPECT_NEAR(left, right, tolerance(samples * columns)) << "one is the adjoint of the other";
}

TEST(ExactProducts, AreTheDefinitionWhateverTheThreads) {
  for (const Index columns : {1, 127, 129, 20000})  // one block, its edge, and many
    for (const Index samples : {1, 5, 16, 33}) {
      expect_products<float>(samples, columns);
      expect_products<double>(samples, columns);
    }
}

}  // namespace
}  // namespace sturm::linalg
