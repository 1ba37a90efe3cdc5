// SPDX-License-Identifier: BSD-3-Clause
// Elastic nets with a wide support, by Newton's method in the dual.
#include "sturm/solver/enet_newton.h"

#include <cmath>

#include "solver/small_problem.h"
#include "sturm/solver/lasso_path.h"

namespace sturm {
namespace {

// Newton's method in the dual and the active set share nothing but the problem.
TEST(EnetNewton, AgreesWithTheActiveSet) {
  const auto x = test::random_design<double>({150, 1, 1}, 40, 8);
  const std::vector<double> y = test::random_labels(40, 9);
  const LassoView<double> view(x, RowMap(std::vector<double>(40, 1.0), true), {}, {});
  const std::vector<double> labels = view.rows.apply(y);
  const double zero = lasso_zero_point(view, labels);
  const std::vector<double> gammas{0.5 * zero, 0.1 * zero, 0.01 * zero};
  const View<double> whole(x, view.rows, {}, {});
  for (const double l2 : {0.1, 10.0, 1000.0}) {
    LassoOptions options{test::first_backend()};
    options.gap = 1e-12;
    const auto active = solve_lasso_path<double>(view, labels, l2, gammas, options);
    DeviceDesign<double> device(x, test::first_backend());
    auto newton = enet_newton<double>(device, whole, labels, l2, gammas, std::vector(3, labels), 1e-12);
    const auto proofs = certify_enet<double>(view, labels, l2, gammas, newton);
    for (std::size_t k = 0; k < gammas.size(); ++k) {
      EXPECT_LE(proofs[k].gap(), 1e-12);
      EXPECT_NEAR(proofs[k].primal, active[k].objective, 2e-12 * active[k].objective);
      EXPECT_EQ(newton[k].voxels, active[k].voxels);
    }
  }
}

// w = soft(X'theta, gamma) / l2, voxel by voxel, and theta = y - X w: all there is to the optimum. From theta = 0 as
// well as from y, in both precisions; 1e-4 and 1e-9 of y are what the gap allows.
template <class Real>
void expect_optimal(double gap, double tolerance) {
  const auto x = test::random_design<Real>({40, 3, 1}, 20, 51);
  const std::vector<double> y = test::random_labels(20, 52);
  const View<Real> view(x, RowMap(std::vector<double>(20, 1.0), false), {}, {});
  const double l2 = 2;
  const std::vector<double> gammas{0.1, 1.0};
  for (const auto& start : {y, std::vector<double>(20)}) {
    DeviceDesign<Real> device(x, test::first_backend());
    const auto found = enet_newton<Real>(device, view, y, l2, gammas, std::vector(2, start), gap);
    for (std::size_t k = 0; k < gammas.size(); ++k) {
      std::vector<double> w(x.voxels()), r = y;
      for (std::size_t i = 0; i < found[k].voxels.size(); ++i) w[found[k].voxels[i]] = found[k].values[i];
      for (Index v = 0; v < x.voxels(); ++v)
        for (Index m = 0; m < 20; ++m) r[m] -= static_cast<double>(x.column(v)[m]) * w[v];
      for (Index m = 0; m < 20; ++m) EXPECT_NEAR(found[k].theta[m], r[m], tolerance);
      for (Index v = 0; v < x.voxels(); ++v) {
        double z = 0;
        for (Index m = 0; m < 20; ++m) z += static_cast<double>(x.column(v)[m]) * r[m];
        const double expected = std::copysign(std::max(std::abs(z) - gammas[k], 0.0), z) / l2;
        EXPECT_NEAR(w[v], expected, 10 * tolerance);  // a column of X is some 5 long
      }
    }
  }
}
TEST(EnetNewton, IsOptimal) {
  expect_optimal<float>(1e-6, 1e-2);
  expect_optimal<double>(1e-16, 1e-6);
}

}  // namespace
}  // namespace sturm
