// SPDX-License-Identifier: BSD-3-Clause
// How problems begin: W = 0 is seen before the first iteration where a split of X'y shows it, a solution is taken up
// where it ended, and a problem that comes after another has a head start.
#include <cmath>

#include "oracle/overlapped.h"
#include "oracle/proof.h"
#include "solver/small_problem.h"
#include "sturm/tensor/algebra.h"

namespace sturm {
namespace {

class BatchStart : public test::SolverOnBackend {
 protected:
  Design<double> x = test::random_design<double>({5, 4, 6}, 14, 71);
  std::vector<double> y = test::random_labels(14, 72);
  std::shared_ptr<const View<double>> view = test::plain_view(x);

  Tensor adjoint() const {
    Tensor v(x.shape());
    for (Index c = 0; c < x.voxels(); ++c)
      for (Index m = 0; m < x.samples(); ++m) v.data()[c] += x.column(c)[m] * y[m];
    return v;
  }
};

// W = 0 from gamma = max |V| and from tau = spec(V) on; for both, V in proportion shows it where the shares add up
// to 1.
TEST_P(BatchStart, ZeroIsSeenBeforeTheFirstIteration) {
  const Tensor v = adjoint();
  const double top = max_abs(v), spectral = oracle::spectral(v);
  for (const auto& [tau, gamma] : {std::pair{0.0, 1.0}, {1.0, 0.0}, {0.5, 0.5}, {0.2, 0.8}}) {
    // Named again: clang 14 does not capture parts of a pair.
    const auto at = [&, t = tau, g = gamma](double c) {
      return solve_one<double>(x, {view, y, c * t * spectral, c * g * top}, 1e-9);
    };
    const Solution<double> s = at(1 + 1e-9);
    EXPECT_EQ(s.status, Status::zero_solution) << tau;
    EXPECT_EQ(s.iterations, 0) << tau;
    EXPECT_EQ(s.theta, y) << "the dual point of W = 0";
    EXPECT_LE(s.gap, 1e-9);
    if (tau == 0 || gamma == 0) {
      EXPECT_GT(max_abs(at(0.99).w), 0) << tau;  // there the bound is the zero point
    }
  }
}

TEST_P(BatchStart, ZeroIsSeenWithSeveralTerms) {
  const Tensor v = adjoint();
  double inverse = 1 / max_abs(v);  // of gamma, with a weight of 1
  for (int n = 1; n <= 3; ++n) inverse += 1 / (3 * oracle::unfolded_values(v, n).front());
  const double c = (1 + 1e-9) / inverse;
  const Solution<double> s = solve_one<double>(x, {view, y, c, c, overlapped_nuclear_norm(x.region())}, 1e-9);
  EXPECT_EQ(s.status, Status::zero_solution);
  EXPECT_EQ(s.iterations, 0);
}

// At a larger gap nothing is left to do; at a smaller one less than from nothing.
TEST_P(BatchStart, GoesOnWhereASolutionEnded) {
  for (const auto& [tau, gamma] : {std::pair{2.0, 0.7}, {3.0, 0.0}, {0.0, 1.0}}) {
    Problem<double> problem{view, y, tau, gamma};
    const Solution<double> whole = solve_one(x, problem, 1e-8);
    problem.from = std::make_shared<const Solution<double>>(whole);
    const Solution<double> again = solve_one(x, problem, 1e-5), finer = solve_one(x, problem, 1e-9);
    problem.from = nullptr;
    const Solution<double> anew = solve_one(x, problem, 1e-9);
    EXPECT_LE(again.iterations, 3) << "the first check";
    EXPECT_LT(finer.passes, anew.passes) << tau;
    EXPECT_NEAR(finer.objective, anew.objective, 1e-9 * anew.objective);
  }
}

TEST_P(BatchStart, AProblemAfterAnotherHasAHeadStart) {
  std::vector<Problem<double>> path;
  for (int i = 0; i < 6; ++i) {
    const double scale = std::pow(0.95, i);
    path.push_back({view, y, 1.5 * scale, 0.5 * scale});
  }
  BatchOptions<double> options{backend};
  options.solver.gap = 1e-6;
  int together = 0, alone = 0;
  for (const auto& s : solve_batch<double>(x, path, options)) alone += s.passes;
  for (std::size_t i = 1; i < path.size(); ++i) path[i].after = static_cast<Index>(i) - 1;
  for (const auto& s : solve_batch<double>(x, path, options)) together += s.passes;
  EXPECT_LT(together, alone);
}

STURM_ON_EVERY_BACKEND(BatchStart);

}  // namespace
}  // namespace sturm
